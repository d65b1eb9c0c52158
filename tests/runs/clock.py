"""An event loop's clock that stands still until a test moves it."""

from collections.abc import Callable


class Timer:
    def __init__(self, when: float, act: Callable[[], object]) -> None:
        self.when = when
        self.act = act
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Clock:
    """As much of a loop as a reply needs."""

    def __init__(self) -> None:
        self.now = 1000.01
        self._timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, act: Callable[[], object]) -> Timer:
        self._timers.append(Timer(when, act))
        return self._timers[-1]

    def call_later(self, delay: float, act: Callable[[], object]) -> Timer:
        return self.call_at(self.now + delay, act)

    def move(self, seconds: float) -> None:
        self.now += seconds
        due = [timer for timer in self._timers if timer.when <= self.now]
        self._timers = [timer for timer in self._timers if timer not in due]
        for timer in due:
            if not timer.is_cancelled:
                timer.act()
