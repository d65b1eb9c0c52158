"""TOML in and out: files of other programs unchanged, and our own."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from askweb.accounts.models import User
from prompts.exporting import write_tools
from prompts.models import TemplateVersion, Tool
from prompts.shipped import DEFAULT_TOOLS

pytestmark = pytest.mark.django_db

OLDER = '''\
[page]
name = "Page"
hbs = """
{{#if page.title}}<title>{{page.title}}</title>{{/if}}
{{#if page.selection}}
> {{page.selection}}
{{^}}
{{chat.input}}
{{/if}}
"""

[plain]
name = "Plain"
hbs = "{{chat.input}}"

[to-zh]
name = "翻译为中文"
hbs = """
请翻译成 ${DISPLAY_LANG}: ${INPUT}
"""
'''


def load(api: APIClient, text: str, expect: int = 200, query: str = "") -> Any:
    answer = api.post(f"/api/tools/import/{query}", text, content_type="application/toml")
    assert answer.status_code == expect, answer.content
    return answer.json()


def save(api: APIClient, query: str = "") -> str:
    return api.get(f"/api/tools/export.toml{query}").content.decode()


def slugs(entries: list[Any]) -> list[str]:
    return [entry["slug"] for entry in entries]


class TestAFileOfAnotherProgram:
    def test_makes_a_tool_of_each_table(self, other_api: APIClient) -> None:
        told = load(other_api, OLDER)
        assert (slugs(told["created"]), told["updated"], told["skipped"]) == (
            ["page", "plain", "to-zh"],
            [],
            [],
        )

    def test_comes_back_equal(self, other_api: APIClient) -> None:
        load(other_api, OLDER)
        assert save(other_api) == OLDER

    def test_that_was_handed_over_comes_back_equal(self, other_api: APIClient, cases: Path) -> None:
        text = (cases / "seeds" / "explain.toml").read_text(encoding="utf-8")
        load(other_api, text)
        assert other_api.get("/api/tools/explain/").json()["name"] == "解释"
        assert save(other_api) == text

    def test_keeps_its_order(self, other_api: APIClient) -> None:
        load(other_api, OLDER)
        tools = other_api.get("/api/tools/").json()["results"]
        assert slugs(tools)[-3:] == ["page", "plain", "to-zh"]

    def test_keeps_ids_that_are_not_plain(self, other_api: APIClient) -> None:
        load(other_api, '["翻译 1"]\nname = "x"\nhbs = "y"\n')
        assert other_api.get("/api/tools/翻译 1/").json()["template"] == "y"
        assert save(other_api).startswith('["翻译 1"]\n')

    def test_can_start_with_a_byte_order_mark(self, other_api: APIClient) -> None:
        assert slugs(load(other_api, "\ufeff" + OLDER)["created"])[0] == "page"


class TestAPreset:
    @pytest.mark.parametrize("key", ["system", "human"])
    def test_is_a_tool_with_a_system_message(self, other_api: APIClient, key: str) -> None:
        load(other_api, f'[init]\n{key} = """You help.\nIn {{{{chat.language}}}}."""\nai = "Yes."\n')
        tool = other_api.get("/api/tools/init/").json()
        assert tool["options"]["system"] == "You help.\nIn {{chat.language}}."
        assert (tool["name"], tool["template"]) == ("init", "{{chat.input}}\n")

    def test_tells_that_a_prepared_answer_means_nothing_here(self, other_api: APIClient) -> None:
        (made,) = load(other_api, '[init]\nhuman = "You help."\nai = "Yes."\n')["created"]
        assert made["ignored"] == ["ai"]

    def test_is_exported_as_such(self, other_api: APIClient) -> None:
        load(other_api, '[init]\nsystem = "You help."\n')
        assert tomllib.loads(save(other_api))["init"]["system"] == "You help."

    def test_with_errors_is_skipped(self, other_api: APIClient) -> None:
        (skipped,) = load(other_api, '[init]\nsystem = "{{#if x}}"\n')["skipped"]
        assert skipped["code"] == "template.invalid"
        assert not Tool.objects.filter(slug="init").exists()


class TestImporting:
    def test_again_changes_nothing(self, other_api: APIClient) -> None:
        load(other_api, OLDER)
        told = load(other_api, OLDER)
        assert {entry["code"] for entry in told["skipped"]} == {"unchanged"}
        assert TemplateVersion.objects.filter(tool__slug="to-zh").count() == 1

    def test_a_changed_text_publishes_it(self, other_api: APIClient) -> None:
        load(other_api, OLDER)
        told = load(other_api, OLDER.replace("Plain", "Simple").replace('"{{chat.input}}"', '"{{input}}"'))
        assert slugs(told["updated"]) == ["plain"]
        tool = other_api.get("/api/tools/plain/").json()
        assert (tool["name"], tool["version"], tool["template"]) == ("Simple", 2, "{{input}}")

    def test_leaves_options_and_drafts_that_it_does_not_name(self, other_api: APIClient) -> None:
        load(other_api, OLDER)
        other_api.patch("/api/tools/plain/", {"draft": "d", "options": {"model": "m"}})
        load(other_api, '[plain]\nname = "Plain"\nhbs = "new"\n')
        tool = other_api.get("/api/tools/plain/").json()
        assert (tool["template"], tool["draft"], tool["options"]["model"]) == ("new", "d", "m")

    def test_keeps_a_faulty_template_as_a_draft(self, other_api: APIClient) -> None:
        (made,) = load(other_api, '[x]\nhbs = """\none\n{{#if a}}"""\n')["created"]
        assert (made["published"], made["errors"][0]["line"]) == (False, 2)
        assert other_api.get("/api/tools/x/").json()["draft"] == "one\n{{#if a}}"

    def test_never_takes_the_place_of_another_draft(self, other_api: APIClient) -> None:
        other_api.post("/api/tools/", {"name": "x", "slug": "x", "draft": "mine"})
        (skipped,) = load(other_api, '[x]\nhbs = "{{#if a}}"\n')["skipped"]
        assert skipped["code"] == "draft.kept"
        assert Tool.objects.get(slug="x").draft == "mine"

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ('top = "x"', "not_a_table"),
            ('[x]\nname = "X"', "missing"),
            ("[x]\nhbs = 3", "invalid"),
            ('[x]\nhbs = "y"\nkinds = "page"', "invalid"),
            ('[check]\nhbs = "y"', "invalid"),
            ('["a/b"]\nhbs = "y"', "invalid"),
            ('[x]\nhbs = "y"\noptions = { temperature = nan }', "invalid"),
            ('[x]\nhbs = "y"\nquestions = [{ id = 1979-05-27 }]', "wrong_type"),
        ],
    )
    def test_skips_what_is_no_tool_and_says_why(self, other_api: APIClient, text: str, code: str) -> None:
        told = load(other_api, text + '\n[fine]\nhbs = "y"\n')
        (skipped,) = told["skipped"]
        assert (skipped["code"], bool(skipped["reason"])) == (code, True)
        assert slugs(told["created"]) == ["fine"]

    def test_takes_json_too(self, other_api: APIClient) -> None:
        answer = other_api.post("/api/tools/import/", {"toml": OLDER})
        assert slugs(answer.json()["created"]) == ["page", "plain", "to-zh"]

    @pytest.mark.parametrize("body", [{}, {"toml": 3}, ["x"]])
    def test_takes_nothing_else(self, other_api: APIClient, body: Any) -> None:
        assert other_api.post("/api/tools/import/", body).status_code == 422

    def test_touches_ones_own_tools_alone(self, api: APIClient, other_api: APIClient) -> None:
        load(other_api, '[ask]\nhbs = "mine"\n')
        assert api.get("/api/tools/ask/").json()["template"] == "{{chat.input}}\n"

    def test_of_shared_tools_is_for_staff(self, api: APIClient, other_api: APIClient) -> None:
        load(other_api, OLDER, 403, "?owner=shared")
        load(api, '[ask]\nhbs = "ours"\n', query="?owner=shared")
        assert other_api.get("/api/tools/ask/").json()["template"] == "ours"


class TestAFileThatIsNoToml:
    @pytest.mark.parametrize(
        ("text", "line", "column"),
        [
            ('[a]\nhbs = "x"\n[b]\nhbs = x\n', 4, 7),
            ("[a]\nname\n", 2, 5),
            ('[a]\nhbs = """', 2, 10),
            ('[a]\nhbs = "x"\n[a]\n', 3, 3),
        ],
    )
    def test_is_refused_with_the_place(self, other_api: APIClient, text: str, line: int, column: int) -> None:
        told = load(other_api, text, 400)
        assert (told["error"]["code"], told["line"], told["column"]) == ("toml.broken", line, column)

    def test_leaves_nothing_behind(self, other_api: APIClient) -> None:
        load(other_api, OLDER + "[broken", 400)
        assert not Tool.objects.filter(slug="to-zh").exists()

    @pytest.mark.parametrize(
        "text", ["a = " + "[" * 5000, "a = " + "9" * 5000, f"[{'a.' * 1500}a]", f"[{'a.' * 3000}a]"]
    )
    def test_is_refused_even_when_it_can_not_be_read(self, other_api: APIClient, text: str) -> None:
        load(other_api, text, 400)

    @pytest.mark.parametrize("text", ["#" * 1024 * 1024 + "\n", "".join(f"[t{n}]\n" for n in range(201))])
    def test_may_not_be_huge(self, other_api: APIClient, text: str) -> None:
        assert load(other_api, text, 413)["error"]["code"] == "import.too_large"

    def test_is_utf_8(self, other_api: APIClient) -> None:
        answer = other_api.generic("POST", "/api/tools/import/", b"\xff", "application/toml")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "text.broken")


class TestOurOwnFile:
    def test_brings_everything_back(self, api: APIClient, other_api: APIClient) -> None:
        load(other_api, save(api, "?owner=shared"))
        for shared in Tool.objects.filter(owner=None).select_related("published"):
            own = Tool.objects.select_related("published").get(owner__isnull=False, slug=shared.slug)
            same = ("name", "names", "kinds", "options", "questions")
            assert [getattr(own, name) for name in same] == [getattr(shared, name) for name in same]

    def test_that_ships_can_be_imported(self, other_api: APIClient) -> None:
        told = load(other_api, DEFAULT_TOOLS.read_text(encoding="utf-8"))
        assert (len(told["created"]), told["skipped"]) == (10, [])

    @pytest.mark.parametrize(
        ("source", "written"),
        [
            ("a", 'hbs = "a"'),
            ('"', r'hbs = "\""'),
            ("a\n", 'hbs = """\na\n"""'),
            ("\na", 'hbs = """\n\na"""'),
            ('say "hi"\n', 'hbs = """\nsay "hi"\n"""'),
            ('"""\n', 'hbs = """\n\\"\\""\n"""'),
            ('a\nb"', 'hbs = """\na\nb\\""""'),
            ("a\\n\n\tb", 'hbs = """\na\\\\n\n\tb"""'),
            ("a\r\nb", 'hbs = """\na\\r\nb"""'),
        ],
    )
    def test_keeps_texts_on_their_lines(self, person: User, source: str, written: str) -> None:
        tool = Tool.objects.create(owner=person, slug="x", name="X")
        tool.publish(source)
        assert write_tools([tool]) == f'[x]\nname = "X"\n{written}\n'

    def test_leaves_out_what_has_no_text(self, person: User) -> None:
        assert write_tools([Tool(owner=person, slug="x", name="X")]) == ""

    def test_is_offered_as_a_file(self, api: APIClient) -> None:
        answer = api.get("/api/tools/export.toml")
        assert answer["Content-Type"] == "application/toml; charset=utf-8"
        assert 'filename="tools.toml"' in answer["Content-Disposition"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.text(
    '"\\\n\r\t\x7fn', max_size=12
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS, TEXTS)
def test_any_text_survives_the_file(slug: str, name: str, draft: str) -> None:
    options = {"system": name + "x", "model": "m"}
    tool = Tool(slug=slug, name=name, draft=draft, options=options, names={"ja": name})
    table = tomllib.loads(write_tools([tool]))[slug]
    assert (table["name"], table["hbs"], table["names"]) == (name, draft, {"ja": name})
