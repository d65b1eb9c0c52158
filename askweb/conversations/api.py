"""Conversations and messages over REST: thin views that find, call one verb, and answer."""

from typing import Literal, NotRequired, TypedDict
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.conversations.again import continue_reply, edit_message, regenerate_reply
from askweb.conversations.changing import change_conversation, delete_conversation, show_branch
from askweb.conversations.choosing import choose
from askweb.conversations.envelope import read_envelope
from askweb.conversations.exporting import AnyAccept, export_as_json, export_as_markdown
from askweb.conversations.importing import import_conversation
from askweb.conversations.models import Conversation, Message
from askweb.conversations.posting import Posted, post_conversation, post_message
from askweb.conversations.previewing import preview_post
from askweb.conversations.shapes import (
    ConversationShape,
    MessageShape,
    conversation_shape,
    message_shape,
    message_shapes,
)
from askweb.cursors import next_url, read_cursor, read_id, write_cursor
from askweb.errors import Problem
from askweb.people import person_of
from askweb.rates import PostingRate
from askweb.runs.shapes import RunShape, run_shape
from askweb.schema import ENVELOPE, ERROR, NOTHING, answers, pages_of, takes
from prompts.models import Assembly
from prompts.shapes import AssemblyShape
from questions.set_shapes import QuestionSetShape, question_set_shape

PAGE = 50
FILE = {(200, "application/json"): {"type": "object"}, (200, "text/markdown"): {"type": "string"}}
EXPORTED = FILE | dict.fromkeys((401, 403, 404), ERROR)


class PostedShape(TypedDict):
    conversation: ConversationShape
    message: MessageShape | None
    run: RunShape | None
    reply: MessageShape | None
    question_set: NotRequired[QuestionSetShape]


POSTED = answers(PostedShape, status=202, problems=(400, 401, 403, 404, 409, 413, 422, 429))


class ConversationList(APIView):
    throttle_classes = (PostingRate,)

    @extend_schema(
        operation_id="conversations_list",
        parameters=[OpenApiParameter(name) for name in ("q", "cursor", "url", "host", "pinned", "archived")],
        responses=pages_of(ConversationShape, problems=(400, 401, 403, 404, 422)),
    )
    def get(self, request: Request) -> Response:
        """The person's conversations, newest first; with `q`, those that have all its words."""
        rows = choose(person_of(request), request.query_params).for_list().newest_first()
        if cursor := request.query_params.get("cursor"):
            rows = rows.before(*read_cursor(cursor))
        found = list(rows[: PAGE + 1])
        last = found[PAGE - 1] if len(found) > PAGE else None
        following = next_url(request, cursor=write_cursor(last.updated, last.pk)) if last else None
        return Response({"results": [conversation_shape(each) for each in found[:PAGE]], "next": following})

    @extend_schema(
        request={"application/json": ENVELOPE},
        responses=answers(PostedShape, status=201, problems=(400, 401, 403, 413, 422, 429)),
    )
    def post(self, request: Request) -> Response:
        """Start a conversation. Answers at once; what the model says comes over the socket."""
        return posted_response(post_conversation(person_of(request), read_envelope(request.data)))


class ConversationDetail(APIView):
    @extend_schema(responses=answers(ConversationShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        return Response(conversation_shape(_conversation(request, id_)))

    @extend_schema(request=takes(), responses=answers(ConversationShape, problems=(400, 401, 403, 404, 422)))
    def patch(self, request: Request, id_: UUID) -> Response:
        """Change title, pinned, archived or head."""
        change_conversation(_conversation(request, id_), request.data)
        return Response(conversation_shape(_conversation(request, id_)))

    @extend_schema(responses=NOTHING)
    def delete(self, request: Request, id_: UUID) -> Response:
        delete_conversation(_conversation(request, id_))
        return Response(status=204)


class ConversationImport(APIView):
    @extend_schema(
        request=takes(format=Literal["askweb.conversation"], version=Literal[1]),
        responses=answers(ConversationShape, status=201, problems=(400, 401, 403, 413, 422)),
    )
    def post(self, request: Request) -> Response:
        """Make a conversation of a file that `export.json` gave."""
        conversation = import_conversation(person_of(request), request.data)
        return Response(conversation_shape(_conversation(request, conversation.pk)), status=201)


class ConversationExport(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(responses=EXPORTED)
    def get(self, request: Request, id_: UUID, ending: str) -> HttpResponseBase:
        """All of the conversation as JSON, or its current path as Markdown."""
        export = export_as_json if ending == "json" else export_as_markdown
        return export(request._request, _conversation(request, id_))


class ConversationMessages(APIView):
    throttle_classes = (PostingRate,)

    @extend_schema(
        parameters=[OpenApiParameter("before")],
        responses=pages_of(MessageShape, problems=(400, 401, 403, 404)),
    )
    def get(self, request: Request, id_: UUID) -> Response:
        """The conversation's messages, 50 a page, newest first; `before` is a message id."""
        rows = _conversation(request, id_).messages.newest_first().complete_for_shape()
        if before := request.query_params.get("before"):
            rows = rows.filter(pk__lt=read_id(before))
        found = list(rows[: PAGE + 1])
        following = next_url(request, before=str(found[PAGE - 1].pk)) if len(found) > PAGE else None
        return Response({"results": message_shapes(found[:PAGE]), "next": following})

    @extend_schema(
        request={"application/json": ENVELOPE},
        responses=answers(PostedShape, status=202, problems=(400, 401, 403, 404, 409, 413, 422, 429)),
    )
    def post(self, request: Request, id_: UUID) -> Response:
        """Ask in this conversation."""
        conversation = _conversation(request, id_)
        return posted_response(post_message(person_of(request), conversation, read_envelope(request.data)))


class MessageDetail(APIView):
    @extend_schema(responses=answers(MessageShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        return Response(message_shape(get_object_or_404(_messages(request), pk=id_)))


class MessageEdit(APIView):
    throttle_classes = (PostingRate,)

    @extend_schema(request=takes(content=str), responses=POSTED)
    def post(self, request: Request, id_: UUID) -> Response:
        """Ask in other words, with the same context, on a branch beside the message; `content` are the words."""
        message = get_object_or_404(_messages(request), pk=id_)
        return posted_response(edit_message(person_of(request), message, request.data))


class MessageShow(APIView):
    @extend_schema(request=None, responses=answers(ConversationShape, problems=(401, 403, 404)))
    def post(self, request: Request, id_: UUID) -> Response:
        """Show the branch of this message: the newest one below it becomes the conversation's head."""
        message = get_object_or_404(_messages(request), pk=id_)
        show_branch(message)
        return Response(conversation_shape(_conversation(request, message.conversation_id)))


class MessageRegenerate(APIView):
    throttle_classes = (PostingRate,)

    @extend_schema(request=takes(), responses=POSTED)
    def post(self, request: Request, id_: UUID) -> Response:
        """Have the question answered again, beside this answer; `meta` may name another tool or model."""
        reply = get_object_or_404(_messages(request), pk=id_)
        return posted_response(regenerate_reply(person_of(request), reply, request.data))


class MessageContinue(APIView):
    throttle_classes = (PostingRate,)

    @extend_schema(request=takes(), responses=POSTED)
    def post(self, request: Request, id_: UUID) -> Response:
        """Have an answer that broke off written on, in the same message."""
        reply = get_object_or_404(_messages(request), pk=id_)
        return posted_response(continue_reply(person_of(request), reply, request.data))


class MessageAssembly(APIView):
    @extend_schema(responses=answers(AssemblyShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        """Exactly what was sent for this message, or for the message that this reply answers."""
        message = get_object_or_404(_messages(request), pk=id_)
        assembly = Assembly.objects.of_message(message).first()
        if assembly is None:
            raise Problem("assembly.none", _("Nothing was sent for this message."), status=404)
        return Response(assembly.shape())


class Assemble(APIView):
    scope = "ask"

    @extend_schema(
        request={"application/json": ENVELOPE},
        responses=answers(AssemblyShape, problems=(400, 401, 403, 404, 409, 413, 422)),
    )
    def post(self, request: Request) -> Response:
        """What posting this would send; nothing is stored, and no model is called."""
        return Response(preview_post(person_of(request), request.data))


def _conversation(request: Request, id_: UUID) -> Conversation:
    return get_object_or_404(person_of(request).conversations.for_list(), pk=id_)


def _messages(request: Request) -> QuerySet[Message]:
    return Message.objects.filter(conversation__user=person_of(request)).complete_for_shape()


def posted_response(posted: Posted) -> Response:
    """What was stored; it may have been deleted already."""
    conversation = get_object_or_404(Conversation.objects.for_list(), pk=posted.conversation.pk)
    run = posted.run
    messages = [each for each in (posted.message, run and run.reply) if each]
    shapes = {each["id"]: each for each in message_shapes(messages)}
    shape: PostedShape = {
        "conversation": conversation_shape(conversation),
        "message": shapes[posted.message.pk] if posted.message else None,
        "run": run_shape(run) if run else None,
        "reply": shapes[run.reply_id] if run else None,
    }
    if posted.answered is not None:
        shape["question_set"] = question_set_shape(posted.answered)
    return Response(shape, status=posted.status)
