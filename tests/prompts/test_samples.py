"""The contexts that ship with AskWeb."""

from prompts.samples import NAMES, samples


def test_translators_see_the_name_of_each() -> None:
    assert {each.name for each in samples().values()} == NAMES
