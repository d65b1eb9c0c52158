"""Answering again: a second answer, a question in other words, and the rest of an answer that broke off."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope, Item, Meta, Turn, read_envelope
from askweb.conversations.frames import announce_on_feed
from askweb.conversations.models import Conversation, Message
from askweb.conversations.packing import JSONValue
from askweb.conversations.pending import expire_in
from askweb.conversations.planning import Answer
from askweb.conversations.plans import plan
from askweb.conversations.posting import Posted, finish_post, held_for_post, once, post_below, start_answer
from askweb.errors import FieldFault, Problem, invalid
from askweb.preferences.sources import refuse_blocked_above
from askweb.providers.choosing import choose_model
from askweb.providers.history import repair_history
from askweb.runs.history import NOTHING_TOLD, all_sent
from askweb.runs.models import Run
from askweb.runs.sending import fit_assembly, turns_of
from askweb.runs.starting import start_run
from prompts.models import Assembly
from prompts.shapes import AssemblyShape, SentMessage
from prompts.tool_asking import ToolAnswers, answered_by
from questions.models import Origin, QuestionSet, Status

GO_ON: SentMessage = {
    "role": "user",
    "content": "Continue your last message exactly where it stops. Repeat nothing, and add no words around it.",
}


def edit_message(person: User, message: Message, data: Any) -> Posted:
    """Ask in other words, beside a message of the person's, with the same raw context.

    Raises a 422 `Problem` for what can't be edited or asked, a 409 while a run is active.
    """
    meta = _read_meta(data)
    content = data.get("content")
    if message.role != Message.Role.USER:
        raise Problem("message.not_a_question", _("Only your own messages can be edited."))
    if not isinstance(content, str):
        raise invalid({"content": [FieldFault(code="wrong_type", message=_("Must be a text."))]})
    expire_in(message.conversation)
    words = read_envelope({"messages": [{"role": "user", "content": content}]})

    def act() -> Posted:
        held = held_for_post(message.conversation)
        envelope = replace(_envelope(message, meta), messages=words.messages, normalised=words.normalised)
        answers = _answers(message, envelope.meta.tool, None)
        posted = post_below(person, held, message.parent, envelope, status=202, answers=answers)
        announce_on_feed("conversation.updated", held)
        return posted

    return once(person, meta.client_id, act, weight=words.weight)


def regenerate_reply(person: User, reply: Message, data: Any) -> Posted:
    """Answer the same question again, beside the reply; by the same tool and model unless `meta` names others."""
    meta = _read_meta(data)
    question, run = _asked(reply)
    expire_in(reply.conversation)

    def act() -> Posted:
        held = held_for_post(reply.conversation)
        answer = _answer_again(person, held, question, run, meta)
        again = start_answer(held, replace(answer, question=question), reply.parent)
        finish_post(held, [], again)
        announce_on_feed("conversation.updated", held)
        return Posted(202, held, question, again)

    return once(person, meta.client_id, act)


def continue_reply(person: User, reply: Message, data: Any) -> Posted:
    """Let the model go on with a reply that broke off; what comes is appended to the same message.

    Raises a 409 `Problem` for a reply that is complete, or that something was said after.
    """
    meta = _read_meta(data)
    question, run = _asked(reply)
    expire_in(reply.conversation)

    def act() -> Posted:
        held = held_for_post(reply.conversation)
        reply.refresh_from_db()
        if run is None or not _is_broken_off(reply, run):
            raise Problem(
                "message.complete", _("This answer is complete. Regenerate it instead."), status=409
            )
        if reply.children.exists():
            message = _("The conversation has gone on after this answer. Regenerate it instead.")
            raise Problem("message.answered", message, status=409)
        going_on = _go_on(person, held, question, reply, run, meta)
        finish_post(held, [], going_on, event="message.updated")
        return Posted(202, held, question, going_on)

    return once(person, meta.client_id, act)


def _read_meta(data: Any) -> Meta:
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    return read_envelope({"meta": data.get("meta")}).meta


def _asked(reply: Message) -> tuple[Message, Run | None]:
    """The question that a reply answers, and the run that wrote it, the last one; None for an imported reply."""
    if reply.role != Message.Role.ASSISTANT:
        raise Problem("message.not_an_answer", _("Only answers can be written again."))
    run = (
        reply.reply_runs.select_related("message", "provider", "conversation").order_by("assembly__pk").last()
    )
    above = reply.parent
    while run is None and above is not None and above.role != Message.Role.USER:
        above = above.parent
    question = run.message if run else above
    if question is None:
        raise Problem("message.no_question", _("There is no question that this answers."))
    return question, run


def _envelope(question: Message, meta: Meta) -> Envelope:
    """The post that led to a message, but for what `meta` names anew."""
    posted = question.posted or {}
    model = (meta.provider, meta.model)
    if not any(model):
        model = posted.get("provider"), posted.get("model")
    again = replace(
        meta,
        tool=meta.tool or question.tool,
        assembled=meta.tool is None and question.tool is None,
        language=meta.language or posted.get("language"),
        provider=model[0],
        model=model[1],
        temperature=posted.get("temperature") if meta.temperature is None else meta.temperature,
        images=tuple(question.images),
        parent=None,
    )
    items = (
        Item(each.kind, cast(dict[str, JSONValue], each.value())) for each in question.context_items.all()
    )
    return Envelope(context=tuple(items), meta=again, messages=(Turn("user", question.content),))


def _answers(question: Message, tool: str | None, run: Run | None) -> ToolAnswers | None:
    """What the person told the same tool about this message, before this run if it asked: it is not asked again."""
    asked = QuestionSet.objects.filter(run__message=question, source=Origin.TOOL, tool=tool or "")
    ended = asked.exclude(status__in=(Status.PENDING, Status.CANCELLED)).order_by("-id")
    row = ended.filter(run=run).first() or ended.first()
    return answered_by(row.asked(), row.given()) if row else None


def _answer_again(
    person: User, conversation: Conversation, question: Message, run: Run | None, meta: Meta
) -> Answer:
    """By the model that answered before, where `meta` names none and it is still there."""
    if run is not None and run.provider is not None and not (meta.provider or meta.model):
        meta = replace(meta, provider=run.provider.slug, model=run.model)
    if run is not None and (question.posted or {}).get("exact") and meta.tool is None:
        return _exactly(person, question, run, meta)
    envelope = _envelope(question, meta)
    answers = _answers(question, envelope.meta.tool, run)
    answer = plan(person, conversation, question.parent, envelope, answers).answer
    if answer is None:
        raise RuntimeError("a question was planned without an answer")
    return answer


def _exactly(person: User, question: Message, run: Run, meta: Meta) -> Answer:
    """What a client had sent as it was is sent so again."""
    refuse_blocked_above(person, question)
    choice = choose_model(person, provider=meta.provider, model=meta.model)
    sent = Assembly.objects.get(run=run).shape()
    first = turns_of(sent)[: sent.get("posted")]
    assembly = fit_assembly(_assembly(sent, first), choice.provider, choice.model, run.options)
    return Answer(question, choice, run.options, assembly, run.asking_as)


def _is_broken_off(reply: Message, run: Run) -> bool:
    return reply.state != Message.State.COMPLETE or run.finish == "length"


def _go_on(
    person: User, conversation: Conversation, question: Message, reply: Message, run: Run, meta: Meta
) -> Run:
    refuse_blocked_above(person, reply)
    provider, model = (
        (meta.provider, meta.model) if meta.provider or meta.model else (run.provider_slug, run.model)
    )
    choice = choose_model(person, provider=provider, model=model)
    sent = Assembly.objects.get(run=run).shape()
    said = all_sent(reply, sent.get("told", NOTHING_TOLD))
    more = [*said, GO_ON] if said[0]["content"] or said[0].get("tool_calls") else []
    turns = cast(list[SentMessage], repair_history([*turns_of(sent), *more]))
    assembly = _assembly(sent, turns)
    assembly["told"] = {
        "content": len(reply.content),
        "reasoning": len(reply.reasoning),
        "calls": len(reply.function_calls),
    }
    return start_run(
        conversation=conversation,
        message=question,
        parent=reply.parent,
        choice=choice,
        assembly=fit_assembly(assembly, choice.provider, choice.model, run.options),
        options=run.options,
        asking=run.asking_as,
        reply=reply,
    )


def _assembly(sent: AssemblyShape, turns: list[SentMessage]) -> AssemblyShape:
    """The same parts with these turns, for a model that they are still to be made to fit."""
    kept = len(sent["warnings"]) - len(sent.get("changes", ()))
    return {
        "messages": turns,
        "tool": sent["tool"],
        "template_version": sent["template_version"],
        "parts": sent["parts"],
        "tokens": sent["tokens"],
        "warnings": sent["warnings"][:kept],
    }
