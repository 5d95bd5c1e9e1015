"""The log of the pointer's moves: who made which version the live one, when and why.

A move is written down before the pointer follows, so no kill can lose one. An entry whose move did not happen is known
by what comes after it: the next entry starts from another version, or the pointer stands elsewhere.
"""

import getpass
import os
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from rag_platform.storage.hashed.sealed import sealed_line, unsealed_lines

Kind = Literal["promote", "rollback", "redact", "repair"]


class MoveLog:
    """A file of moves, one JSON object a line, only ever appended to."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, entry: dict[str, Any]) -> None:
        """Write down a move that is about to be made; on the disk when this returns."""
        with self.path.open("ab") as file:
            torn = file.tell() and not self._ends_a_line()
            file.write((b"\n" if torn else b"") + sealed_line(entry) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def problems(self) -> int:
        """Count the lines that are not what was written."""
        return len(self._read()[1])

    def entries(self) -> list[dict[str, Any]]:
        """Return the moves that were written down, oldest first."""
        return self._read()[0]

    def _read(self) -> tuple[list[dict[str, Any]], list[bytes]]:
        """Return the entries, and the lines that are none: torn by a kill before their moves were made, or damaged."""
        try:
            return unsealed_lines(self.path.read_bytes())
        except FileNotFoundError:
            return [], []

    def _ends_a_line(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def entry_of(
    kind: Kind, *, version: str | None, before: str | None, why: str, run_id: str | None, who: str
) -> dict[str, Any]:
    """Return what is written down of a move that is made now; `who` is empty when it is the user who runs this."""
    entry: dict[str, Any] = {"at": datetime.now(UTC).isoformat(), "who": who or acting_user(), "kind": kind}
    return entry | {"version": version, "before": before, "why": why, "run_id": run_id}


def moves_made(entries: list[dict[str, Any]], live: str | None) -> list[dict[str, Any]]:
    """Return the moves that were made, oldest first, given where the pointer stands now."""
    starts = [after["before"] for _, after in pairwise(entries)]
    return [entry for entry, end in zip(entries, [*starts, live], strict=False) if entry["version"] == end]


def live_at(moves: list[dict[str, Any]], moment: datetime) -> dict[str, Any] | None:
    """Return the move that made live what was live at that moment; None: nothing was."""
    done = [move for move in moves if datetime.fromisoformat(move["at"]) <= moment]
    return done[-1] if done else None


def rollback_targets(moves: list[dict[str, Any]]) -> list[str]:
    """Return the versions one can go back to, oldest first, the live one last.

    Promotions pile up; going back takes off what was left, so that going back twice leads to the version before.
    """
    pile: list[str] = []
    for move in moves:
        version = move["version"]
        if move["kind"] == "redact":  # another form of the same version
            pile = [version if one == move["before"] else one for one in pile if version or one != move["before"]]
        elif move["kind"] in ("rollback", "repair") and version in pile:
            del pile[pile.index(version) + 1 :]
        else:
            pile = [one for one in pile if one != version] + [version]
    return pile


def acting_user() -> str:
    """Name who runs this process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return f"uid {os.getuid()}" if hasattr(os, "getuid") else "unknown"  # Windows has no numbers for users
