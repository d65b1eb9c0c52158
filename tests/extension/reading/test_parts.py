"""The parts of a page: where each is, and how it begins."""

import pytest

from tests.extension.reading.conftest import Opening, Reader

PAGES = [
    "article",
    "documentation",
    "stack_overflow",
    "github",
    "frames",
    "shadow",
    "arabic",
    "chinese",
    "hostile",
]


def shown(reader: Reader) -> list[tuple[str, str]]:
    return [(part["xpath"], part["digest"]) for part in reader.parts()]


@pytest.mark.parametrize("name", PAGES)
def test_each_path_leads_back_to_its_own_element(opened: Opening, name: str) -> None:
    reader = opened(f"/{name}.html")
    paths = [path for path, _ in shown(reader)]
    assert len(set(paths)) == len(paths) > 3
    for path, digest in shown(reader):
        element = f"askwebPage.resolve({path!r}, '')"
        text = reader.evaluate(f"{element}.textContent")
        assert digest.split()[0] in text


def test_each_heading_paragraph_item_cell_and_block_of_code_is_a_part(opened: Opening) -> None:
    reader = opened("/documentation.html")
    reader.evaluate("document.querySelectorAll('button, .linenos').forEach((each) => each.remove())")
    resolved = reader.evaluate(
        "askwebPage.read().then(({ context }) => {"
        " const elements = context.at(-1).list.map(({ xpath, digest }) => askwebPage.resolve(xpath, digest));"
        " const wanted = [...document.querySelectorAll('h1, h2, p, pre, .poem, dt, dd')];"
        " return [elements.length, wanted.length, elements.every((element, at) => element === wanted[at])] })"
    )
    assert resolved == [15, 15, True]


def test_lists_and_tables_are_parts_by_item_and_cell(opened: Opening) -> None:
    digests = [digest for _, digest in shown(opened("/article.html"))]
    at = digests.index("Dust makes it paler")
    assert digests[at : at + 10] == [
        "Dust makes it paler",
        "Smoke makes it redder",
        "Wood smoke",
        "Volcanic ash",
        "Time",
        "Way",
        "Noon",
        "1",
        "Sunset",
        "40",
    ]


def test_a_path_begins_at_the_nearest_id_that_only_one_has(opened: Opening) -> None:
    html = "<body id=b><div id=twice><p>One</p></div><div id=twice><p>Two</p><p>Three</p></div><p id='家'>Four</p>"
    assert shown(opened.html(html)) == [
        ("body[id=b]>div>p", "One"),
        ("body[id=b]>div[2]>p", "Two"),
        ("body[id=b]>div[2]>p[2]", "Three"),
        ("p[id=家]", "Four"),
    ]


def test_ids_and_names_may_hold_what_paths_are_made_of(opened: Opening) -> None:
    reader = opened("/hostile.html")
    odd = reader.part("Paragraph whose id is odd.")
    assert odd["xpath"] == "p[id=a%5Db%3Ec%20d%25]"
    assert reader.evaluate(f"askwebPage.resolve({odd['xpath']!r}, '').className") == "odd"
    strange = reader.part("d")
    assert reader.evaluate(f"askwebPage.resolve({strange['xpath']!r}, '').localName") == "we[ir"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("HTML>body>div[id=nk]", "DIV"),
        ("HTML>body>main[1]>p[2]", "P"),
        ("HTML", "HTML"),
        ("body>p", None),
        ("HTML>body>p[9]", None),
        ("div[id=gone]", None),
        ("", None),
        (">>", None),
        ("p[", None),
        ("//p[1]", None),
        ("HTML>body>div[id=nk]>>p", None),
        ("HTML>body>" + "div>" * 10_000, None),
    ],
)
def test_paths_of_others_are_understood_or_lead_nowhere(opened: Opening, path: str, name: str | None) -> None:
    reader = opened.html("<body><div id=nk></div><main><p>One</p><p>Two</p></main>")
    assert reader.evaluate(f"askwebPage.resolve({path!r}, '')?.nodeName") == name


def test_a_digest_is_one_line_of_at_most_120_characters(opened: Opening) -> None:
    family = "👩‍👩‍👧‍👦"
    html = f"<body><p>{'x ' * 58} {family} and more</p><p>a<br>b\n  c<i> d</i>e</p><pre>f\n  g</pre>"
    digests = [digest for _, digest in shown(opened.html(html))]
    assert digests == [("x " * 58).strip(), "a b c de", "f g"]


def test_a_long_item_of_many_blocks_has_more_than_one_part(opened: Opening) -> None:
    blocks = "".join(f"<div>{word} {'and so on ' * 15}</div>" for word in ("One", "Two", "Three"))
    digests = [digest for _, digest in shown(opened.html(f"<body><ul><li>{blocks}</li></ul>"))]
    assert [digest.split()[0] for digest in digests] == ["One", "Two", "Three"]


def test_text_between_nested_items_is_not_put_together(opened: Opening) -> None:
    html = "<body><ul><li>Before<ul><li>Inside</li></ul>after</li></ul>"
    assert [digest for _, digest in shown(opened.html(html))] == ["Before", "Inside"]


def test_blocks_without_a_meaning_of_their_own_are_parts_where_they_hold_text(opened: Opening) -> None:
    html = "<body><div><div>One</div><section>Two <b>and</b> three</section></div><div role=heading>Four <div>five</div></div>"
    assert [digest for _, digest in shown(opened.html(html))] == ["One", "Two and three", "Four five"]
