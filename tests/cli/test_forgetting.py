"""`rag forget`, `rag impact` and `rag receipt` over a real workspace, each in a process of its own."""

import contextlib
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import dagster as dg
import pytest
import zstandard

from assets.automation import sync_partitions
from assets.definitions import definitions_of
from assets.names import Names
from rag_platform.answering.checks.cached import JudgementFile
from rag_platform.answering.checks.check import Judgement
from rag_platform.core.hits import Filters
from rag_platform.erasure import forget
from rag_platform.erasure.proof import readable_texts
from rag_platform.erasure.targets import recognise
from rag_platform.pipeline.stages import Pipeline
from rag_platform.raw.scrape import Tally
from rag_platform.storage.kept.kept_texts import KeptTexts
from rag_platform.workspace import open_workspace
from tests.copies import copy_of
from tests.test_command_line import ROOT, rag, rag_json

pytestmark = pytest.mark.slow

SHARED = "Every warden signs the log book of the boathouse before the first boat leaves the landing stage."
SECRET = "The amber otter keeps its sapphire key beneath the seventh stone of the northern weir."
SEEN = "The miller saw it at midnight, when the granary lanterns had long been put out."
PAGES = {
    "gauges.md": "# River gauges\n\nA gauge is calibrated every spring by two wardens.\n",
    "ferries.md": "# Ferries\n\nThe ferry at Alder Lock runs from six in the morning until dusk, except in floods.\n",
    "herons.md": "# Herons\n\nHerons nest in the reeds below the old mill from March on. Keep dogs on a lead.\n",
    "otter.md": f"# The otter\n\n{SECRET}\n\n{SHARED}\n\n{SEEN}\n",
    "log.md": f"# The log book\n\n{SHARED} It is kept for ten years.\n",
}
TICKETS = {
    "one.md": "# Ticket one\n\nIlse's turquoise bicycle was stolen beside the granary on a Tuesday evening.\n",
    "two.md": "# Ticket two\n\nIlse asked twice for a parking permit at the yellow warehouse near the harbour.\n",
}
RAG_TOML = """
[[sources]]
id = "river"
kind = "folder"
path = "files"

[[sources]]
id = "tickets"
kind = "folder"
path = "tickets"
principals = ["user:ilse"]

[gate]
noise = 1.0
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    """Two versions of two sources, answers of which two cite the otter, a chat, and a synthetic question."""
    home = tmp_path_factory.mktemp("workspace")
    (home / "rag.toml").write_text(RAG_TOML)
    for folder, pages in (("files", PAGES), ("tickets", TICKETS)):
        (home / folder).mkdir()
        for name, text in pages.items():
            (home / folder / name).write_text(text)
    (home / "questions").mkdir()
    own = [("g", "Who calibrates a gauge?", "gauges.md", "by two wardens"), ("m", "Who saw it?", "otter.md", SEEN)]
    asked = [
        {"id": name, "question": question, "relevant": [{"uri": uri, "quote": quote}]}
        for name, question, uri, quote in own
    ]
    (home / "questions" / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    quote = {"uri": "otter.md", "quote": SECRET}
    synthetic = {"id": "o", "question": "sapphire northern weir", "relevant": [quote], "tags": ["synthetic"]}
    (home / "questions" / "synthetic.jsonl").write_text(json.dumps(synthetic) + "\n")
    rag_json(home, "sync")
    (home / "files" / "otter.md").write_text(
        PAGES["otter.md"].replace(SEEN, "") + "\nIt is fond of eels that were smoked over birch.\n"
    )
    _sync_by_dagster(home, "river")
    workspace = open_workspace(home)
    asked = workspace.answerer.ask("Where does the otter keep its sapphire key?")
    chat = workspace.chats.begin("otter")
    workspace.chats.say(chat, "assistant", asked.answer, asked.receipt_id)
    workspace.feedback.give(asked.receipt_id, good=True, comment=f"so true: {SECRET}")
    assert any("otter.md" in citation.uri for citation in asked.citations)
    workspace.answerer.ask("How often is a gauge calibrated?")
    return home


def _sync_by_dagster(home: Path, source: str) -> None:
    """Sync as one of Dagster's schedules does: what a run reports stays in Dagster's records."""
    shutil.copy(ROOT / "dagster.yaml", home)
    with contextlib.chdir(home), dg.DagsterInstance.from_config(str(home)) as instance:
        sync_partitions(instance, Names.of(open_workspace(home).settings), [source])
        job = definitions_of(open_workspace(home)).resolve_job_def("sync")
        assert job.execute_in_process(partition_key=source, instance=instance).success


@pytest.fixture
def home(built: Path, tmp_path: Path) -> Path:
    return copy_of(built, tmp_path / "workspace")


def _files_that_say(home: Path, phrase: str) -> list[str]:
    """Look into every file below data/, without the platform's own fingerprints."""
    found = []
    for path in (path for path in sorted((home / "data").rglob("*")) if path.is_file()):
        texts = [*readable_texts(path), path.read_bytes().decode("utf-8", "ignore")]
        if any(phrase in " ".join(text.split()) for text in texts):
            found.append(path.relative_to(home / "data").as_posix())
    return found


def _sync(home: Path) -> dict[str, Tally]:
    """Sync and publish without Dagster and the gate, which take their time."""
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace, run_id="test")
    tallies = {source.id: pipeline.sync_source(source.id)[0].tally for source in workspace.settings.sources}
    workspace.versions.promote(pipeline.build().version, why="test")
    return tallies


def _content(home: Path) -> tuple:
    """Return what a reader of the live version can see."""
    live = open_workspace(home).versions.live()
    documents = live.documents().select("uri", "revision", "status", "text").sort("uri").rows()
    return documents, sorted(live.catalog.chunks().select("chunk_id", "text_hash", "start", "end").rows())


def test_a_document_is_forgotten_everywhere_and_stays_so(home: Path) -> None:
    before = _files_that_say(home, "sapphire key beneath")
    places = {place.split("/")[0] for place in (*before, *_files_that_say(home, "granary lanterns had"))}
    assert {"raw", "documents", "chunks", "index", "app.sqlite", "dagster", "evals"} <= places
    old = [row["id"] for row in rag_json(home, "index", "list")]
    planned = rag_json(home, "forget", "otter.md", "--dry-run")
    assert (planned["kind"], planned["documents"], planned["answers"]) == ("uri", 1, 1)
    assert planned["versions"] == old
    assert _files_that_say(home, "sapphire key beneath") == before
    assert "--yes" in rag(home, "forget", "otter.md", code=2)

    judged = JudgementFile(home / "data" / "checks" / "judgements.sqlite")
    judged.put({"of a claim and a source": Judgement(1.0, 0.0)})
    seen = KeptTexts(home / "data" / "vision" / "pages.sqlite")
    seen.put("of a page", "What a model read on a page.")
    report = rag_json(home, "forget", "otter.md", "--yes", "--why", "a request")
    assert report["removed"]["answers"]["pages_kept_of_models"] == 1 and seen.get("of a page") is None
    assert report["removed"]["answers"]["judged_pairs"] == 1 and not judged.get(["of a claim and a source"])
    assert report["proven"], report["proof"]
    assert _files_that_say(home, "sapphire key beneath") == []
    assert _files_that_say(home, "eels that were smoked") == _files_that_say(home, "granary lanterns had") == []
    assert report["own_questions"] == ["m"]
    assert _files_that_say(home, "log book of the boathouse")  # another document says it too
    proof, removed = report["proof"], report["removed"]
    assert proof["searches"] == len(proof["sentences"]) * 4 * 2 > 0
    assert proof["passages"] > 50
    assert set(removed["versions"]) == set(old)
    assert (removed["documents"], removed["raw"], removed["answers"]["receipts"]) == (1, 1, 1)
    assert removed["blobs"] == 2  # both revisions
    assert removed["synthetic_questions"] == 1
    for path in [home / "data" / "forgotten.jsonl", *(home / "data" / "forgotten").iterdir()]:
        assert "otter" not in path.read_text()

    live = open_workspace(home).versions.live()
    assert live.verify() == []
    assert rag_json(home, "search", "otter sapphire key", "--as-of", old[0])["version"] == removed["versions"][old[0]]
    content = _content(home)
    synced = rag_json(home, "sync")
    assert synced["sources"]["river"]["forgotten"] == 1
    assert (synced["sources"]["river"]["failed"], synced["version"]) == ([], live.id)
    assert _content(home) == content
    (entry,) = rag_json(home, "forget", "--list")
    rag(home, "forget", "--undo", entry["id"][:6])
    again = rag_json(home, "sync")
    assert again["sources"]["river"]["new"] == 1
    assert any(hit["uri"].endswith("otter.md") for hit in rag_json(home, "search", "otter sapphire")["hits"])


def test_forgetting_then_syncing_is_as_if_the_document_had_never_been(home: Path, tmp_path: Path) -> None:
    rag_json(home, "forget", "otter.md", "--yes")
    _sync(home)
    clean = tmp_path / "clean"
    shutil.copytree(home, clean, ignore=shutil.ignore_patterns("data"))
    (clean / "files" / "otter.md").unlink()
    _sync(clean)
    assert _content(home) == _content(clean)
    for question in ("Who signs the log book?", "Where do herons nest?"):
        hits = [open_workspace(one).retriever.search(question).hits for one in (home, clean)]
        assert [(hit.chunk_id, hit.score, hit.scores) for hit in hits[0]] == [
            (hit.chunk_id, hit.score, hit.scores) for hit in hits[1]
        ]


def test_a_source_is_forgotten(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_SECRETS_KEY", "a passphrase for this test")
    sessions = open_workspace(home).sessions
    for source in ("tickets", "river"):
        sessions.put(source, "its cookies")
    report = rag_json(home, "forget", "tickets", "--yes")
    assert report["proven"], report["proof"]
    assert len(report["doc_ids"]) == 2
    assert _files_that_say(home, "turquoise bicycle") == []
    assert sessions.names() == ["river"]
    (home / "tickets" / "three.md").write_text(
        "# Ticket three\n\nA third ticket of the forgotten source, never read.\n"
    )
    assert _sync(home)["tickets"] == Tally(forgotten=3)


def test_a_person_is_forgotten(home: Path) -> None:
    workspace = open_workspace(home)
    answer = workspace.answerer.ask("How often is a gauge calibrated?")
    own = workspace.answerer.ask("Where was the bicycle stolen?", filters=Filters(principals=("user:ilse",)))
    chat = workspace.chats.begin("my own words about marmalade", "user:ilse")
    workspace.chats.say(chat, "user", "my own words about marmalade")
    workspace.feedback.give(answer.receipt_id, good=False, comment="Ilse disagrees", principal="user:ilse")
    assert own.citations
    report = rag_json(home, "forget", "user:ilse", "--yes")
    assert report["proven"], report["proof"]
    assert (report["kind"], len(report["doc_ids"])) == ("principal", 2)
    assert report["removed"]["answers"]["chats"] == report["removed"]["answers"]["feedback"] == 1
    for phrase in ("turquoise bicycle", "yellow warehouse", "words about marmalade", "Ilse disagrees"):
        assert _files_that_say(home, phrase) == [], phrase
    assert open_workspace(home).journal.receipt(answer.receipt_id)  # somebody else's
    assert _sync(home)["tickets"] == Tally(forgotten=2)
    with sqlite3.connect(home / "data" / "app.sqlite") as connection:
        assert connection.execute("select count(*) from receipts where principal = 'user:ilse'").fetchone() == (0,)


def _zip(path: Path, **files: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.txt", text)


OWL = "The barn owl hid the emerald compass behind the bellows of the forge."
NEWT = "A crested newt was counted under the third plank of the jetty in April."


def test_what_lies_in_an_archive_is_forgotten_with_it_or_after_it_has_left(home: Path) -> None:
    _zip(home / "files" / "animals.zip", owl=OWL, newt=NEWT)
    _sync(home)
    refused = rag(home, "forget", "animals.zip!/owl.txt", "--yes", code=2)
    assert "animals.zip' and cannot be forgotten alone" in " ".join(refused.split())
    assert rag_json(home, "forget", "--list") == []

    _zip(home / "files" / "animals.zip", newt=NEWT)
    _sync(home)
    report = rag_json(home, "forget", "animals.zip!/owl.txt", "--yes")
    assert report["proven"], report["proof"]
    blobs = list((home / "data" / "raw" / "blobs").glob("*/*.zst"))
    assert not any(b"owl.txt" in zstandard.decompress(path.read_bytes()) for path in blobs)
    assert any(b"newt.txt" in zstandard.decompress(path.read_bytes()) for path in blobs)
    assert _files_that_say(home, "emerald compass") == []

    report = rag_json(home, "forget", "animals.zip", "--yes")
    assert report["proven"], report["proof"]
    assert len(report["doc_ids"]) == 2  # the archive and the newt
    assert _files_that_say(home, "crested newt") == []
    assert _sync(home)["river"].forgotten == 1
    assert not open_workspace(home).retriever.search("crested newt jetty").hits[0].uri.startswith("animals.zip")


def test_a_person_is_forgotten_also_where_a_source_is_everybodys(home: Path) -> None:
    rules = """
[[sources.rules]]
match = "asha/**"
principals = ["user:asha"]

[[sources.rules]]
match = "both/**"
principals = ["user:asha", "user:ilse"]
"""
    toml = (home / "rag.toml").read_text()
    (home / "rag.toml").write_text(toml.replace('path = "files"\n', f'path = "files"\n{rules}'))
    for name in ("asha", "both"):
        (home / "files" / name).mkdir()
        (home / "files" / name / "note.md").write_text(
            f"# {name}\n\nThe violet umbrella of {name} stands in the hall.\n"
        )
    _sync(home)
    workspace = open_workspace(home)
    public = workspace.retriever.search("violet umbrella in the hall").hits
    assert not any("note.md" in hit.uri for hit in public)
    report = rag_json(home, "forget", "user:asha", "--yes")
    assert report["proven"], report["proof"]
    assert len(report["doc_ids"]) == 1
    assert _files_that_say(home, "umbrella of asha") == []
    (home / "files" / "asha" / "later.md").write_text("# Later\n\nAnother secret of hers, written later on.\n")
    assert _sync(home)["river"].forgotten == 2
    assert _files_that_say(home, "written later on") == []
    assert _files_that_say(home, "umbrella of both")
    assert rag_json(home, "forget", "user:ilse", "--yes", "--dry-run")["documents"] == 3  # now nobody else is left


def test_a_name_that_is_unclear_or_unknown_is_refused(home: Path) -> None:
    (home / "files" / "deep").mkdir()
    (home / "files" / "deep" / "otter.md").write_text("# Another\n\nAnother otter altogether, of no importance.\n")
    _sync(home)
    assert "2 documents have the address 'otter.md'" in rag(home, "forget", "otter.md", "--yes", code=1)
    assert "2 documents have the address 'otter.md'" in rag(home, "impact", "otter.md", code=1)
    assert "no source and no principal and no document" in rag(home, "forget", "nobody", "--yes", code=1)
    assert "everyone" in rag(home, "forget", "*", "--yes", code=2)
    assert "what is to be forgotten" in rag(home, "forget", code=2)
    assert rag_json(home, "forget", "--list") == []


@pytest.mark.parametrize("stage", ["erase_answers", "redact", "erase_tables", "erase_blobs", "erase_traces"])
def test_the_proof_finds_what_a_stage_left(home: Path, stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = {"receipts": 0, "messages": 0, "chats": 0, "feedback": 0, "hits": 0}
    monkeypatch.setattr(forget, stage, lambda *_, **__: nothing if stage != "erase_blobs" else 0)
    workspace = open_workspace(home)
    monkeypatch.setattr(forget, "markdown", lambda _: "")
    proof = forget.forget(workspace, recognise(workspace, "otter.md"))["proof"]
    assert not proof["holds"]
    assert proof["found_in_files"]
    assert bool(proof["found_by_search"]) == (stage == "redact")


READER = """
import sys, time
from rag_platform.workspace import open_workspace
workspace = open_workspace(sys.argv[1])
print("ready", flush=True)
asked = seen = 0
for line in sys.stdin:
    if line == "count\\n":
        hits = workspace.retriever.search("where the amber otter keeps its sapphire key").hits
        print(asked, sum("sapphire" in hit.text for hit in hits), flush=True)
        continue
    end = time.monotonic() + float(line)
    while time.monotonic() < end:
        answer = workspace.answerer.ask("Where does the otter keep its sapphire key?")
        asked += 1
"""


def test_a_reader_in_another_process_never_fails_and_never_sees_it_again(home: Path) -> None:
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, str(home)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert reader.stdout.readline() == "ready\n"
        reader.stdin.write("count\n8\n")
        reader.stdin.flush()
        assert reader.stdout.readline() == "0 1\n"
        report = rag_json(home, "forget", "otter.md", "--yes", code=0)
        reader.stdin.write("1\ncount\n")
        reader.stdin.close()
        asked, seen = map(int, reader.stdout.readline().split())
        assert asked > 1
        assert seen == 0
        assert reader.wait(60) == 0, reader.stderr.read()
    finally:
        reader.kill()
        for stream in (reader.stdout, reader.stderr):
            stream.close()
    assert report["removed"]["answers"]["receipts"] >= 1
    assert _files_that_say(home, "sapphire key beneath") == []


@pytest.mark.parametrize("seconds", [0.05, 0.15, 0.3, 0.6])
def test_a_killed_removal_is_finished_by_the_next_sync(home: Path, seconds: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(home)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    timer = threading.Timer(seconds, process.send_signal, [signal.SIGKILL])
    with process.stdout:
        assert process.stdout.readline() == b"begun\n"
        timer.start()
        process.wait(60)
    timer.cancel()
    assert open_workspace(home).retriever.search("Where do herons nest?").hits  # the live version answers
    half_written = home / "data" / "forgotten" / "..0123456789ab.work.1.new"  # what an earlier kill left
    half_written.parent.mkdir(exist_ok=True)
    half_written.write_text("the sapphire key beneath")
    assert _sync(home)["river"].forgotten == 1
    (entry,) = open_workspace(home).suppression.entries()
    assert entry.done_at
    report = json.loads((home / "data" / "forgotten" / f"{entry.id}.json").read_text())
    assert report["proven"], report["proof"]
    assert report["proof"]["passages"] > 50
    assert _files_that_say(home, "sapphire key beneath") == []
    assert [path.name for path in (home / "data" / "forgotten").glob(".*")] == []


KILLED = """
import sys
from rag_platform.erasure import forget
from rag_platform.erasure.targets import recognise
from rag_platform.workspace import open_workspace
workspace = open_workspace(sys.argv[1])
target = recognise(workspace, "otter.md")
add = workspace.suppression.add
workspace.suppression.add = lambda entry: (add(entry), print("begun", flush=True))
forget.forget(workspace, target)
"""
