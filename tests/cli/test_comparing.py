"""`rag index diff` and `rag index report` over a real workspace: what changed, which question moved, and why."""

import json
from pathlib import Path

import pytest

from tests.copies import copy_of
from tests.test_command_line import PAGES, RAG_TOML, rag, rag_json

pytestmark = pytest.mark.slow

QUESTIONS = [
    {
        "id": "ferry",
        "question": "Until when does the ferry run?",
        "relevant": [{"uri": "ferries.md", "quote": "until dusk, except in floods"}],
    },
    {
        "id": "gauge",
        "question": "How often are gauges calibrated?",
        "relevant": [{"uri": "gauges.md", "quote": "calibrated every spring"}],
    },
]


@pytest.fixture(scope="module")
def two_versions(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    """A live version and a candidate that lost a document, both from before there were questions."""
    home = tmp_path_factory.mktemp("comparing")
    (home / "rag.toml").write_text(f"[sync]\nmax_deleted_share = 0.5\n{RAG_TOML}")
    (home / "files").mkdir()
    for name, text in PAGES.items():
        (home / "files" / name).write_text(text)
    assert rag_json(home, "sync")["published"]
    (home / "files" / "ferries.md").unlink()
    (home / "files" / "herons.txt").write_text("Herons left the reeds; swans nest there now, from April on.\n")
    assert not rag_json(home, "sync", "--no-publish")["published"]
    (home / "questions").mkdir()
    (home / "questions" / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    return home


def test_the_live_version_is_compared_with_the_candidate(two_versions) -> None:
    made = rag_json(two_versions, "index", "diff")
    assert made["before"].startswith("v000001-")
    changes = {row["uri"].rsplit("/")[-1]: row["change"] for row in made["changes"]}
    assert changes == {"ferries.md": "removed", "herons.txt": "source"}
    assert made["documents"] | {"removed": 1, "source": 1, "unchanged": 2} == made["documents"]
    ferry, gauge = sorted(made["questions"], key=lambda row: row["id"])
    assert (ferry["rank_before"], ferry["rank_after"], ferry["cause"]) == (1, None, "source")
    assert ferry["evidence"][0]["why"] == "the document is no longer there"
    assert gauge["rank_before"] == gauge["rank_after"] == 1


def test_versions_are_named_by_their_numbers_and_either_way_round(two_versions) -> None:
    pairs = (("1", "candidate"), ("candidate", "1"))
    forth, back = (rag_json(two_versions, "index", "diff", *pair, "--no-questions") for pair in pairs)
    assert (forth["before"], forth["after"]) == (back["after"], back["before"])
    assert (forth["documents"]["removed"], back["documents"]["added"]) == (1, 1)
    assert forth["questions"] == []


def test_the_terminal_shows_counts_first_and_cuts_lists(two_versions) -> None:
    text = rag(two_versions, "index", "diff", "--limit", "0")
    assert text.startswith("v000001-")
    assert "went: 1" in text
    assert "ferries.md" not in text
    assert "… and 1 more" in text
    full = rag(two_versions, "index", "diff")
    assert "ferries.md" in full
    assert "rank 1 → –  -1.00  source  Until when does the ferry run?" in full


def test_comparing_what_is_not_there_says_what_to_do(two_versions) -> None:
    assert "there is no version 'v9'" in rag(two_versions, "index", "diff", "v9", code=1)
    assert "there is no other version" in rag(two_versions, "index", "diff", "live", code=1)


def test_the_report_is_where_it_says_and_is_made_again_when_it_is_gone(two_versions, tmp_path) -> None:
    home = copy_of(two_versions, tmp_path / "home")
    made = rag_json(home, "index", "report")
    assert Path(made["html"]).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "Passed: may be published" in made["summary"]
    Path(made["html"]).unlink()
    text = rag(home, "index", "report", "candidate")
    assert made["html"] in text.replace("\n", "")
    assert "Passed: may be published" in text
    assert Path(made["html"]).exists()
    assert "had a vector already" in Path(made["html"]).read_text(encoding="utf-8")
