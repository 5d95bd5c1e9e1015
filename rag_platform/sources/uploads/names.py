"""Names that people give, made safe: of a file, and of a collection's address."""

import re
import unicodedata
from pathlib import PurePosixPath
from urllib.parse import quote

LONGEST = 200
"""Bytes of a file's name in UTF-8; file systems take 255, and a uri has more than the name."""
LONGEST_SLUG = 63
_UNNAMED = "unnamed"
_JOINERS = "\u200c\u200d"
"""Invisible, and part of the spelling of Persian and Indic words."""


def safe_name(given: str) -> str:
    """Return a file's name without its folders, in one normal form, without what is invisible or too long.

    The kind of the file, its extension, is kept. What is left is never empty, never hidden and never a path.
    """
    given = given.encode("utf-8", "replace").decode()  # a name that was no UTF-8 arrives with lone surrogates
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", given))[-1]
    seen = "".join(sign if sign in _JOINERS or unicodedata.category(sign)[0] not in "CZ" else " " for sign in last)
    name = " ".join(seen.split()).lstrip(". ") or _UNNAMED
    return _shortened(name)


def slug(title: str) -> str:
    """Return a collection's id for its title: lower-case letters, digits and hyphens; "" when nothing is left."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].strip("-")


def in_uri(name: str) -> str:
    """Return a name as it stands in a uri: as it is, but for the signs that would end the path."""
    return re.sub(r"[%?#]", lambda sign: quote(sign[0]), name)


def _shortened(name: str) -> str:
    suffix = PurePosixPath(name).suffix
    suffix = suffix if len(suffix.encode()) <= LONGEST // 4 else ""
    room = LONGEST - len(suffix.encode())
    stem = name.removesuffix(suffix) if suffix else name
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip() + suffix
