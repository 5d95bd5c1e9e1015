"""Does a text quote what was removed? Answered from hashes of every 32 bytes in a row, whatever spaces, marks and case.

Passages that documents which stay have too are left out: they are those documents' own. That each passage of a length
is hashed follows Manber, "Finding Similar Files in a Large File System", USENIX 1994.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

import numpy as np

WINDOW = 32
"""Bytes of letters and digits: six English words, or eleven Chinese characters."""
_SHORTEST = 8
"""Bytes of a document shorter than a window that are still looked for."""
_BATCH = 4_000_000
_NO_LETTER = re.compile(r"[\W_]+")
_MIX = [
    np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93)
]


class Fingerprints:
    """The passages that only removed texts have, as hashes."""

    def __init__(self, removed: Iterable[str], retained: Iterable[str] = ()) -> None:
        plain = {normalised(text) for text in removed}
        self._hashes = _union(map(_windows, plain))
        self._short = {text for text in plain if _SHORTEST <= len(text) < WINDOW}
        for batch in _batches(map(normalised, retained)):
            self._hashes = np.setdiff1d(self._hashes, _union(map(_windows, batch)), assume_unique=True)
            self._short = {text for text in self._short if not any(text in one for one in batch)}

    def __len__(self) -> int:
        return len(self._hashes) + len(self._short)

    def quotes(self, text: str) -> bool:
        """Return whether the text has a passage of what was removed."""
        plain = normalised(text)
        return any(short in plain for short in self._short) or self._has_any(_windows(plain))

    def without(self, text: str, instead: str) -> str:
        """Return the text with each line that quotes replaced; the whole, if a quote runs over several lines."""
        if not self.quotes(text):
            return text
        lines = [instead if self.quotes(line) else line for line in text.split("\n")]
        scrubbed = "\n".join(lines)
        return instead if self.quotes(scrubbed) else scrubbed

    def _has_any(self, hashes: np.ndarray) -> bool:
        if not len(self._hashes):
            return False
        places = np.searchsorted(self._hashes, hashes).clip(max=len(self._hashes) - 1)
        return bool((self._hashes[places] == hashes).any())


def normalised(text: str) -> bytes:
    """Return a text's letters and digits alone, without differences of case and form."""
    return _NO_LETTER.sub("", unicodedata.normalize("NFKC", text).casefold()).encode("utf-8", "ignore")


def _windows(plain: bytes) -> np.ndarray:
    """Hash every `WINDOW` bytes in a row: uint64, shape (len(plain) - WINDOW + 1,)."""
    if len(plain) < WINDOW:
        return np.empty(0, np.uint64)
    padded = np.frombuffer(plain + bytes(8), np.uint8)
    eights = np.lib.stride_tricks.sliding_window_view(padded, 8)[: len(plain) - 7]
    words = np.ascontiguousarray(eights).view(np.uint64)[:, 0]
    count = len(plain) - WINDOW + 1
    mixed = np.zeros(count, np.uint64)
    for place, factor in zip(range(0, WINDOW, 8), _MIX, strict=True):
        mixed = (mixed ^ (mixed >> np.uint64(29)) ^ words[place : place + count]) * factor  # wraps around
    return mixed


def _union(parts: Iterable[np.ndarray]) -> np.ndarray:
    return np.unique(np.concatenate([np.empty(0, np.uint64), *parts]))


def _batches(texts: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    for text in texts:
        batch.append(text)
        if sum(map(len, batch)) > _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
