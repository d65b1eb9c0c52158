"""A repository's README, and a file."""

import pytest

from tests.extension.reading.conftest import PAGES, Opening, Reader

README = """# tidy

Sorts the files of a folder by date.

## Use

```shell
tidy ~/Downloads --by month
for f in a b; do
\ttidy $f
done
```

1. Nothing is deleted.
2. Whatever was moved comes back:
   - `tidy --undo`"""
CODE = "def main():\n    for path in paths():\n\n\tmove(path)\n"


def opened_at(opened: Opening, url: str, name: str) -> Reader:
    """The page as if it were GitHub's."""
    opened.tab.unroute_all()
    opened.tab.route("**/*", lambda route: route.fulfill(path=PAGES / name, content_type="text/html"))
    return opened(url)


def test_a_repository_has_its_readme(opened: Opening) -> None:
    found = opened_at(opened, "https://github.com/example/tidy", "github.html").item("github")
    assert found == {
        "id": "github",
        "title": "example/tidy: Sorts the files of a folder by date",
        "url": "https://github.com/example/tidy",
        "repository": "example/tidy",
        "path": "",
        "readme": README,
        "code": "",
    }


def test_a_file_has_its_path_and_all_of_its_lines(opened: Opening) -> None:
    url = "https://github.com/example/tidy/blob/fix/dates/src/tidy/main.py"
    found = opened_at(opened, url, "github_file.html").item("github")
    assert (found["repository"], found["path"], found["code"]) == ("example/tidy", "src/tidy/main.py", CODE)
    assert found["readme"] == ""


def test_without_its_usual_title_the_address_tells_the_path(opened: Opening) -> None:
    reader = opened_at(opened, "https://github.com/example/tidy/blob/main/a%20b/c.py#L3", "github_file.html")
    reader.tab.evaluate("() => { document.title = 'c.py' }")
    assert reader.item("github")["path"] == "a b/c.py"


def test_after_going_on_within_the_site_the_address_counts(opened: Opening) -> None:
    reader = opened_at(opened, "https://github.com/example/tidy", "github.html")
    reader.tab.evaluate("() => history.pushState(null, '', '/other/tool')")
    assert reader.item("github")["repository"] == "other/tool"


@pytest.mark.parametrize("name", ["github.html", "github_file.html"])
def test_it_is_known_by_its_shape_on_other_hosts(opened: Opening, name: str) -> None:
    assert opened(f"/{name}").item("github")["repository"] == "example/tidy"


def test_on_other_hosts_only_lines_that_are_shown_are_read(opened: Opening) -> None:
    assert opened("/github_file.html").item("github")["code"] == "def main():"


def test_pages_of_github_without_a_readme_or_a_file_have_none(opened: Opening) -> None:
    assert opened_at(opened, "https://github.com/settings/profile", "github.html").items("github") == []
    assert opened_at(opened, "https://github.com/example/tidy/issues", "article.html").items("github") == []


def test_other_pages_have_none(opened: Opening) -> None:
    assert opened("/article.html").items("github") == []
    assert opened("/article.html").items("github", **{"as": "github"}) == []
