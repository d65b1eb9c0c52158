"""Links that a person points at."""

from tests.extension.reading.conftest import Opening


def test_a_link_has_its_text_and_its_address(opened: Opening, site: str) -> None:
    quote = opened("/article.html").item("quote", link=f"{site}/noon?x=1&y=2")
    assert quote == {
        "id": "quote",
        "type": "link",
        "pageTitle": "Why the sky turns red at sunset",
        "pageUrl": f"{site}/article.html",
        "linkText": "as at noon",
        "linkUrl": f"{site}/noon?x=1&y=2",
    }


def test_a_link_in_a_frame_has_the_frame_as_its_base(opened: Opening, site: str) -> None:
    assert opened("/frames.html").item("quote", link=f"{site}/deeper")["linkText"] == "with a link"


def test_a_link_that_shows_no_text_has_none(opened: Opening, site: str) -> None:
    assert opened("/article.html").item("quote", link=f"{site}/")["linkText"] == ""


def test_an_address_that_is_none_is_kept_as_it_is_written(opened: Opening) -> None:
    reader = opened.html("<body><a href='http://[broken'>Broken</a>")
    assert reader.item("quote", link="http://[broken")["linkText"] == "Broken"
