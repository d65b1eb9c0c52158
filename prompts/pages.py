"""The Control UI's pages of tools: the list, the editor with its preview, versions side by side, and replay."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from askweb.conversations.forms import answer_languages
from askweb.conversations.shell import shell_of
from askweb.errors import Problem
from askweb.ids import new_id
from askweb.people import person_of
from prompts.checking import check_template
from prompts.contexts import find_context, may_view_others, offered_contexts
from prompts.differing import compare
from prompts.models import Snippet, Tool
from prompts.page_acts import EDITING, LISTING, may_edit
from prompts.page_forms import (
    OPTION_WORDS,
    EditorForm,
    current_text,
    fingerprint,
    owner_of,
    read_editor_form,
    tool_address,
)
from prompts.previewing import Preview, asking_for, preview, values
from prompts.reasking import MOST_ASKED, answers_begun, ask_again
from prompts.replaying import MOST, replay
from prompts.using import count_uses, uses_by_slug

VERSIONS = 50
REPLAYED = 20


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tools(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _list(request)
    try:
        return redirect(LISTING[request.POST.get("act", "new")](request))
    except Problem as problem:
        return _list(request, problem)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tool(request: HttpRequest, slug: str) -> HttpResponse:
    """The editor. A button that changes nothing, such as the preview's, shows the page again with its text."""
    found = _tool(request, slug)
    form = read_editor_form(found, request.POST or request.GET)
    act = EDITING.get(request.POST.get("act", ""))
    if act is None:
        return _editor(request, found, form)
    if not may_edit(person_of(request), found):
        raise PermissionDenied
    try:
        return redirect(act(request, found, form))
    except Problem as problem:
        return _editor(request, found, form, problem)


@login_required
@require_POST
def tool_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The preview alone, for scripts."""
    found = _tool(request, slug)
    form = read_editor_form(found, request.POST)
    return render(request, "prompts/_preview.html", _previewed(request, found, form))


@login_required
@require_safe
def tool_contexts(request: HttpRequest, slug: str) -> HttpResponse:
    """The contexts that a search finds, for scripts."""
    form = read_editor_form(_tool(request, slug), request.GET)
    return render(request, "prompts/_contexts.html", _offered(request, form))


@login_required
@require_safe
def tool_diff(request: HttpRequest, slug: str) -> HttpResponse:
    """Two versions, or a version and the draft, side by side; without numbers the newest two texts."""
    found = _tool(request, slug)
    texts = _texts(request, found)
    names = list(texts)
    old = _one_of(names, request.GET.get("old", ""), names[1] if len(names) > 1 else names[0])
    new = _one_of(names, request.GET.get("new", ""), names[0])
    shown = {"names": names, "old": old, "new": new, "rows": compare(texts[old], texts[new])}
    return _render(request, "prompts/diff.html", _about(request, found) | shown)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tool_replay(request: HttpRequest, slug: str) -> HttpResponse:
    found = _tool(request, slug)
    if not may_edit(person_of(request), found):
        raise PermissionDenied
    if request.method != "POST":
        return _replay(request, found)
    source = _replayed_text(request, found)[1]
    try:
        chosen, nonce = request.POST.getlist("message"), request.POST.get("nonce", "")[:64]
        begun = ask_again(person_of(request), found, source, chosen, nonce)
    except Problem as problem:
        return _replay(request, found, problem)
    asked = {name: request.POST[name] for name in ("text", "most", "whose") if name in request.POST}
    answers = ",".join(f"{message}:{conversation}" for message, conversation in begun.items())
    return redirect(f"{tool_address(found, 'tool-replay', answers=answers, **asked)}#answers")


def _list(request: HttpRequest, problem: Problem | None = None) -> HttpResponse:
    person = person_of(request)
    language = get_language() or "en"
    uses = uses_by_slug(person)
    rows = [
        {
            "tool": each,
            "name": each.name_in(language),
            "uses": uses.get(each.slug, 0),
            "owner": owner_of(each),
        }
        for each in Tool.objects.seen_by(person)
    ]
    own = [row for row in rows if row["owner"] == "mine"]
    shown = {"own": own, "shared": [row for row in rows if row["owner"] == "shared"], "problem": problem}
    return _render(request, "prompts/tools.html", shown, problem)


def _editor(
    request: HttpRequest, found: Tool, form: EditorForm, problem: Problem | None = None
) -> HttpResponse:
    versions = list(found.versions.order_by("-number")[:VERSIONS])
    shown = {
        **_about(request, found),
        **_offered(request, form),
        **_previewed(request, found, form),
        "versions": versions,
        "can_delete": may_edit(person_of(request), found) and not any(each.shipped for each in versions),
        "seen": form.seen if form.seen and problem is None else fingerprint(current_text(found)),
        "kinds": ", ".join(found.kinds),
        "options": found.chosen,
        "choices": OPTION_WORDS,
        "uses": count_uses(person_of(request), found),
        "languages": answer_languages(),
        "problem": problem,
    }
    return _render(request, "prompts/tool.html", shown, problem)


def _previewed(request: HttpRequest, found: Tool, form: EditorForm) -> dict[str, Any]:
    """What the text is worth: its errors, and what would be sent with the chosen context."""
    person = person_of(request)
    is_editable = may_edit(person, found)
    published = found.published.source if found.published else ""
    source = (current_text(found) if form.template is None else form.template) if is_editable else published
    verdict = check_template(source, Snippet.objects.reached_from(found.owner_id))
    shown: dict[str, Any] = {"form": form, "source": source, "verdict": verdict}
    try:
        tried = form.asked(find_context(person, form.context, form.pasted))
    except Problem as problem:
        return shown | {"preview": Preview(problem=problem)}
    made = None if verdict.errors else preview(person, found, source, tried)
    asking = asking_for(person, found, tried)
    return shown | {"preview": made, "values": values(asking, tried, verdict)}


def _offered(request: HttpRequest, form: EditorForm) -> dict[str, Any]:
    groups = offered_contexts(person_of(request), form.search, form.context)
    return {"groups": groups, "form": form}


def _replay(request: HttpRequest, found: Tool, problem: Problem | None = None) -> HttpResponse:
    person = person_of(request)
    asked = request.POST or request.GET
    name, source = _replayed_text(request, found)
    most = asked.get("most", "")
    count = min(MOST, int(most)) if most.isdecimal() and len(most) < 4 and int(most) else REPLAYED
    everyone = asked.get("whose") == "everyone"
    results = answers_begun(person, request.GET.get("answers", ""))
    shown = {
        "names": list(_texts(request, found)),
        "text": name,
        "most": count,
        "everyone": everyone,
        "may_view_others": may_view_others(person),
        "replayed": replay(person, found, source, most=count, everyone=everyone),
        "results": results,
        "is_waiting": any(each.new and each.new.is_waiting for each in results),
        "most_asked": MOST_ASKED,
        "nonce": new_id(),
        "problem": problem,
    }
    return _render(request, "prompts/replay.html", _about(request, found) | shown, problem)


def _replayed_text(request: HttpRequest, found: Tool) -> tuple[str, str]:
    texts = _texts(request, found)
    name = _one_of(list(texts), (request.POST or request.GET).get("text", ""), next(iter(texts)))
    return name, texts[name]


def _texts(request: HttpRequest, found: Tool) -> dict[str, str]:
    """The draft, where the person may see it, and the versions, newest first. There is always one."""
    versions = found.versions.order_by("-number").values_list("number", "source")
    texts = {str(number): source for number, source in versions}
    if may_edit(person_of(request), found) and (found.draft is not None or not texts):
        texts = {"draft": found.draft or "", **texts}
    return texts


def _about(request: HttpRequest, found: Tool) -> dict[str, Any]:
    return {
        "tool": found,
        "name": found.name_in(get_language() or "en"),
        "owner": owner_of(found),
        "is_editable": may_edit(person_of(request), found),
    }


def _render(
    request: HttpRequest, template: str, shown: dict[str, Any], problem: Problem | None = None
) -> HttpResponse:
    shown = {**shell_of(request), "in_tools": True, **shown}
    return render(request, template, shown, status=problem.status if problem else 200)


def _tool(request: HttpRequest, slug: str) -> Tool:
    owner = request.GET.get("owner")
    asked = owner if owner in ("mine", "shared") else None
    found = Tool.objects.seen_as(person_of(request), slug, asked)
    if found is None:
        raise Http404
    return found


def _one_of(names: list[str], wanted: str, default: str) -> str:
    return wanted if wanted in names else default
