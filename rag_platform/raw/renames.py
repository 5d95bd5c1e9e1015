"""What was moved or renamed is a removal and an addition of the same thing; its history goes on.

It is the same where the source says so (`identity` in an item's metadata), and else where the bytes are.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from rag_platform.core.ports import Item

Row = Mapping[str, Any]


def follow_renames(rows: dict[str, dict[str, Any]], appeared: Iterable[str], leaving: Iterable[str]) -> None:
    """Let each uri that appeared take over the history of one that leaves and was the same thing.

    Only the raw table remembers it: what is made of the bytes never depends on what they were called before.
    """
    new, old = set(appeared), set(leaving)
    for mark in (_identity, _sha256):
        before = _by_mark(rows, old, mark)
        for same, uris in _by_mark(rows, new, mark).items():
            for uri, left in zip(uris, before.get(same, ()), strict=False):
                rows[uri] = {**rows[uri], "first_seen": rows[left]["first_seen"], "renamed_from": left}
                new.discard(uri)
                old.discard(left)


def moved(items: Iterable[Item], rows: Mapping[str, Row]) -> set[str]:
    """Return the addresses of what a listing names under another address, as the source itself says."""
    now = {item.metadata["identity"]: item.uri for item in items if item.metadata.get("identity")}
    found = {uri: _identity(row) for uri, row in rows.items()} if now else {}
    return {uri for uri, identity in found.items() if now.get(identity or "", uri) != uri}


def earlier_names(rows: Mapping[str, Row], uri: str) -> list[str]:
    """Return what a document was called before, the newest name first."""
    names = [uri]
    while (row := rows.get(names[-1])) and (old := row["renamed_from"]) and old not in names:
        names.append(old)
    return names[1:]


def _by_mark(rows: Mapping[str, Row], uris: Iterable[str], mark: Callable[[Row], str | None]) -> dict[str, list[str]]:
    """Group uris by what makes them the same; of several that are, equal names come to stand at equal places."""
    found: dict[str, list[str]] = defaultdict(list)
    for uri in sorted(uris, key=lambda uri: (PurePosixPath(uri).name, uri)):
        if same := mark(rows[uri]):
            found[same].append(uri)
    return found


def _sha256(row: Row) -> str | None:
    found: str | None = row["sha256"]
    return found


def _identity(row: Row) -> str | None:
    written = row["metadata"] or ""
    return json.loads(written).get("identity") if '"identity"' in written else None
