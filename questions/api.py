"""Question sets over REST: thin views that find, call one verb, and answer."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypedDict
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.accounts.models import Device
from askweb.accounts.permissions import HasScope
from askweb.conversations.api import PostedShape, posted_response
from askweb.conversations.posting import Posted
from askweb.cursors import next_url, read_cursor, read_id, write_cursor
from askweb.errors import FieldFault, invalid
from askweb.people import person_of
from askweb.request_threads import release_thread
from askweb.schema import NOTHING, answers, pages_of, takes
from questions.answering import answer_set, skip_set
from questions.changing import change_answer
from questions.drafting import extend, save_draft
from questions.ending import Sender
from questions.functions import QUESTIONS
from questions.models import QuestionSet, QuestionSets, Status
from questions.posting import post_questions
from questions.remembering import RememberedShape, remembered_shape
from questions.resolving import expire_overdue
from questions.set_shapes import QuestionSetShape, question_set_shape
from questions.waiting import wait_for_end

PAGE = 50
LONGEST_WAIT = 60

View = Callable[..., Response]


class RevisionShape(TypedDict):
    revision: int


class ExtendedShape(QuestionSetShape):
    extended_by: int


class MayAsk(HasScope):
    """A device that may handle questions may read them, too, without the right to read all else."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        device = request.auth
        reads = request.method in SAFE_METHODS
        if reads and isinstance(device, Device) and device.may("questions"):
            return True
        return super().has_permission(request, view)


class QuestionView(APIView):
    permission_classes = (MayAsk,)
    scope = "questions"


class QuestionSetList(QuestionView):
    @extend_schema(
        operation_id="questions_list",
        parameters=[
            OpenApiParameter("status", enum=["", *Status.values]),
            OpenApiParameter("conversation"),
            OpenApiParameter("cursor"),
        ],
        responses=pages_of(QuestionSetShape, problems=(400, 401, 403, 404, 422)),
    )
    def get(self, request: Request) -> Response:
        """The person's question sets, newest first."""
        rows = _asked_for(request).order_by("-id")
        if cursor := request.query_params.get("cursor"):
            rows = rows.filter(pk__lt=read_cursor(cursor)[1])
        found = list(rows[: PAGE + 1])
        last = found[PAGE - 1] if len(found) > PAGE else None
        following = next_url(request, cursor=write_cursor(last.created, last.pk)) if last else None
        return Response({"results": [question_set_shape(each) for each in found[:PAGE]], "next": following})

    @extend_schema(
        request=takes(questions=QUESTIONS),
        responses=answers(QuestionSetShape, status=201, problems=(400, 401, 403, 404, 409, 413, 422)),
    )
    def post(self, request: Request) -> Response:
        """Ask, as `ask_user` does, in a conversation or in a new one."""
        row = post_questions(person_of(request), request.data)
        return Response(question_set_shape(row), status=201)


def waiting(view: View) -> Callable[..., Awaitable[Response]]:
    """With `?wait=`, the view is asked again once the set has ended; it may take `LONGEST_WAIT` seconds."""

    @sync_to_async
    def read(request: HttpRequest, id_: UUID) -> Response:
        response = view(request, id_=id_)
        response.render()
        return response

    @wraps(view)
    async def answer(request: HttpRequest, id_: UUID) -> Response:
        response = await read(request, id_)
        seconds = _wait(request)
        if not seconds or not _is_pending(request, response):
            return response
        await sync_to_async(close_old_connections)()  # the thread goes before Django does this at the end
        release_thread()
        await wait_for_end(id_, person_of(request).pk, seconds)
        return await read(request, id_)

    return answer


class QuestionSetDetail(QuestionView):
    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return waiting(super().as_view(**initkwargs))

    @extend_schema(
        parameters=[OpenApiParameter("wait", int)],
        responses=answers(QuestionSetShape, problems=(401, 403, 404, 422)),
    )
    def get(self, request: Request, id_: UUID) -> Response:
        """The set; with `wait`, in seconds, the answer comes once it isn't pending any more."""
        if _wait(request) is None:
            message = _("Must be a whole number of seconds, at least 0.")
            raise invalid({"wait": [FieldFault(code="not_integer", message=message)]})
        row = _found(request, id_)
        return Response(question_set_shape(row))


class QuestionSetAnswer(QuestionView):
    @extend_schema(
        request=takes(), responses=answers(QuestionSetShape, problems=(400, 401, 403, 404, 409, 413, 422))
    )
    def post(self, request: Request, id_: UUID) -> Response:
        """Answer with what is chosen and typed, or with a plain text. The first one ends the set."""
        row = answer_set(_found(request, id_), request.data, sender=_sender(request))
        return Response(question_set_shape(row))


class QuestionSetSkip(QuestionView):
    @extend_schema(
        request=takes(), responses=answers(QuestionSetShape, problems=(400, 401, 403, 404, 409, 422))
    )
    def post(self, request: Request, id_: UUID) -> Response:
        row = skip_set(_found(request, id_), request.data, sender=_sender(request))
        return Response(question_set_shape(row))


class QuestionSetExtend(QuestionView):
    @extend_schema(request=takes(), responses=answers(ExtendedShape, problems=(400, 401, 403, 404, 409, 422)))
    def post(self, request: Request, id_: UUID) -> Response:
        """Move the deadline by `seconds`, at most to an hour after the set was asked."""
        row = _found(request, id_)
        extended = extend(row, request.data)
        return Response({**question_set_shape(row), "extended_by": extended})


class QuestionSetDraft(QuestionView):
    @extend_schema(
        request=takes(), responses=answers(RevisionShape, problems=(400, 401, 403, 404, 409, 413, 422))
    )
    def put(self, request: Request, id_: UUID) -> Response:
        """Store what is chosen and typed so far."""
        return Response({"revision": save_draft(_found(request, id_), request.data)})


class QuestionSetChange(QuestionView):
    @extend_schema(
        request=takes(),
        responses=answers(PostedShape, status=202, problems=(400, 401, 403, 404, 409, 413, 422)),
    )
    def post(self, request: Request, id_: UUID) -> Response:
        """Answer it again, on a branch of its own beside the reply, from the question on."""
        run = change_answer(_found(request, id_), request.data, sender=_sender(request))
        return posted_response(Posted(202, run.conversation, run.message, run))


class RememberedAnswerList(QuestionView):
    @extend_schema(operation_id="remembered_answers_list", responses=pages_of(RememberedShape))
    def get(self, request: Request) -> Response:
        """The answers that a tool's questions get without being asked. There is one page."""
        rows = person_of(request).remembered_answers.order_by("tool", "question")
        return Response({"results": [remembered_shape(each) for each in rows], "next": None})


class RememberedAnswerDetail(QuestionView):
    @extend_schema(responses=NOTHING)
    def delete(self, request: Request, id_: UUID) -> Response:
        """Forget it: the question is asked again."""
        get_object_or_404(person_of(request).remembered_answers, pk=id_).delete()
        return Response(status=204)


def _asked_for(request: Request) -> QuestionSets:
    rows = QuestionSet.objects.filter(user=person_of(request))
    if conversation := request.query_params.get("conversation"):
        rows = rows.filter(conversation=read_id(conversation))
    expire_overdue(rows)
    status = request.query_params.get("status")
    if status and status not in Status.values:
        message = _("Must be one of {choices}.").format(choices=", ".join(Status.values))
        raise invalid({"status": [FieldFault(code="unknown", message=message)]})
    return rows.filter(status=status) if status else rows


def _found(request: Request, id_: UUID) -> QuestionSet:
    rows = QuestionSet.objects.filter(user=person_of(request), pk=id_)
    expire_overdue(rows, timezone.now())
    return get_object_or_404(rows)


def _wait(request: HttpRequest | Request) -> int | None:
    """The seconds to wait, at most `LONGEST_WAIT`; None when they can't be read."""
    text = request.GET.get("wait") or "0"
    digits = text if text.isascii() and text.isdecimal() else ""
    return min(int(digits[:9]), LONGEST_WAIT) if digits else None


def _is_pending(request: HttpRequest, response: Response) -> bool:
    shown = request.method == "GET" and response.status_code == 200
    return shown and response.data["status"] == Status.PENDING


def _sender(request: Request) -> Sender:
    device = request.auth
    return Sender("api", device.name) if isinstance(device, Device) else Sender("control_ui")
