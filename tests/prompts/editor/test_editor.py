"""The pages of tools without any script: errors, drafts, versions and the preview, as plain forms."""

import json
from http import HTTPStatus
from typing import Any, ClassVar

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from prompts.models import Tool

pytestmark = pytest.mark.django_db

EXPLAIN = "/tools/explain/?owner=shared"
BROKEN = "Explain:\n  {{#if page.selection}}{{page.selection}}"


def text_of(client: Client, path: str, **fields: Any) -> str:
    answer = client.post(path, fields, follow=True) if fields else client.get(path)
    assert answer.status_code == HTTPStatus.OK, answer.content.decode()
    return answer.content.decode()


def explain() -> Tool:
    return Tool.objects.select_related("published").get(slug="explain", owner=None)


class TestEditing:
    def test_publishing_a_broken_template_is_refused_with_line_and_hint(self, staff: Client) -> None:
        answer = staff.post(EXPLAIN, {"act": "publish", "template": BROKEN})
        page = answer.content.decode()
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert 'data-line="2" data-column="3"' in page
        assert "opened in line 2 is never closed" in page

    def test_a_broken_text_is_kept_as_the_draft(self, staff: Client) -> None:
        staff.post(EXPLAIN, {"act": "publish", "template": BROKEN})
        assert explain().draft == BROKEN

    def test_a_draft_shows_its_errors_when_the_page_is_opened(self, staff: Client) -> None:
        assert 'data-line="2"' in text_of(staff, EXPLAIN, act="save", template=BROKEN)

    def test_line_breaks_of_forms_become_those_of_templates(self, staff: Client) -> None:
        text_of(staff, EXPLAIN, act="publish", template="a\r\nb")
        assert explain().published.source == "a\nb"

    def test_publishing_makes_the_next_version(self, staff: Client) -> None:
        assert "Version 2 is in use now." in text_of(staff, EXPLAIN, act="publish", template="{{input}}!")
        assert explain().published.number == 2

    def test_rolling_back_publishes_the_old_text_again(self, staff: Client) -> None:
        shipped = explain().published.source
        text_of(staff, EXPLAIN, act="publish", template="{{input}}!")
        text_of(staff, EXPLAIN, act="restore", number="1")
        published = explain().published
        assert (published.number, published.source, published.restored_from) == (3, shipped, 1)

    def test_a_draft_can_be_thrown_away(self, staff: Client) -> None:
        text_of(staff, EXPLAIN, act="save", template="x")
        text_of(staff, EXPLAIN, act="discard", template="x")
        assert explain().draft is None

    def test_saving_the_text_in_use_leaves_no_draft(self, staff: Client) -> None:
        text_of(staff, EXPLAIN, act="save", template=explain().published.source)
        assert explain().draft is None

    def test_the_textarea_keeps_first_line_breaks_and_signs(self, staff: Client) -> None:
        page = text_of(staff, EXPLAIN, act="save", template="\n</textarea><b>")
        assert "\n\n&lt;/textarea&gt;&lt;b&gt;</textarea>" in page

    def test_what_someone_else_saved_meanwhile_is_not_written_over_unseen(self, staff: Client) -> None:
        seen = staff.get(EXPLAIN).context["seen"]
        text_of(staff, EXPLAIN, act="save", template="theirs")
        answer = staff.post(EXPLAIN, {"act": "publish", "template": "mine", "seen": seen})
        assert answer.status_code == HTTPStatus.CONFLICT
        assert explain().draft == "theirs"
        assert answer.context["source"] == "mine"
        text_of(staff, EXPLAIN, act="publish", template="mine", seen=answer.context["seen"])
        assert explain().published.source == "mine"


class TestSettings:
    FORM: ClassVar = {
        "act": "settings",
        "name": "Explain it",
        "kinds": "page, code",
        "leftovers": "omit",
        "budget": "head",
        "questions": "auto",
    }

    def test_name_and_options_apply_at_once(self, staff: Client) -> None:
        text_of(staff, EXPLAIN, **self.FORM, temperature="0.5", output_only="on", language="Deutsch")
        tool = explain()
        assert (tool.name, tool.kinds, tool.published.number) == ("Explain it", ["page", "code"], 1)
        assert tool.options == {
            "leftovers": "omit", "temperature": 0.5, "output_only": True, "language": "Deutsch",
        }  # fmt: skip

    @pytest.mark.parametrize(
        "wrong",
        [{"temperature": "hot"}, {"temperature": "3"}, {"name": " "}, {"budget": "x"}, {"system": "{{#if"}],
    )
    def test_what_is_wrong_is_refused(self, staff: Client, wrong: dict[str, str]) -> None:
        answer = staff.post(EXPLAIN, {**self.FORM, **wrong})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert explain().name == "Explain"


class TestReaders:
    @pytest.mark.parametrize("act", ["save", "publish", "discard", "restore", "settings", "delete"])
    def test_a_shared_tool_is_not_theirs_to_change(self, reader: Client, act: str) -> None:
        answer = reader.post(EXPLAIN, {"act": act, "template": "x", "number": "1"})
        assert answer.status_code == HTTPStatus.FORBIDDEN

    def test_they_see_it_read_only_and_may_try_it(self, reader: Client) -> None:
        page = text_of(reader, EXPLAIN)
        assert "readonly" in page
        assert "Copy to your tools" in page

    def test_what_they_type_into_it_is_not_rendered(self, reader: Client) -> None:
        assert "zebra" not in text_of(reader, EXPLAIN, act="preview", template="zebra")

    def test_a_draft_of_staff_stays_with_staff(self, staff: Client, reader: Client) -> None:
        text_of(staff, EXPLAIN, act="save", template="half done")
        assert "half done" not in text_of(reader, EXPLAIN)
        assert "half done" not in text_of(reader, "/tools/explain/diff/?owner=shared&new=draft")

    def test_a_copy_is_edited_and_published(self, reader: Client) -> None:
        assert "your own copy" in text_of(reader, "/tools/", act="copy", slug="explain")
        text_of(reader, "/tools/explain-2/?owner=mine", act="publish", template="mine")
        assert Tool.objects.get(slug="explain-2").published.source == "mine"

    def test_another_persons_tool_is_not_there(self, staff: Client, reader: Client) -> None:
        text_of(reader, "/tools/", act="new", name="Secret")
        for page in ("", "diff/", "replay/"):
            assert staff.get(f"/tools/secret/{page}").status_code == HTTPStatus.NOT_FOUND

    def test_a_new_tool_starts_as_an_empty_draft(self, reader: Client) -> None:
        assert "never published" in text_of(reader, "/tools/", act="new", name="Shorten")
        assert Tool.objects.get(slug="shorten").draft == ""

    def test_they_make_no_shared_tool(self, reader: Client) -> None:
        answer = reader.post("/tools/", {"act": "new", "name": "X", "owner": "shared"})
        assert answer.status_code == HTTPStatus.FORBIDDEN

    def test_a_tool_can_be_deleted(self, reader: Client) -> None:
        text_of(reader, "/tools/", act="new", name="Shorten")
        assert "Shorten is deleted." in text_of(reader, "/tools/shorten/", act="delete")

    def test_a_file_is_imported_and_each_table_is_told(self, reader: Client) -> None:
        toml = b'[good]\nhbs = "x"\n[bad]\nhbs = "{{#if"\n[none]\nname = "n"\n'
        page = text_of(reader, "/tools/", act="import", file=SimpleUploadedFile("t.toml", toml))
        assert "Added: good, bad" in page
        assert "bad has errors and is kept as a draft." in page
        assert "none: There is no hbs" in page

    def test_a_broken_file_changes_nothing_and_says_where(self, reader: Client) -> None:
        broken = SimpleUploadedFile("t.toml", b"[a]\n!")
        answer = reader.post("/tools/", {"act": "import", "file": broken})
        assert answer.status_code == HTTPStatus.BAD_REQUEST
        assert "line 2, column 1" in answer.content.decode()


class TestPreview:
    def test_it_shows_what_would_be_sent_for_a_sample(self, staff: Client) -> None:
        shown = {
            "act": "preview",
            "template": "<{{stackoverflow.title}}>",
            "context": "sample:stack-overflow",
        }
        page = text_of(staff, EXPLAIN, **shown)
        assert "&lt;How do I reverse a list in Python without changing it?&gt;" in page

    def test_it_leaves_nothing_behind(self, staff: Client) -> None:
        text_of(staff, EXPLAIN, act="preview", template="changed")
        assert (explain().draft, explain().versions.count()) == (None, 1)

    def test_a_question_of_ones_own_takes_the_place_of_the_samples(self, staff: Client) -> None:
        shown = {"act": "preview", "template": "Q: {{input}}", "question": "Why <b>?"}
        assert "Q: Why &lt;b&gt;?" in text_of(staff, EXPLAIN, **shown)

    @pytest.mark.parametrize(
        "pasted",
        [
            {"context": [{"id": "page", "title": "Tea"}], "messages": [{"role": "user", "content": "x"}]},
            [{"id": "page", "title": "Tea"}],
            {"id": "page", "title": "Tea"},
        ],
    )
    def test_pasted_json_may_be_an_envelope_items_or_one_item(self, staff: Client, pasted: Any) -> None:
        shown = {"act": "preview", "template": "On {{page.title}}.", "context": "pasted"}
        assert "On Tea." in text_of(staff, EXPLAIN, pasted=json.dumps(pasted), **shown)

    @pytest.mark.parametrize(
        ("pasted", "told"),
        [
            ('{"id":\n oops}', "Line 2, column 2"),
            ("[" * 100_000, "can&#x27;t be read"),
            ("[{}]", "Must name the kind"),
            ("[1]", "Must be an object."),
            ("3", "must be a JSON object"),
        ],
    )
    def test_json_that_is_no_context_is_named(self, staff: Client, pasted: str, told: str) -> None:
        shown = {"act": "preview", "template": "x", "context": "pasted", "pasted": pasted}
        assert told in text_of(staff, EXPLAIN, **shown)

    def test_a_prompt_that_is_empty_says_so(self, staff: Client) -> None:
        shown = {"act": "preview", "template": "", "context": "pasted", "pasted": "[]"}
        assert "There is nothing to ask yet" in text_of(staff, EXPLAIN, **shown)

    def test_snippets_are_found_before_the_first_version(self, reader: Client, other_api: Any) -> None:
        other_api.post("/api/snippets/", {"name": "style", "source": "Be brief."})
        text_of(reader, "/tools/", act="new", name="Mine")
        page = text_of(reader, "/tools/mine/", act="preview", template="{{> style}} {{input}}")
        assert "Be brief. Why is the glow paler" in page
        assert not Tool.objects.get(slug="mine").versions.exists()

    def test_variables_are_listed_with_what_they_hold(self, staff: Client) -> None:
        answer = staff.post(EXPLAIN, {"template": "{{page.title}}", "context": "sample:chinese"})
        first = answer.context["values"][0]
        assert (first.path, first.text, first.size, first.is_used) == ("page.title", "茶的历史", 4, True)

    @pytest.mark.parametrize("sample", ["selection", "page", "code", "github", "page-search", "words"])
    def test_every_sample_can_be_assembled(self, staff: Client, sample: str) -> None:
        answer = staff.post(EXPLAIN, {"template": "{{input}}", "context": f"sample:{sample}"})
        assert answer.context["preview"].problem is None

    def test_scripts_get_the_preview_alone(self, staff: Client) -> None:
        page = staff.post("/tools/explain/preview/?owner=shared", {"template": "Only this"}).content.decode()
        assert "Only this" in page
        assert "<html" not in page


def test_two_versions_stand_side_by_side(staff: Client) -> None:
    text_of(staff, EXPLAIN, act="publish", template="same\nold line")
    text_of(staff, EXPLAIN, act="publish", template="same\nnew line")
    page = text_of(staff, "/tools/explain/diff/?owner=shared&old=2&new=3")
    assert "<del>old</del> line" in page
    assert "<ins>new</ins> line" in page


def test_the_editor_takes_as_many_queries_with_many_versions(
    staff: Client, django_assert_num_queries: Any
) -> None:
    for number in range(5):
        explain().publish(f"text {number}")
    with django_assert_num_queries(13):
        staff.get(EXPLAIN)


def test_the_admin_leads_to_the_editor(staff: Client) -> None:
    page = staff.get(f"/admin/prompts/tool/{explain().pk}/change/").content.decode()
    assert "/tools/explain/?owner=shared" in page
