"""Reading bytes one after the other, and not much more of them than there are."""

from rag_platform.core.errors import ExtractionError


class Cursor:
    """A place in bytes, from which numbers are taken, little-endian."""

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data = data
        self.at = at
        self.end = len(data) if end is None else min(end, len(data))

    @property
    def left(self) -> int:
        """How many bytes there are still."""
        return self.end - self.at

    def take(self, size: int) -> bytes:
        """Return the next bytes.

        Raises:
            ExtractionError: There are fewer.
        """
        if not 0 <= size <= self.left:
            raise ExtractionError(f"damaged: it ends at byte {self.end}, where {size} more were expected")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int) -> int:
        """Return the next bytes as a number."""
        return int.from_bytes(self.take(size), "little")


class Budget:
    """How much may be read of a file whose parts are found by their places: several times its size."""

    def __init__(self, content: bytes) -> None:
        self._left = 8 * len(content)

    def spend(self, size: int) -> None:
        """Count bytes that are read.

        Raises:
            ExtractionError: It is too much: the parts lie over each other.
        """
        self._left -= size
        if self._left < 0:
            raise ExtractionError("damaged: its parts overlap")
