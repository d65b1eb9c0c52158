"""The limits of one rendering."""

from __future__ import annotations

from prompts.handlebars.errors import ProblemError

MOST_OUTPUT = 8 * 1024 * 1024
MOST_STEPS = 200_000
DEEPEST = 50
# Going through this many characters is about as much work as one step.
CHARACTERS_PER_STEP = 512


class Budget:
    """Counts steps (an expression, a turn of a loop, an item of a printed list) and bytes of output."""

    def __init__(self) -> None:
        self.steps = MOST_STEPS
        self.output = MOST_OUTPUT
        self.depth = 0

    def spend(self, steps: int = 1) -> None:
        self.steps -= steps
        if self.steps < 0:
            hint = "loop over less, or print fewer values"
            raise ProblemError("too-many-steps", f"The template takes more than {MOST_STEPS:,} steps", hint)

    def spend_on(self, text: str) -> None:
        self.spend(1 + len(text) // CHARACTERS_PER_STEP)

    def write(self, text: str) -> None:
        self.write_more(len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")))

    def write_more(self, size: int) -> None:
        self.output -= size
        if self.output < 0:
            raise _too_much()

    def check_size(self, characters: int) -> None:
        if characters > MOST_OUTPUT:
            raise _too_much()

    def enter(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            message = f"Blocks and partials are nested more than {DEEPEST} deep"
            raise ProblemError("too-deep", message, "a partial may be calling itself")

    def leave(self) -> None:
        self.depth -= 1


def _too_much() -> ProblemError:
    return ProblemError(
        "too-much-output", "The template makes more than 8 MiB of text", "shorten the data first"
    )
