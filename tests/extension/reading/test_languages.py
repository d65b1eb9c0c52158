"""Scripts that are not Latin, and pages that run from right to left."""

from tests.extension.reading.conftest import Opening


def test_arabic_is_read_as_it_is_written(opened: Opening) -> None:
    page = opened("/arabic.html").item("page")
    assert (page["title"], page["lang"]) == ("لماذا تحمر السماء عند الغروب", "ar")
    assert "لماذا تحمرّ السماء عند الغروب" in page["content"]
    assert 'print("مرحبا")\n    # تعليق' in page["content"]


def test_from_right_to_left_the_left_can_be_scrolled_to_and_the_right_can_not(opened: Opening) -> None:
    content = opened("/arabic.html").item("page")["content"]
    assert "يمتد هذا السطر إلى اليسار خارج النافذة" in content
    assert "سرّ بعيد" not in content


def test_chinese_is_read_as_it_is_written(opened: Opening) -> None:
    reader = opened("/chinese.html")
    page = reader.item("page")
    assert (page["title"], page["lang"]) == ("茶的历史", "zh-CN")
    assert "绿茶\n红茶\n乌龙茶" in page["content"]
    assert "𠮷野家的茶也很有名。" in page["content"]
    assert reader.part("茶馆")["xpath"] == "p[id=家]"


def test_digests_of_chinese_are_as_long_as_others(opened: Opening) -> None:
    assert len(opened("/chinese.html").part("茶起源于")["digest"]) == 120


def test_vertical_pages_are_read_whole(opened: Opening) -> None:
    paragraphs = "".join(f"<p>第{n}段</p>" for n in range(1, 60))
    reader = opened.html(f"<style>html {{ writing-mode: vertical-rl }}</style><body>{paragraphs}")
    assert len(reader.parts()) == 59


def test_readings_above_characters_are_kept_and_their_brackets_not(opened: Opening) -> None:
    reader = opened.html("<body><p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読む")
    assert reader.item("page")["content"] == "漢字かんじを読む"
