"""Frames and shadow roots."""

import pytest

from tests.extension.reading.conftest import Opening, Reader

FRAMED = ["Inside of a frame", "Text of the frame, with a link.", "Far down in the frame."]


def digests(reader: Reader) -> list[str]:
    return [part["digest"] for part in reader.parts()]


def test_frames_of_the_same_origin_are_read_where_they_stand(opened: Opening) -> None:
    reader = opened("/frames.html")
    assert digests(reader) == ["Text around the frames.", *FRAMED, "Text of the written frame."]


def test_other_frames_are_named_as_left_out(opened: Opening, site: str) -> None:
    reader = opened("/frames.html")
    other = site.replace("127.0.0.1", "localhost") + "/framed.html?other"
    reader.tab.locator("#other").evaluate("(frame, url) => { frame.src = url }", other)
    reader.tab.frame_locator("#other").locator("h1").wait_for()
    left_out = reader.read()["leftOut"]
    assert left_out == [
        {"what": "frame", "name": f"{site}/framed.html?sandboxed"},
        {"what": "frame", "name": other},
    ]


def test_open_shadow_roots_are_read_as_they_are_shown(opened: Opening) -> None:
    reader = opened("/shadow.html")
    assert digests(reader) == [
        "Text in the light.",
        "Heading of the weather",
        "Text in the shadow.",
        "Text that is put in.",
        "Second text that is put in.",
        "Text in the deeper shadow.",
        "Text in the other shadow.",
        "Text of an empty slot.",
    ]
    assert (
        "Heading of the weather\n\nText in the shadow.\n\nText that is put in."
        in reader.item("page")["content"]
    )


@pytest.mark.parametrize("page", ["frames", "shadow"])
def test_paths_lead_through_frames_and_shadow_roots(opened: Opening, page: str) -> None:
    reader = opened(f"/{page}.html")
    inner = [part for part in reader.parts() if ">>" in part["xpath"]]
    assert len(inner) >= 4
    for part in inner:
        text = reader.evaluate(f"askwebPage.resolve({part['xpath']!r}, {part['digest']!r}).textContent")
        assert part["digest"].split()[0] in text


def test_a_frame_of_a_blocked_host_is_left_out(opened: Opening) -> None:
    pages = {
        "http://a.example.org/": "<p>Outer</p><iframe src='http://b.example.org/'></iframe>",
        "http://b.example.org/": "<p>Inner</p>",
    }
    script = "<script>document.domain = 'example.org'</script>"
    opened.tab.route(
        "**/*",
        lambda route: route.fulfill(
            body=script + pages[route.request.url],
            content_type="text/html",
            headers={"Origin-Agent-Cluster": "?0"},
        ),
    )
    reader = opened("http://a.example.org/")
    assert reader.read(blocked=["b.example.org"])["leftOut"] == [
        {"what": "frame", "name": "http://b.example.org/"}
    ]
    assert "Inner" not in str(reader.read(blocked=["b.example.org"]))
