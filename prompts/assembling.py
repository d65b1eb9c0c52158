"""Assembly: from the raw context of one post to exactly what is sent to the model."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast
from uuid import UUID

from django.utils.translation import gettext as _

from askweb.conversations.envelope import Item
from askweb.errors import Problem
from askweb.images.sending import with_images
from askweb.providers.history import repair_history
from prompts.budgeting import Budget, History, fit_history
from prompts.cutting import Cutter
from prompts.estimating import Estimator, measure_messages
from prompts.fencing import fence
from prompts.forms import default_form
from prompts.handlebars import Template, TemplateError
from prompts.models import Tool
from prompts.probing import changed, figures_in
from prompts.rendering import published_template
from prompts.shapes import AssemblyShape, Part, SentMessage
from prompts.shrinking import Shrinking, Shrunk
from prompts.variables import Asking, is_used, uses_input, variables


@dataclass(frozen=True)
class Turn:
    """The new user message as it is sent, and how it came about."""

    text: str
    tool: str | None = None
    template_version: int | None = None
    parts: Sequence[Part] = ()
    warnings: Sequence[str] = field(default=())
    is_cut: bool = False
    images: Sequence[UUID] = ()

    @property
    def message(self) -> SentMessage:
        return {"role": "user", "content": with_images(self.text, self.images)}


MakeTurn = Callable[[int], Turn]
"""Makes the turn within so many tokens, as far as that is possible."""


def assemble(
    system: str, history: Sequence[SentMessage], turn: Turn, following: Sequence[SentMessage] = ()
) -> AssemblyShape:
    """Put system message, earlier turns as they were sent, the new turn and what follows it together, in an
    order that any provider takes.
    """
    messages = [*_system(system), *history, turn.message, *following]
    return assembly_of(cast(list[SentMessage], repair_history(messages)), turn)


def assemble_within(
    budget: Budget,
    system: str,
    history: Sequence[SentMessage],
    make: MakeTurn,
    following: Sequence[SentMessage] = (),
) -> AssemblyShape:
    """Like `assemble`, with as much as the model can read.

    Where the turn alone fits, the oldest turns of the history give way to it. A turn that is too long for that
    is cut to what the history leaves, and to no less than half of all there is.
    """
    estimator = budget.estimator
    room = budget.available - estimator.of_messages([*_system(system), Turn("").message, *following])
    turn = make(room)
    if turn.is_cut and history:
        turn = make(max(room - estimator.of_messages(history), room // 2))
    fitted = fit_history(history, room - estimator.tokens(turn.text), estimator)
    assembly = assemble(system, fitted.messages, turn, following)
    return within(_with_history(assembly, fitted), budget)


def assembly_of(messages: Sequence[SentMessage], turn: Turn) -> AssemblyShape:
    """Say that these messages are sent, and how the turn among them came about."""
    return {
        "messages": list(messages),
        "tool": turn.tool,
        "template_version": turn.template_version,
        "parts": list(turn.parts),
        "tokens": measure_messages(messages).total,
        "warnings": list(turn.warnings),
    }


def within(assembly: AssemblyShape, budget: Budget) -> AssemblyShape:
    """The assembly with its tokens as this model counts them."""
    return {**assembly, "tokens": budget.estimator.of_messages(assembly["messages"]) + budget.other}


def finished_turn(text: str) -> Turn:
    """A prompt that the client assembled itself (`meta.assembled`): it is sent as it is."""
    _refuse_empty(text)
    return posted_turn(text)


def posted_turn(text: str) -> Turn:
    """A turn that is sent as it was posted, be it empty."""
    return Turn(text, parts=[_part("chat.input", text, Estimator())])


def build_turn(
    tool: Tool,
    asking: Asking,
    items: Sequence[Item],
    room: int | None = None,
    estimator: Estimator = Estimator(),  # noqa: B008 - it is frozen
) -> Turn:
    """Render the tool's template; what it doesn't use of context and input is added around it.

    A template that uses everything is sent as it renders, trimmed. An empty result is refused. With `room`, in
    tokens, context that is too long for it is cut by the tool's policy; the raw items never change.
    """
    return Building(tool, asking, items, estimator).turn(room)


class Building:
    """One turn from one tool; it can be made for one room after another. Raises what `build_turn` raises."""

    def __init__(
        self,
        tool: Tool,
        asking: Asking,
        items: Sequence[Item],
        estimator: Estimator,
        images: Sequence[UUID] = (),
    ) -> None:
        if tool.published is None:
            message = _("The tool {name} has no published template.").format(name=tool.name)
            raise Problem("tool.unpublished", message)
        self._tool = tool
        self._asking = asking
        self._items = items
        self._estimator = estimator
        self._images = images
        self._version = tool.published
        cutter = Cutter(estimator, tool.chosen.budget, asking.text)
        with telling_of(tool):
            self._template: Template = published_template(self._version.pk, self._version.source)
            self._shrinking = Shrinking(items, self._render, cutter)

    def turn(self, room: int | None) -> Turn:
        with telling_of(self._tool):
            shrunk = self._shrinking.whole() if room is None else self._shrinking.shrink(room)
        if not self._images:
            _refuse_empty(shrunk.text)
        warnings = [each.message for each in self._template.warnings]
        if room is not None and self._estimator.tokens(shrunk.text) > room:
            warnings.append(_("This is more text than the model is known to read at once."))
        parts = self._item_parts(shrunk)
        parts += self._own_parts(shrunk.text, parts)
        return Turn(
            shrunk.text,
            self._tool.slug,
            self._version.number,
            parts,
            warnings,
            is_cut=any(shrunk.left_out),
            images=self._images,
        )

    def _render(self, items: Sequence[Item]) -> str:
        """The whole turn."""
        body = self._body(items)
        forms = [] if self._tool.omits_leftovers else [default_form(item) for item in self._unused(items)]
        leftovers = "\n".join(filter(None, forms))
        return _below_reference(leftovers, body) if leftovers else body

    def _body(self, items: Sequence[Item]) -> str:
        body = self._template.render(variables(self._asking, items)).strip()
        return f"{body}\n\n{self._asking.text}".strip() if self._adds_input else body

    @property
    def _adds_input(self) -> bool:
        return bool(self._asking.text.strip()) and not uses_input(self._template.variables)

    def _unused(self, items: Sequence[Item]) -> list[Item]:
        return [item for item in items if not is_used(item, self._template.variables, items)]

    def _item_parts(self, shrunk: Shrunk) -> list[Part]:
        unused = {id(item) for item in self._unused(self._items)}
        return [
            self._item_part(index, item, shrunk, is_used=id(item) not in unused)
            for index, item in enumerate(self._items)
        ]

    def _item_part(self, index: int, item: Item, shrunk: Shrunk, *, is_used: bool) -> Part:
        shown, cut = self._shrinking.shown(index), shrunk.left_out[index]
        kept = max(shown - cut, 0)
        reason: str | None = None
        if not is_used and self._tool.omits_leftovers:
            reason = _("This tool leaves out what its template doesn't use.")
        elif not shown and (figures := self._shown_figures(index)):
            return Part(
                name=item.kind,
                kept=len(figures),
                cut=0,
                left_out=None,
                tokens=self._estimator.tokens(figures),
            )
        elif not shown:
            reason = _("The template shows nothing of it.") if is_used else _("It is empty.")
        elif not kept:
            reason = _("There was no room for it.")
        tokens = self._shrinking.tokens(index, kept / shown) if shown else 0
        return Part(name=item.kind, kept=kept, cut=cut, left_out=reason, tokens=tokens)

    def _shown_figures(self, index: int) -> str:
        """The numbers of an item without texts, one behind the other, if the turn is another without them."""
        item = self._items[index]
        figures = dict(figures_in(item.value))
        if not figures:
            return ""
        bare = Item(item.kind, changed(item.value, dict.fromkeys(figures)))
        others = [*self._items[:index], bare, *self._items[index + 1 :]]
        try:
            is_shown = self._render(others) != self._render(self._items)
        except TemplateError:  # it reckons with them
            is_shown = True
        return "".join(figures.values()) if is_shown else ""

    def _own_parts(self, turn: str, others: Sequence[Part]) -> list[Part]:
        """The template's own words, which are all that is no item's, and the person's where they stand below."""
        text = self._asking.text.strip() if self._adds_input else ""
        added = [_part("chat.input", text, self._estimator)] if text else []
        tokens = self._estimator.tokens(turn)
        for part in (*others, *added):
            tokens -= part["tokens"]
        kept = len(turn) - sum(part["kept"] for part in (*others, *added))
        own = Part(name="template", kept=max(kept, 0), cut=0, left_out=None, tokens=max(tokens, 0))
        return [own, *added]


@contextmanager
def telling_of(tool: Tool) -> Iterator[None]:
    """A template that fails is the 422 `Problem` of its tool."""
    try:
        yield
    except TemplateError as error:
        message = _("The template of {name} failed: {fault}").format(name=tool.name, fault=error.message)
        raise Problem("tool.template", message) from error


def _below_reference(leftovers: str, body: str) -> str:
    reference = fence(f"\n{leftovers}\n", "reference")
    return f"{reference}\n\nUserPrompt:\n{body}" if body else reference


def _system(text: str) -> list[SentMessage]:
    return [{"role": "system", "content": text}] if text else []


def _with_history(assembly: AssemblyShape, fitted: History) -> AssemblyShape:
    if fitted.part is None:
        return assembly
    warnings = [*assembly["warnings"], fitted.warning]
    return {**assembly, "parts": [fitted.part, *assembly["parts"]], "warnings": warnings}


def _part(name: str, text: str, estimator: Estimator) -> Part:
    return Part(name=name, kept=len(text), cut=0, left_out=None, tokens=estimator.tokens(text))


def _refuse_empty(text: str) -> None:
    if not text.strip():
        raise Problem(
            "prompt.empty", _("There is nothing to ask yet: write a question, or select something.")
        )
