"""A text in pieces is the same text, and takes little more than itself."""

import tracemalloc

from askweb.gathered_text import GatheredText


def test_is_all_that_was_added_in_its_order() -> None:
    text = GatheredText("a")
    for number in range(1000):
        text.add(str(number))
        if number % 300 == 0:
            assert text.read().endswith(str(number))
    expected = "a" + "".join(map(str, range(1000)))
    assert (text.read(), text.read(), text.size) == (expected, expected, len(expected))


def test_takes_a_few_bytes_more_than_the_text() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        text = GatheredText()
        for number in range(10_000):
            text.add(f"{number:06}")
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert text.size == 60_000
    assert taken < 1.5 * text.size
