"""A file that was moved or renamed is a removal and an addition of the same bytes; its history goes on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

Row = Mapping[str, Any]


def follow_renames(rows: dict[str, dict[str, Any]], appeared: Iterable[str], leaving: Iterable[str]) -> None:
    """Let each uri that appeared take over the history of one that leaves with the same bytes.

    Only the raw table remembers it: what is made of the bytes never depends on what they were called before.
    """
    before = _by_bytes(rows, leaving)
    for sha256, uris in _by_bytes(rows, appeared).items():
        for uri, old in zip(uris, before.get(sha256, ()), strict=False):
            rows[uri] = {**rows[uri], "first_seen": rows[old]["first_seen"], "renamed_from": old}


def earlier_names(rows: Mapping[str, Row], uri: str) -> list[str]:
    """Return what a document was called before, the newest name first."""
    names = [uri]
    while (row := rows.get(names[-1])) and (old := row["renamed_from"]) and old not in names:
        names.append(old)
    return names[1:]


def _by_bytes(rows: Mapping[str, Row], uris: Iterable[str]) -> dict[str, list[str]]:
    """Group uris by their bytes; of several with the same, equal names come to stand at equal places."""
    found: dict[str, list[str]] = defaultdict(list)
    for uri in sorted(uris, key=lambda uri: (PurePosixPath(uri).name, uri)):
        if rows[uri]["sha256"] is not None:
            found[rows[uri]["sha256"]].append(uri)
    return found
