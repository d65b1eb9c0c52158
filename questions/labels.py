"""What a label says beside its words: that it is an authored "Other", or that it is recommended."""

from questions.trimming import folded, trim

OTHER = frozenset(folded(word) for word in ("Other", "其他", "その他", "Khác"))
SUFFIX = "(recommended)"


def is_other(label: str) -> bool:
    """Whether it is exactly a word for Other; free text is always there, so such an option is dropped."""
    return folded(label) in OTHER


def is_recommended(label: str) -> bool:
    """Whether it ends with "(Recommended)", in any case, behind something else."""
    return without_suffix(label) != trim(label)


def without_suffix(label: str) -> str:
    """The trimmed label without one "(Recommended)" at its end, unless nothing else would remain."""
    whole = trim(label)
    if whole[-len(SUFFIX) :].lower() != SUFFIX:
        return whole
    return trim(whole[: -len(SUFFIX)]) or whole
