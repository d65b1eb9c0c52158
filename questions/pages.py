"""The pages of question sets: the panel and the summary for scripts, and plain forms that do without them."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from askweb.errors import Problem
from askweb.people import person_of
from questions.answering import answer_set, skip_set
from questions.changing import change_answer
from questions.drafting import extend, save_draft
from questions.ending import Sender
from questions.forms import PostedForm, read_form
from questions.models import QuestionSet
from questions.panel import Panel, changing_panel, filled_panel, panel_of
from questions.resolving import expire_overdue
from questions.running_text import plain_words
from questions.summary import summary_of

MORE_TIME = 300
SENDER = Sender("control_ui")


@login_required
@require_safe
def question_sets(request: HttpRequest) -> HttpResponse:
    rows = QuestionSet.objects.filter(user=person_of(request))
    expire_overdue(rows)
    asked = [(row, plain_words(row.questions[0]["question"])) for row in rows.pending().order_by("-id")]
    return render(request, "questions/list.html", {"asked": asked})


@login_required
@require_safe
def question_set(request: HttpRequest, id_: UUID) -> HttpResponse:
    """What is asked as a form, or how it ended; with `?change` the form again, of a set that was answered."""
    row = _found(request, id_)
    shown = _panel(request, row)
    return render(request, "questions/set.html", {"row": row, "panel": shown, "summary": summary_of(row)})


@login_required
@require_safe
def panel(request: HttpRequest, id_: UUID) -> HttpResponse:
    """The panel, for scripts; with `?change`, of a set that was answered. What is not pending has a summary."""
    shown = _panel(request, _found(request, id_))
    return render(request, "questions/_panel.html", {"panel": shown}) if shown else summary(request, id_)


@login_required
@require_safe
def summary(request: HttpRequest, id_: UUID) -> HttpResponse:
    return render(request, "questions/_summary.html", {"summary": summary_of(_found(request, id_))})


@login_required
@require_POST
def answer(request: HttpRequest, id_: UUID) -> HttpResponse:
    """What the panel posts without scripts: an answer, another one, a skip, or a wish for more time."""
    row = _found(request, id_)
    form = read_form(row, request.POST)
    if form.act == "skip" and form.typed() and row.is_pending:
        return _shown_again(request, row, form, status=200, asks_again=True)
    try:
        _act(row, form)
    except Problem as problem:
        return _kept(request, row, form, problem)
    return redirect(f"{reverse('conversation', args=[row.conversation_id])}#newest")


def _panel(request: HttpRequest, row: QuestionSet) -> Panel | None:
    if row.is_pending:
        return panel_of(row)
    return changing_panel(row) if "change" in request.GET and summary_of(row).can_change else None


def _act(row: QuestionSet, form: PostedForm) -> None:
    if form.act in ("skip", "really-skip"):
        skip_set(row, {"client_id": form.client_id}, sender=SENDER)
    elif form.act == "extend":
        _extend(row, form)
    elif form.act == "change":
        change_answer(row, form.body(), sender=SENDER)
    else:
        answer_set(row, form.body(), sender=SENDER)


def _extend(row: QuestionSet, form: PostedForm) -> None:
    """What is chosen and typed becomes the draft: the page is another one afterwards."""
    step = row.draft["step"] if row.draft else 0
    draft = {"answers": form.entries, "comment": form.comment, "step": step, "revision": row.revision}
    save_draft(row, draft)
    extend(row, {"seconds": MORE_TIME})


def _kept(request: HttpRequest, row: QuestionSet, form: PostedForm, problem: Problem) -> HttpResponse:
    """The form again with all its values; those of a set that has ended can be copied."""
    row = _found(request, row.pk)
    if row.is_pending or (form.act == "change" and summary_of(row).can_change):
        return _shown_again(request, row, form, status=problem.status, problem=problem)
    shown = {"row": row, "problem": problem, "summary": summary_of(row), "typed": form.typed()}
    return render(request, "questions/set.html", shown, status=problem.status)


def _shown_again(
    request: HttpRequest, row: QuestionSet, form: PostedForm, *, status: int, **more: object
) -> HttpResponse:
    changes = not row.is_pending
    shown = filled_panel(row, form.entries, form.comment, nonce=form.nonce, changes=changes)
    return render(request, "questions/set.html", {"row": row, "panel": shown, **more}, status=status)


def _found(request: HttpRequest, id_: UUID) -> QuestionSet:
    rows = QuestionSet.objects.filter(user=person_of(request), pk=id_)
    expire_overdue(rows)
    return get_object_or_404(rows)
