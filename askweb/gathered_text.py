"""A text that grows by thousands of small pieces."""

TOGETHER = 64


class GatheredText:
    """Keeps pieces joined by the dozen: a piece of a few characters takes 70 bytes more by itself."""

    __slots__ = ("_chunks", "_pieces", "size")

    def __init__(self, text: str = "") -> None:
        self._chunks = [text] if text else []
        self._pieces: list[str] = []
        self.size = len(text)
        """In characters."""

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        self.size += len(piece)
        if len(self._pieces) >= TOGETHER:
            self._chunks.append("".join(self._pieces))
            self._pieces.clear()

    def read(self) -> str:
        self._chunks = ["".join([*self._chunks, *self._pieces])]
        self._pieces.clear()
        return self._chunks[0]
