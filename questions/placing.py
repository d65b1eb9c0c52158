"""Where in a reply its questions were asked: their summaries stay there for ever."""

from uuid import UUID

from questions.models import QuestionSet


def places_in(reply_id: UUID) -> list[tuple[int, UUID]]:
    """Characters of content before each question set, in their order."""
    rows = QuestionSet.objects.filter(reply=reply_id).order_by("id").values_list("place", "id")
    return [(place.get("content", 0), id_) for place, id_ in rows]
