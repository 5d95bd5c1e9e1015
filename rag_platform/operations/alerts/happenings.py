"""What happens once and is told once: a version goes live, a question is not answered.

Where the last look ended is a mark; a first look sets it, and tells nothing of what was before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rag_platform.config.sections.alerts import Event
from rag_platform.journal.unanswered import AskedQuestion
from rag_platform.workspace import Workspace

MOST = 20
"""Questions that are told one by one; of more at once, only how many there are."""
_MOVES = {"promote": "published", "rollback": "brought back"}


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened."""

    event: Event
    title: str
    text: str
    since: datetime | None = None
    version: str | None = None
    receipt: str | None = None


Look = Callable[[str | None], tuple[list[Happening], str]]
"""Given where the last look ended, None: there was none, returns what happened since, and where this one ends."""


def looks(workspace: Workspace) -> dict[Event, Look]:
    """Return how to look for each event of this kind."""
    return {
        "published": lambda mark: _published(workspace, mark),
        "unanswered": lambda mark: _unanswered(workspace, mark),
    }


def _published(workspace: Workspace, mark: str | None) -> tuple[list[Happening], str]:
    moves = [move for move in workspace.versions.moves() if move["kind"] in _MOVES and move["version"]]
    last = moves[-1]["at"] if moves else ""
    return [] if mark is None else [_move(move) for move in moves if move["at"] > mark], last


def _move(move: dict[str, Any]) -> Happening:
    done, before = _MOVES[move["kind"]], f" after {move['before']}" if move["before"] else ""
    text = f"{move['version']} is live{before}: {move['why'] or 'no reason was given'}."
    title = f"Version {move['version']} was {done}"
    return Happening("published", title, text, datetime.fromisoformat(move["at"]), move["version"])


def _unanswered(workspace: Workspace, mark: str | None) -> tuple[list[Happening], str]:
    last, asked = workspace.unanswered.after(int(mark) if mark is not None else None)
    found = [_question(one) for one in asked[:MOST]]
    if len(asked) > MOST:
        title = f"{len(asked) - MOST} more questions were not answered"
        found.append(Happening("unanswered", title, "The page lists them under Quality."))
    return found, str(last)


def _question(asked: AskedQuestion) -> Happening:
    text = f"`rag receipt show {asked.receipt_id}` says what was found."
    return Happening("unanswered", "A question was not answered", text, asked.last, receipt=asked.receipt_id)
