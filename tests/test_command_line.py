"""The real command line over a real workspace: its JSON, its exit codes, and what it says when something is wrong."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.attack.workspaces import leftovers, state
from rag_platform.workspace import open_workspace
from tests.rag_commands import run_rag

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow

PAGES = {
    "gauges.md": "# River gauges\n\n## Calibration\n\nA gauge is calibrated every spring by two wardens.\n",
    "ferries.md": "# Ferries\n\nThe ferry at Alder Lock runs from six in the morning until dusk, except in floods.\n",
    "herons.txt": "Herons nest in the reeds below the old mill from March on. Please keep dogs on a lead.\n",
    "rules.html": "<html><head><title>House rules</title></head><body><main><h1>House rules</h1>"
    "<p>The boathouse closes at nine in the evening and keys go back to the warden on duty.</p></main></body></html>",
}
RAG_TOML = """
[[sources]]
id = "river"
kind = "folder"
path = "files"
collection = "association"
"""


def rag(home: Path, *arguments: str, code: int = 0, **variables: str) -> str:
    """Run the command and return its stdout; the exit code must be as expected."""
    done = run_rag("--home", str(home), *arguments, **variables)
    assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout if code in (0, 3) or "--json" in arguments else done.stdout + done.stderr


def rag_json(home: Path, *arguments: str, code: int = 0) -> dict:
    """Run the command with --json and return the one document on its stdout."""
    return json.loads(rag(home, *arguments, "--json", code=code))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    """A workspace of four files that has been synced once."""
    home = tmp_path_factory.mktemp("workspace")
    (home / "rag.toml").write_text(RAG_TOML)
    (home / "files").mkdir()
    for name, text in PAGES.items():
        (home / "files" / name).write_text(text)
    first = rag_json(home, "sync")
    assert first["published"]
    assert first["sources"]["river"] == {"seen": 4, "new": 4, "changed": 0, "unchanged": 0, "gone": 0, "failed": []}
    return home


def _uris(home: Path, question: str, *options: str) -> list[str]:
    return [hit["uri"] for hit in rag_json(home, "search", question, *options)["hits"]]


def test_the_ledger_has_every_field_of_the_contract(built: Path) -> None:
    ledger = rag_json(built, "sync")
    assert {"version", "published", "gate", "sources", "chunks", "seconds", "run_id"} <= set(ledger)
    assert set(ledger["sources"]["river"]) == {"seen", "new", "changed", "unchanged", "gone", "failed"}
    assert set(ledger["chunks"]) == {"total", "embedded", "reused"}
    assert set(ledger["seconds"]) == {"fetch", "extract", "chunk", "embed", "index", "evaluate", "publish"}


def test_a_reranker_that_is_gone_is_a_note_beside_the_hits(built: Path) -> None:
    gone = {"RAG_RETRIEVAL__RERANKER": "http", "RAG_RERANKER__BASE_URL": "http://127.0.0.1:9/v1"}
    said = rag(built, "search", "When are gauges calibrated?", **gone)
    assert "River gauges" in said.split("\n")[0]
    assert "note: http://127.0.0.1:9/v1/rerank cannot be reached" in said


def test_a_second_sync_does_nothing(built: Path) -> None:
    before = rag_json(built, "index", "list")
    ledger = rag_json(built, "sync")
    assert ledger["chunks"]["embedded"] == 0
    assert ledger["sources"]["river"]["unchanged"] == 4
    assert rag_json(built, "index", "list") == before


def test_search_finds_with_every_field_of_the_contract(built: Path) -> None:
    found = rag_json(built, "search", "When are gauges calibrated?", "-k", "2", "--explain")
    assert {"question", "version", "mode", "took_ms", "hits", "explanation"} <= set(found)
    hit = found["hits"][0]
    assert hit["uri"].endswith("gauges.md")
    expected = {"rank", "score", "chunk_id", "doc_id", "uri", "title", "source", "collection", "published_at", "text"}
    assert expected | {"snippet", "span", "page", "scores"} <= set(hit)
    assert set(hit["scores"]) == {"lexical", "vector", "feedback", "fused", "recency", "trust", "rerank"}
    assert _uris(built, "gauges", "--source", "river", "--mode", "lexical")[0].endswith("gauges.md")


def test_a_file_of_claims_is_judged_by_sources_and_documents(built: Path, tmp_path: Path) -> None:
    claims = [
        {"claim": "Boats wait below the lock.", "source": "Boats wait below the lock.", "label": "supported"},
        {"claim": "Lunch is free of charge.", "source": "Boats wait.", "label": "unsupported"},
        {"claim": "A gauge is calibrated every spring by two wardens.", "question": "Who calibrates the gauges?"},
        {"label": "supported"},
    ]
    file = tmp_path / "claims.jsonl"
    file.write_text("\n".join(map(json.dumps, claims)))
    found = rag_json(built, "check", str(file))
    assert [one["state"] for one in found["claims"]] == ["quoted", "unverified", "quoted"]
    assert found["balanced_accuracy"]["value"] == 1 and "line 4: it has no claim" in found["problems"][0]
    assert "not verified" in rag(built, "check", str(file))
    assert "expected at least 20 of each" in rag(built, "check", str(file), "--fit", code=1)


def test_ask_answers_with_a_verbatim_citation(built: Path) -> None:
    answer = rag_json(built, "ask", "How often is a gauge calibrated?")
    expected = {"question", "answer", "abstained", "citations", "version", "model", "receipt_id"}
    assert expected <= set(answer)
    assert not answer["abstained"]
    citation = answer["citations"][0]
    assert citation["quote"] in PAGES["gauges.md"]
    assert {"n", "doc_id", "chunk_id", "uri", "title", "quote", "span", "raw_sha256", "published_at"} <= set(citation)
    assert "[1]" in answer["answer"]


def test_ask_says_when_it_is_not_in_the_sources(built: Path) -> None:
    answer = rag_json(built, "ask", "What is the boiling point of tungsten?")
    assert answer["abstained"]
    assert answer["citations"] == []


def test_extract_and_chunk_show_the_stages_of_one_file(built: Path) -> None:
    extracted = rag_json(built, "extract", str(built / "files" / "rules.html"))
    assert set(extracted) == {"title", "author", "published_at", "lang", "text", "pages", "warnings", "losses"}
    assert "boathouse closes at nine" in extracted["text"]
    text = rag_json(built, "extract", str(built / "files" / "gauges.md"))["text"]
    for piece in rag_json(built, "chunk", str(built / "files" / "gauges.md"), "--size", "32", "--overlap", "4"):
        assert piece["text"] == text[piece["start"] : piece["end"]]
        assert set(piece) == {"start", "end", "text", "section", "tokens"}


def test_index_commands(built: Path) -> None:
    (live,) = [row for row in rag_json(built, "index", "list") if row["live"]]
    shown = rag_json(built, "index", "show")
    assert shown["id"] == live["id"]
    assert shown["verdict"]["passed"]
    assert rag_json(built, "index", "verify") == {"version": live["id"], "sound": True, "problems": []}


def test_plain_output_is_readable(built: Path) -> None:
    found = rag(built, "search", "gauges -boathouse")
    assert "gauges.md" in found
    assert "understood as: gauges · without boathouse" in found
    assert "Nothing here seems" not in found
    beside = rag(built, "search", "What does the telescope say about quantum gravity and pizza?")
    assert beside.startswith("Nothing here seems to answer this. The nearest passages:") and "River gauges" in beside
    assert "version v" in rag(built, "ask", "How often is a gauge calibrated?")
    assert "live" in rag(built, "index", "list")
    assert "rerank" in rag(built, "search", "--help")


def test_doctor_finds_what_is_missing(built: Path, tmp_path: Path) -> None:
    assert {finding["what"] for finding in rag_json(built, "doctor")} >= {"python", "settings", "disk", "model"}
    assert "rag init" in rag(tmp_path, "doctor", code=1)


def test_doctor_tells_of_each_optional_part_what_it_is_for_and_which_source_needs_it(tmp_path: Path) -> None:
    missing = tmp_path / "no-browser"
    (tmp_path / "rag.toml").write_text(
        f'[browser]\nexecutable = "{missing}"\n\n'
        '[[sources]]\nid = "uni"\nkind = "portal"\nurl = "https://portal.example.org"\n'
    )
    told = {one["what"]: one for one in rag_json(tmp_path, "doctor", code=1)}
    parts = {what for what, one in told.items() if one["purpose"]}
    assert parts >= {"playwright", "rapidocr", "keyring", "psycopg", "pymysql", "duckdb-engine", "s3fs", "vision model"}
    assert (told["Chromium"]["level"], told["Chromium"]["found"]) == ("wrong", "needed by uni")
    assert told["psycopg"]["level"] == "ok" and told["vision model"]["level"] == "hint"
    assert all(one["mend"] for one in told.values() if one["level"] != "ok")
    shown = rag(tmp_path, "doctor", code=1)
    assert re.search(r"^wrong +Chromium +portals, and pages made by scripts +needed by uni → ", shown, re.MULTILINE)


def test_init_writes_a_workspace_that_syncs(tmp_path: Path, model_folder: Path) -> None:
    home = tmp_path / "new"
    rag(tmp_path, "init", str(home))
    assert rag_json(home, "sync")["published"]
    assert all(check["passed"] for checks in rag_json(home, "health").values() for check in checks)
    assert "[[sources]]" in rag_json(home, "ask", "How do I add a source?")["answer"]
    assert "exists already" in rag(tmp_path, "init", str(home), code=2)


def test_an_edit_a_deletion_a_broken_file_and_a_dry_run(tmp_path: Path, built: Path) -> None:
    home = tmp_path / "copy"
    (home / "files").mkdir(parents=True)
    (home / "rag.toml").write_text(RAG_TOML)
    for name, text in PAGES.items():
        (home / "files" / name).write_text(text)
    for number in range(8):  # so that one deletion is no mass deletion
        (home / "files" / f"log{number}.md").write_text(f"# Log {number}\n\nEntry {number} of the warden's log book.\n")
    (home / "files" / "broken.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    first = rag_json(home, "sync")
    (failed,) = first["sources"]["river"]["failed"]
    assert failed["uri"].endswith("broken.pdf")
    assert failed["reason"]
    total = first["chunks"]["total"]

    edited = PAGES["ferries.md"] + "\n## Tickets\n\nA crossing costs three coins, and cyclists ride for free.\n"
    (home / "files" / "ferries.md").write_text(edited)
    planned = rag_json(home, "sync", "--dry-run")
    assert planned["sources"]["river"]["changed"] == 1
    assert _uris(home, "cyclists coins", "--mode", "lexical") == []
    second = rag_json(home, "sync")
    assert 1 <= second["chunks"]["embedded"] <= 2 < total
    assert _uris(home, "What does a crossing cost?")[0].endswith("ferries.md")

    (home / "files" / "herons.txt").unlink()
    (home / "files" / "log7.md").rename(home / "files" / "day.md")
    third = rag_json(home, "sync", "--full")
    assert [third["sources"]["river"][name] for name in ("gone", "new", "changed")] == [2, 1, 0]
    assert third["chunks"]["embedded"] == 0
    assert rag_json(home, "impact", "day.md")["earlier_names"] == ["river/log7.md"]
    assert "was river/log7.md" in rag(home, "impact", "day.md")
    assert not any(uri.endswith("herons.txt") for uri in _uris(home, "herons nest in the reeds", "--mode", "lexical"))


def test_an_emptied_folder_stops_and_asks(tmp_path: Path, built: Path) -> None:
    home = tmp_path / "copy"
    (home / "files").mkdir(parents=True)
    (home / "rag.toml").write_text(RAG_TOML)
    (home / "files" / "a.md").write_text(PAGES["gauges.md"])
    (home / "files" / "b.md").write_text(PAGES["ferries.md"])
    assert rag_json(home, "sync")["published"]
    for path in (home / "files").iterdir():
        path.unlink()
    planned = rag_json(home, "sync", "--dry-run")["sources"]["river"]
    assert planned["gone"] == 2
    assert "--allow-mass-delete" in planned["stops"]
    stopped = rag_json(home, "sync", code=1)
    assert "--allow-mass-delete" in stopped["sources"]["river"]["failed"][0]["reason"]
    assert _uris(home, "gauge")[0].endswith("a.md")


def test_a_source_that_lost_an_answer_is_held_and_the_live_version_answers(tmp_path: Path, built: Path) -> None:
    home = tmp_path / "copy"
    (home / "files").mkdir(parents=True)
    (home / "questions").mkdir()
    (home / "rag.toml").write_text(RAG_TOML)
    for name, text in PAGES.items():
        (home / "files" / name).write_text(text)
    quote = "A gauge is calibrated every spring"
    question = {
        "id": "q",
        "question": "When is a gauge calibrated?",
        "relevant": [{"uri": "gauges.md", "quote": quote}],
    }
    (home / "questions" / "q.jsonl").write_text(json.dumps({**question, "answerable": True}) + "\n")
    first = rag_json(home, "sync")
    assert first["gate"]["passed"]
    (home / "files" / "gauges.md").write_text(
        "# Menu\n\nHome, contact, imprint, log in, and nothing about any of it.\n"
    )
    second = rag_json(home, "sync", code=3)
    assert (second["version"], second["published"], second["moved"]) == (first["version"], True, False)
    assert second["refused"]["version"] != first["version"]
    assert any("nDCG@10" in reason for reason in second["refused"]["reasons"])
    (hold,) = second["held_sources"].values()
    assert (hold["source"], hold["cause"], hold["version"]) == ("river", "evaluation", second["refused"]["version"])
    assert "river/gauges.md" in hold["why"] and "q" in hold["about"]["lost"]
    told = rag_json(home, "index", "show", hold["version"])
    assert told["id"] == hold["version"] and not told["verdict"]["passed"]
    answer = rag_json(home, "ask", "When is a gauge calibrated?")
    assert answer["version"] == first["version"]
    assert quote in answer["citations"][0]["quote"]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("search", "x", "--mode", "magic"), 2, "expected one of lexical, vector, hybrid, rerank"),
        (("search", "x", "--match", "most"), 2, "expected one of any, all, exact, part"),
        (("search", "x", "--since", "spring"), 2, "expected a date such as"),
        (
            ("search", "x", "--collection", "asociation"),
            2,
            "; did you mean 'association'?",
        ),
        (("ask", "x", "--source", "nothing"), 2, "--source 'nothing': expected one of: river"),
        (("search", "  "), 2, "the question is empty"),
        (("sync", "nowhere"), 2, "no source has the id 'nowhere'; known: river"),
        (("extract", "not-there.pdf"), 1, "No such file"),
        (("index", "show", "v9"), 1, "no version 'v9'"),
        (("eval", "not-there"), 2, "expected a BEIR-style folder or a question set"),
        (("frobnicate",), 2, "No such command"),
    ],
)
def test_what_is_wrong_is_told_and_coded(built: Path, arguments: tuple, code: int, told: str) -> None:
    assert told in " ".join(rag(built, *arguments, code=code).split())


def test_a_wrong_setting_stops_at_once_and_names_itself(tmp_path: Path) -> None:
    (tmp_path / "rag.toml").write_text(RAG_TOML + 'schedule = "often"\n')
    assert "sources[river].schedule = 'often': expected five cron fields" in rag(tmp_path, "sync", code=2)


def test_nothing_published_yet_says_what_to_run(tmp_path: Path) -> None:
    (tmp_path / "rag.toml").write_text(RAG_TOML)
    assert "run `rag sync`" in rag(tmp_path, "search", "x", code=1)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of six megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("mounting a small disk needs root")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_told_and_the_live_version_answers(small_disk: Path, model_folder: Path) -> None:
    (small_disk / "rag.toml").write_text(RAG_TOML)
    (small_disk / "files").mkdir()
    (small_disk / "files" / "gauges.md").write_text(PAGES["gauges.md"])
    first = rag_json(small_disk, "sync")
    filler = small_disk / "filler"
    chance = random.Random(0)
    (small_disk / "files" / "large.txt").write_text(chance.randbytes(60_000).hex(" ", 4))
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free))
    told = rag(small_disk, "sync", code=1)
    assert "free" in told.lower(), told
    found = rag_json(small_disk, "search", "When is a gauge calibrated?")
    assert (found["version"], found["hits"][0]["uri"]) == (first["version"], "river/gauges.md")
    filler.unlink()
    (small_disk / "files" / "large.txt").unlink()
    assert rag_json(small_disk, "sync")["version"] == first["version"]


LOG_BOOK = (  # texts that are nothing like each other: many nearly alike at once are what the brake holds a source for
    ("raw/river.parquet", "Ice closed the upper lock for two days."),
    ("documents/river.parquet", "Three swans were counted at dawn near Penrose."),
    ("versions/v", "The tugboat Marta took on forty barrels of oil."),
    ("evaluation.json", "A fallen elm blocks the towpath behind the bakery."),
    ("CURRENT", "School classes visited the museum in the rain."),
)
"""The place before which a sync is killed, and what had just been written down."""
DIES_BEFORE_A_RENAME = """
import os, signal, sys
place = sys.argv.pop(1)
def die(event, values):
    if event == "os.rename" and place in str(values[1]):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(die)
from rag_platform.__main__ import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_sync_killed_at_each_stage_leaves_the_live_version_and_the_next_one_converges(
    tmp_path: Path, model_folder: Path
) -> None:
    home, clean = tmp_path / "home", tmp_path / "clean"
    (home / "files").mkdir(parents=True)
    (home / "rag.toml").write_text(RAG_TOML + "[gate]\nsynthetic = 0\n")
    (home / "files" / "gauges.md").write_text(PAGES["gauges.md"])
    first = rag_json(home, "sync")
    for number, (place, entry) in enumerate(LOG_BOOK):
        (home / "files" / f"log{number}.md").write_text(f"# Log {number}\n\n{entry}\n")
        command = [sys.executable, "-c", DIES_BEFORE_A_RENAME, place, "--home", str(home), "sync"]
        died = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180, check=False)
        assert died.returncode == -signal.SIGKILL, (place, died.stdout, died.stderr)
        opened = open_workspace(home)
        assert (opened.versions.live_id(), opened.versions.live().verify()) == (first["version"], []), place
        assert opened.retriever_of(None).search("gauge", mode="lexical").hits[0].uri == "river/gauges.md", place
    assert rag_json(home, "sync")["published"]
    assert leftovers(home) == []
    shutil.copytree(home, clean, ignore=shutil.ignore_patterns("data"))
    rag(clean, "sync")
    assert state(home) == state(clean)
