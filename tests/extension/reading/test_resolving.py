"""A part is found again, also after the page changed."""

import pytest

from tests.extension.reading.conftest import Opening, Part, Reader

LIST = "<body><h1>List</h1><ul>" + "".join(
    f"<li>The {n} item of the list</li>" for n in ("first", "second", "third")
)


def text_of(reader: Reader, part: Part) -> str | None:
    found: str | None = reader.evaluate(
        f"askwebPage.resolve({part['xpath']!r}, {part['digest']!r})?.textContent"
    )
    return found


@pytest.fixture
def reader(opened: Opening) -> Reader:
    return opened.html(LIST)


@pytest.fixture
def second(reader: Reader) -> Part:
    return reader.part("The second")


def test_it_is_found_where_it_was(reader: Reader, second: Part) -> None:
    assert second == {"xpath": "HTML>body>ul>li[2]", "digest": "The second item of the list"}
    assert text_of(reader, second) == "The second item of the list"
    assert reader.highlight(second) == "found"


@pytest.mark.parametrize(
    "change",
    [
        "document.querySelector('ul').prepend(document.querySelector('li:last-child'))",
        "document.querySelector('ul').replaceWith(...document.querySelectorAll('li'))",
        "document.querySelector('h1').after(Object.assign(document.createElement('ul'), { innerHTML: '<li>a<li>b' }))",
        "document.querySelector('li').remove()",
        "document.querySelector('li:nth-child(2)').id = 'named'; document.querySelector('li').remove()",
    ],
)
def test_it_is_found_by_its_text_where_it_stands_elsewhere(reader: Reader, second: Part, change: str) -> None:
    reader.tab.evaluate(f"() => {{ {change} }}")
    assert text_of(reader, second) == "The second item of the list"
    assert reader.highlight(second) == "moved"


def test_it_is_found_where_its_text_was_edited(reader: Reader, second: Part) -> None:
    reader.tab.evaluate(
        "() => { document.querySelector('li:nth-child(2)').textContent = 'The second item of this list!' }"
    )
    assert text_of(reader, second) == "The second item of this list!"
    assert reader.highlight(second) == "found"


def test_it_is_gone_when_nothing_is_like_it(reader: Reader, second: Part) -> None:
    reader.tab.evaluate("() => { document.querySelector('ul').innerHTML = '<li>Other</li><li>things</li>' }")
    assert text_of(reader, second) is None
    assert reader.highlight(second) == "gone"


def test_what_is_hidden_since_is_gone(reader: Reader, second: Part) -> None:
    reader.tab.evaluate("() => { document.querySelector('ul').style.display = 'none' }")
    assert reader.highlight(second) == "gone"


def test_of_equal_texts_the_nearest_is_meant(opened: Opening) -> None:
    reader = opened.html("<body>" + "<section><p>Same text</p><p>Same text</p></section>" * 3)
    reader.tab.evaluate(
        "() => document.querySelectorAll('section')[1].prepend(document.createElement('hr'), document.createElement('p'))"
    )
    part = {"xpath": "HTML>body>section[2]>p", "digest": "Same text"}
    assert reader.highlight(part) == "moved"
    assert reader.evaluate(
        "askwebPage.resolve('HTML>body>section[2]>p', 'Same text').parentNode === document.querySelectorAll('section')[1]"
    )


def test_without_a_text_the_path_alone_counts(reader: Reader) -> None:
    assert text_of(reader, {"xpath": "HTML>body>ul", "digest": ""}) is not None
    assert text_of(reader, {"xpath": "HTML>body>ol", "digest": ""}) is None


def test_a_larger_element_is_known_by_the_beginning_of_its_text(reader: Reader) -> None:
    assert reader.highlight({"xpath": "HTML>body>ul", "digest": "The first item of the list"}) == "found"


def test_a_text_of_another_page_leads_nowhere(reader: Reader) -> None:
    assert reader.highlight({"xpath": "p[id=first]", "digest": "Sunlight holds all colours."}) == "gone"


def test_text_in_any_script_is_found_again(opened: Opening) -> None:
    reader = opened("/chinese.html")
    part = reader.part("茶起源于")
    reader.tab.evaluate(
        "() => { const p = document.querySelector('p');"
        " p.textContent = p.textContent.replace('西南', '東南'); document.body.prepend(p) }"
    )
    assert reader.highlight(part) == "moved"
