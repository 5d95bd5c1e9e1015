"""What an edit rarely does to a document and an accident does to many: each a question about one then and now."""

import re
from collections import Counter
from itertools import chain

from rapidfuzz.distance import Indel

from rag_platform.text.cleaning import count_words
from rag_platform.text.language import UNDETERMINED
from rag_platform.validation.document_pairs import Pair, Side

_SHORT = 0.4
"""Share of its length that a text keeps at most when it lost most of it."""
_LONG = 200
"""Characters; of a shorter text a few words are most of it."""
_CUT = 40
"""Characters that are missing at least when a text was cut off."""
_TELLING = 60
"""Characters; of a shorter text nobody can tell the language."""
_PARTS = 3
"""Headings, rows, items or lines of code that are a structure."""
_KEPT = 0.3
_MOST_WORDS = 2_000
"""Of a text whose order is looked at."""
_STRUCTURES = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^#{1,6} \S",
        r"^\s*\|.*\|",
        r"^\s*(?:[-*+•]|\d+[.)])\s+\S",
        r"^(?:```|~~~)",
    )
)
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_COMPARED = 20_000
"""Characters of a text whose letters are looked at."""
_SAME_WORDS = 0.7
"""Share of the words without their letters beyond ASCII that stayed when only those letters were misread."""


def empty(pair: Pair) -> bool:
    """Return whether nothing is left to index."""
    return bool(pair.then.text.strip()) and not pair.now.read


def shorter(pair: Pair) -> bool:
    """Return whether most of the text went."""
    was, now = len(pair.then.text), len(pair.now.text)
    if not pair.now.read or was < _LONG:
        return False
    return now < _SHORT * was or words_of(pair.now) < _SHORT * words_of(pair.then)


def truncated(pair: Pair) -> bool:
    """Return whether only a beginning of the text is left; a few characters at the cut may differ."""
    was, now = pair.then.text, pair.now.text.rstrip()
    beginning = now[: -min(10, len(now) // 10) or None]
    return pair.now.read and len(was) - len(now) >= _CUT and was.startswith(beginning)


def language(pair: Pair) -> bool:
    """Return whether the text is in another language."""
    known = {pair.then.language, pair.now.language}
    enough = min(len(pair.then.text), len(pair.now.text)) >= _TELLING
    return pair.now.read and enough and len(known) == 2 and UNDETERMINED not in known


def type_(pair: Pair) -> bool:
    """Return whether it is of another type or format."""
    return pair.now.read and (pair.then.type, pair.then.format) != (pair.now.type, pair.now.format)


def structure(pair: Pair) -> bool:
    """Return whether the headings, the tables, the lists or the code went, while the text stayed."""
    if not pair.now.read or shorter(pair) or truncated(pair):
        return False
    counts = ((len(one.findall(pair.then.text)), len(one.findall(pair.now.text))) for one in _STRUCTURES)
    return any(was >= _PARTS and now <= _KEPT * was for was, now in counts)


def garbled(pair: Pair) -> bool:
    """Return whether letters became those of another encoding."""
    misread = garbled_share(pair.now.text) > max(0.2, 2 * garbled_share(pair.then.text))
    return pair.now.read and (misread or _letters_replaced(pair.then.text[:_COMPARED], pair.now.text[:_COMPARED]))


def _letters_replaced(then: str, now: str) -> bool:
    """Return whether the letters beyond ASCII went, or became other signs, while all that is ASCII stayed."""
    letters = Counter(filter(str.isalpha, "".join(_FOREIGN.findall(then))))
    kept = (letters & Counter(now)).total()
    if letters.total() < _PARTS or kept > letters.total() / 2:
        return False
    was, still = (_FOREIGN.sub("", text).split() for text in (then, now))
    return Indel.normalized_similarity(was, still) > _SAME_WORDS


def garbled_share(text: str) -> float:
    """Return the share of what is not ASCII that was read in the wrong encoding, or could not be read."""
    found = _FOREIGN.findall(text[:_COMPARED])
    letters = sum(map(len, found))
    return sum(len(part) for part in found if _misread(part)) / letters if letters >= 3 else 0.0


def _misread(part: str) -> bool:
    """Return whether these signs are the bytes of others: read back, they are well-formed UTF-8."""
    if "\ufffd" in part:
        return True
    try:
        octets = b"".join(_octet(sign) for sign in part)
        return len(octets) >= 2 and len(octets.decode("utf-8")) < len(part)
    except UnicodeError:
        return False


def _octet(sign: str) -> bytes:
    return sign.encode("latin-1") if ord(sign) < 0x100 else sign.encode("cp1252")


def order(pair: Pair) -> bool:
    """Return whether the words are the same in another order, as when columns were taken for others."""
    was, now = _ordered(pair.then), _ordered(pair.now)
    if not pair.now.read or was == now:
        return False
    counted, others = Counter(was), Counter(now)
    replaced = ((counted - others) + (others - counted)).total()
    if 4 * replaced > len(was):
        return False
    moved = Indel.distance(was, now) - replaced
    return moved > max(2 * replaced, 1) and (replaced == 0 or moved >= 0.1 * len(was))


def _ordered(side: Side) -> list[str]:
    """Return the words of title and text: what stood in the one may stand in the other now."""
    return re.findall(r"\w+", f"{side.title}\n{side.text}")[:_MOST_WORDS]


def dates(pair: Pair) -> bool:
    """Return whether a date was lost or went back, as in what a cache still has."""
    both = ((pair.then.published_at, pair.now.published_at), (pair.then.updated_at, pair.now.updated_at))
    return pair.now.read and any(was is not None and (now is None or now < was) for was, now in both)


def words_of(side: Side) -> float:
    """Count the words of a side."""
    return count_words(side.text)


def parts_of(text: str) -> int:
    """Count the headings, rows, items and fences of a text."""
    return sum(1 for _ in chain.from_iterable(one.finditer(text) for one in _STRUCTURES))
