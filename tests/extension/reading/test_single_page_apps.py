"""Pages that become others without loading."""

from tests.extension.reading.conftest import Opening


def test_what_is_there_now_is_read(opened: Opening, site: str) -> None:
    reader = opened("/spa/first")
    assert reader.item("page")["title"] == "First view"
    reader.tab.evaluate("() => show('second')")
    page = reader.item("page")
    assert (page["title"], page["url"]) == ("second view", f"{site}/spa/second")
    assert page["content"] == "second view\n\nText of the second view."


def test_it_is_told_when_address_or_title_changed_since(opened: Opening) -> None:
    reader = opened("/spa/first")
    assert reader.evaluate("askwebPage.hasChanged()") is True
    reader.read()
    assert reader.evaluate("askwebPage.hasChanged()") is False
    reader.tab.evaluate("() => history.pushState(null, '', '?page=2')")
    assert reader.evaluate("askwebPage.hasChanged()") is True
    reader.read()
    assert reader.evaluate("askwebPage.hasChanged()") is False
    reader.tab.evaluate("() => { document.title = 'Other' }")
    assert reader.evaluate("askwebPage.hasChanged()") is True


def test_what_was_read_last_is_known_after_injecting_again(opened: Opening) -> None:
    reader = opened("/spa/first")
    reader.read()
    reader.inject()
    assert reader.evaluate("askwebPage.hasChanged()") is False


def test_parts_of_the_view_before_are_gone(opened: Opening) -> None:
    reader = opened("/spa/first")
    part = reader.part("Text of the first view.")
    reader.tab.evaluate(
        "() => { show('second'); document.querySelector('main').innerHTML = '<p>Prices and hours' }"
    )
    assert reader.highlight(part) == "gone"
