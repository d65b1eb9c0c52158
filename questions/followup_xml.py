"""The finished XML of a follow-up call, read strictly but for a bare `&`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

from questions.arguments import decoded
from questions.call_scanning import CALL
from questions.labels import is_other
from questions.objects import has_control_characters
from questions.schema import LINE_CONTROLS, QUESTION_LENGTH
from questions.trimming import folded, trim

FollowupCode = Literal["missing_question", "malformed_xml", "invalid_format", "too_many"]
MOST_SUGGESTIONS = 4
SUGGESTION_LENGTH = 500
DEEPEST = 32
NOT_BARE = r"(?:[^\W\d][\w:.-]*|#\d+|#x[0-9a-fA-F]+);"
SECTION_OR_BARE = re.compile(rf"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(?!{NOT_BARE})", re.DOTALL)
SURROGATE = re.compile("[\ud800-\udfff]")
LINE_END = re.compile("\r\n?|\n")


@dataclass(frozen=True)
class FollowupCall:
    """One question of 1 to 1000 characters and 0 to 4 suggestions of up to 500, each a whole answer."""

    question: str
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True)
class FollowupFault:
    """Why a call can't be asked, in English and in Chinese; line and column count from 1 in the call."""

    code: FollowupCode
    message: str
    chinese: str
    line: int | None = None
    column: int | None = None


class _Refused(Exception):
    def __init__(self, fault: FollowupFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def read_followup(raw: str) -> FollowupCall | FollowupFault:
    """The call whose XML this is."""
    try:
        root = _parsed(raw)
        _refuse_wrong_shape(root)
        return _call(_question(root), _suggestions(root.find("follow_up")))
    except _Refused as refused:
        return refused.fault


def read_native_followup(arguments: object) -> FollowupCall | FollowupFault:
    """The same call as a function's arguments; `follow_up` is a text of `<suggest>`s or a list of texts."""
    try:
        values = decoded(arguments)
        if values is None:
            raise _Refused(invalid_format("the arguments must be one object"))
        question = values.get("question")
        if question is None:
            raise _Refused(missing_question())
        if not isinstance(question, str) or values.keys() - {"question", "follow_up"}:
            raise _Refused(invalid_format("it has a question, which is a text, and a follow_up"))
        return _call(question, _native_suggestions(values.get("follow_up")))
    except _Refused as refused:
        return refused.fault


def missing_question() -> FollowupFault:
    return FollowupFault(
        "missing_question", "Missing required parameter 'question'", "缺失必选参数'question'"
    )


def invalid_format(reason: str, code: FollowupCode = "invalid_format") -> FollowupFault:
    return FollowupFault(code, f"The call's XML has the wrong form: {reason}", f"操作XML格式不合法：{reason}")


def malformed_xml(line: int, column: int, reason: str) -> FollowupFault:
    message = f"The call could not be parsed: line {line}, column {column}: {reason}"
    chinese = f"操作解析失败：第{line}行第{column}列：{reason}"
    return FollowupFault("malformed_xml", message, chinese, line, column)


def _parsed(raw: str) -> Element:
    if half := SURROGATE.search(raw):
        lines = LINE_END.split(raw[: half.start()])
        raise _Refused(malformed_xml(len(lines), len(lines[-1]) + 1, "half a surrogate pair"))
    bare = [match.start() for match in SECTION_OR_BARE.finditer(raw) if match[0] == "&"]
    try:
        root: Element = fromstring(_repaired(raw, bare), forbid_dtd=True)
    except ParseError as error:
        raise _Refused(_located(raw, bare, error)) from error
    except (DefusedXmlException, ValueError) as error:
        raise _Refused(malformed_xml(1, 1, "a DOCTYPE or an entity of its own is refused")) from error
    return root


def _repaired(raw: str, bare: list[int]) -> str:
    starts = [0, *(at + 1 for at in bare)]
    return "amp;".join(raw[start:end] for start, end in zip(starts, [*starts[1:], len(raw)], strict=True))


def _located(raw: str, bare: list[int], error: ParseError) -> FollowupFault:
    """The parser's complaint, with its column as it is in the text before the repair."""
    line, column = error.position
    starts = [0, *(match.end() for match in LINE_END.finditer(raw))]
    start = starts[min(line, len(starts)) - 1]
    for at in bare:
        if start <= at < start + column:
            column = max(at - start, column - len("amp;"))
    return malformed_xml(line, column + 1, str(error).rpartition(": line")[0])


def _refuse_wrong_shape(root: Element) -> None:
    _refuse_depth(root)
    if root.tag != CALL or len(list(root.iter(CALL))) > 1:
        raise _Refused(invalid_format(f"one {CALL}, and none inside it"))
    if root.find("question") is None:
        raise _Refused(missing_question())
    names = [child.tag for child in root]
    if len(set(names)) < len(names) or set(names) - {"question", "follow_up"} or _has_stray_text(root):
        raise _Refused(invalid_format("it holds one question and at most one follow_up, and nothing else"))


def _refuse_depth(root: Element) -> None:
    level = [root]
    for _ in range(DEEPEST):
        level = [child for element in level for child in element]
    if level:
        raise _Refused(invalid_format("it is nested too deeply"))


def _has_stray_text(element: Element) -> bool:
    return any(trim(text or "") for text in (element.text, *(child.tail for child in element)))


def _question(root: Element) -> str:
    return "".join(text for element in root.findall("question") for text in element.itertext())


def _suggestions(follow_up: Element | None) -> list[str]:
    if follow_up is None:
        return []
    if any(child.tag != "suggest" for child in follow_up) or _has_stray_text(follow_up):
        raise _Refused(invalid_format("a follow_up holds suggest elements and nothing else"))
    return ["".join(suggest.itertext()) for suggest in follow_up]


def _native_suggestions(value: object) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        root = _parsed(f"<follow_up>{value}</follow_up>")
        _refuse_depth(root)
        wrapped = root.find("follow_up") if len(root) == 1 else None
        return _suggestions(root if wrapped is None else wrapped)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    raise _Refused(invalid_format("follow_up is a list of texts, or a text of suggest elements"))


def _call(question: str, suggestions: Iterable[str]) -> FollowupCall:
    """The call within its limits, or a fault. Blank, repeated and "Other" suggestions don't count."""
    question, kept = trim(question), tuple(_kept(suggestions))
    if not question:
        raise _Refused(missing_question())
    if _is_improper(question, QUESTION_LENGTH):
        raise _Refused(
            invalid_format(f"a question has at most {QUESTION_LENGTH} characters, and no control characters")
        )
    if any(_is_improper(suggestion, SUGGESTION_LENGTH) for suggestion in kept):
        raise _Refused(
            invalid_format(
                f"a suggestion has at most {SUGGESTION_LENGTH} characters, and no control characters"
            )
        )
    if len(kept) > MOST_SUGGESTIONS:
        raise _Refused(
            invalid_format(f"at most {MOST_SUGGESTIONS} suggestions; these are {len(kept)}", "too_many")
        )
    return FollowupCall(question, kept)


def _kept(suggestions: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for suggestion in map(trim, suggestions):
        if suggestion and not is_other(suggestion) and folded(suggestion) not in seen:
            seen.add(folded(suggestion))
            yield suggestion


def _is_improper(text: str, limit: int) -> bool:
    return len(text) > limit or has_control_characters(text, LINE_CONTROLS)
