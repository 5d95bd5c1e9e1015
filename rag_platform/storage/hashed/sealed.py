"""JSON documents that tell of themselves whether they are damaged: each ends with a hash of what it says."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

SEAL = "sha256"
"""The key of the hash."""


def sealed(document: Mapping[str, Any]) -> bytes:
    """Return a document with its hash, as a file has it."""
    plain = json.loads(json.dumps(document, ensure_ascii=False))  # keys that are numbers become text
    return (json.dumps({**plain, SEAL: _hash(plain)}, indent=1, ensure_ascii=False) + "\n").encode()


def unsealed(content: bytes) -> dict[str, Any]:
    """Return a document without its hash; `ValueError` when it is not the one that was written."""
    document = json.loads(content)
    if not isinstance(document, dict) or document.pop(SEAL, None) != _hash(document):
        raise ValueError("it is not what was written")
    return document


def sealed_line(document: Mapping[str, Any]) -> bytes:
    """Return a document with its hash in one line, as a log has it."""
    return json.dumps({**document, SEAL: _hash(document)}, ensure_ascii=False).encode("utf-8", "replace")


def unsealed_lines(content: bytes) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return the documents of a log without their hashes, and the lines that are not what was written."""
    sound, damaged = [], []
    for line in filter(None, content.split(b"\n")):
        try:
            sound.append(unsealed(line))
        except ValueError:
            damaged.append(line)
    return sound, damaged


def _hash(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(
        json.dumps(document, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
    ).hexdigest()
