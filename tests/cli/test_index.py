"""`rag index` and `--as-of` over a real workspace: three versions, moved, asked, pinned and removed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.test_command_line import rag, rag_json

pytestmark = pytest.mark.slow

TEXTS = (
    "# Ferry\n\nThe ferry at Alder Lock costs two crowns.\n",
    "# Ferry\n\nThe ferry at Alder Lock costs three crowns.\n",
    "# Ferry\n\nThe ferry at Alder Lock costs five hundred crowns.\n",
)
QUESTION = "What does the ferry cost?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    """A workspace in which one document was edited twice."""
    home = tmp_path_factory.mktemp("ferry")
    (home / "rag.toml").write_text('[[sources]]\nid = "river"\nkind = "folder"\npath = "files"\n')
    (home / "files").mkdir()
    for text in TEXTS:
        (home / "files" / "ferry.md").write_text(text)
        assert rag_json(home, "sync")["moved"]
    return home


def _text(home: Path, *options: str) -> str:
    return rag_json(home, "search", QUESTION, *options)["hits"][0]["text"]


def test_versions_are_moved_asked_and_kept(home: Path) -> None:
    first, second, third = [row["id"] for row in rag_json(home, "index", "list")]
    assert "five hundred" in _text(home)

    back = rag_json(home, "index", "rollback", "--why", "the price is wrong")
    assert back == {"live": second, "before": third}
    assert "three crowns" in _text(home)

    held = rag_json(home, "sync")
    assert (held["version"], held["published"], held["moved"]) == (third, False, False)
    assert held["held"]["why"] == "the price is wrong"
    assert "the price is wrong" in rag(home, "index", "list")
    assert "three crowns" in _text(home), "a sync must not undo a rollback"

    assert "two crowns" in _text(home, "--as-of", first)
    moves = rag_json(home, "index", "log")
    assert [move["kind"] for move in moves] == ["promote"] * 3 + ["rollback"]
    assert all(move["who"] and move["at"] for move in moves)
    assert "five hundred" in _text(home, "--as-of", moves[2]["at"])
    assert "three crowns" in _text(home, "--as-of", datetime.now(UTC).date().isoformat())
    answer = rag_json(home, "ask", QUESTION, "--as-of", "v1")
    assert answer["version"] == first
    assert "two crowns" in answer["answer"]

    assert rag_json(home, "index", "promote") == {"live": third, "before": second}
    assert rag_json(home, "sync")["published"]
    assert "five hundred" in _text(home)

    assert rag_json(home, "index", "pin", "1", "--why", "the audit") == {"version": first, "pinned": True}
    assert rag_json(home, "index", "gc", "--keep", "1", "--dry-run")["removed"] == []
    assert rag_json(home, "index", "unpin", "1")["pinned"] is False
    assert rag_json(home, "index", "gc", "--keep", "1")["removed"] == [first]
    assert "has been removed since" in rag(home, "search", QUESTION, "--as-of", moves[0]["at"], code=1)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("search", QUESTION, "--as-of", "yesterday"), 2, "expected a date such as 2026-05-31, or a version"),
        (("search", QUESTION, "--as-of", "2001-01-01"), 1, "the first was published at"),
        (("index", "promote", "v77"), 1, "no version 'v77'"),
        (("index", "rollback", "v77"), 1, "no version 'v77'"),
        (("index", "pin", "v77"), 1, "no version 'v77'"),
    ],
)
def test_what_cannot_be_done_is_told(home: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    live = [row["id"] for row in rag_json(home, "index", "list") if row["live"]]
    assert told in " ".join(rag(home, *arguments, code=code).split())
    assert [row["id"] for row in rag_json(home, "index", "list") if row["live"]] == live
