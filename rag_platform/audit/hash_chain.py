"""An event of the audit: what can be erased of it, and the chain that is left whole by erasing.

The chain goes over hashes of the parts, each with a salt of its own. A part that is erased takes its salt with it: no
guess of what it was can be checked, and every other event can still be checked.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rag_platform.core.hits import Hit

Kind = Literal["search", "answer", "open", "original", "export", "erase", "see_as", "share"]
PARTS = ("who", "question", "shown")
"""What of an event can be erased by itself."""
START = bytes(32)
"""What the first event of a log is chained to."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was shown to somebody, or refused."""

    seq: int
    at: str
    kind: Kind
    refused: bool
    version: str
    receipt: str
    who: Mapping[str, Any] | None
    """`name`, `interface` and `principals`; None: erased."""
    question: str | None
    """As asked, or its hash; None: erased, or not recorded."""
    shown: Mapping[str, Any] | None
    """`hits` and `cited`: ids and hashes of documents and chunks, spans; None: erased."""
    erased: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {name: getattr(self, name) for name in self.__slots__} | {"erased": list(self.erased)}


def sealed(parts: Mapping[str, Any]) -> tuple[str, str]:
    """Return parts with their salts, and their hashes, as JSON."""
    salted = {name: [secrets.token_hex(16), value] for name, value in parts.items()}
    return _json(salted), _json({name: part_digest(*pair) for name, pair in salted.items()})


def part_digest(salt: str, value: Any) -> str:
    """Return the hash that stands for a part in the chain."""
    return hashlib.sha256(f"{salt}{_json(value)}".encode()).hexdigest()


def chained(before: bytes, row: Mapping[str, Any]) -> bytes:
    """Return the hash of an event, given that of the one before."""
    said = [row[name] for name in ("seq", "at", "kind", "refused", "version", "receipt", "digests")]
    return hashlib.sha256(before + _json(said).encode()).digest()


def event_of(row: Mapping[str, Any]) -> Event:
    """Read an event of the file."""
    parts = {name: pair[1] for name, pair in json.loads(row["parts"]).items()}
    return Event(
        seq=row["seq"],
        at=row["at"],
        kind=row["kind"],
        refused=bool(row["refused"]),
        version=row["version"],
        receipt=row["receipt"],
        who=parts.get("who"),
        question=parts.get("question"),
        shown=parts.get("shown"),
        erased=tuple(sorted(json.loads(row["digests"]).keys() - parts.keys())),
    )


def hits_of(hits: Iterable[Hit]) -> list[dict[str, Any]]:
    """Return of each hit what identifies it, without any of its text."""
    return [
        {"doc_id": hit.doc_id, "chunk_id": one.chunk_id, "revision": hit.revision, "raw_sha256": hit.raw_sha256}
        for hit in hits
        for one in hit.passages
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
