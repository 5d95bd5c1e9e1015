"""Operate, without a browser: what admins see of the workspace, and nobody else."""

import json
import time
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import frame
from rag_platform.monitoring.progress import INTERVAL
from rag_platform.workspace import open_workspace
from tests.copies import copy_of
from tests.index.corpora import file_of
from tests.index.releases.test_damage import flip

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def page(home, embedder, monkeypatch):
    """The view over a workspace, at a part."""
    return lambda part, folder=home: _page(monkeypatch, embedder, folder, part)


def _page(monkeypatch, embedder, folder, part):
    workspace = open_workspace(folder)
    workspace.embedder = embedder  # loaded once for all tests
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    test = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    test.query_params["part"] = part
    test.switch_page("views/operate.py")
    test.run()
    assert not test.exception
    return test


def shown(test):
    parts = [element.proto.body for element in test.get("html")]
    parts += [one.label for kind in ("button", "expander") for one in test.get(kind)]
    return unescape("\n".join(map(str, parts))).replace("\\", "")


def test_what_runs_is_well_and_moved_is_told(page, home):
    workspace = open_workspace(home)
    workspace.versions.promote(workspace.versions.live_id(), "nothing", who="user:ilse")
    with workspace.activity.running("embed", "handbook") as told:
        time.sleep(INTERVAL)  # progress is written down now and then
        told(3, 12)
        test = page("now")
        bar = test.get("progress")[0].proto
        assert (bar.value, bar.text) == (25, bar.text) and "Embedding of handbook" in bar.text and "3 of 12" in bar.text
    text = shown(test)
    assert "Moves of the live version" in text and "v1" in text and "All" in text
    (home / "data" / "logs").mkdir(exist_ok=True)
    (home / "data" / "logs" / "sync.json").write_text(json.dumps({"errors": ["the disk is <full>"]}))
    assert "the disk is <full>" in shown(page("now")) and "Nothing is running" in shown(page("now"))


def test_sources_tell_what_needs_attention_and_what_to_do(page, home):
    assert "All 1 sources are as they should be" in shown(page("sources"))
    with (home / "rag.toml").open("a") as file:
        file.write("fresh_within_hours = 0.00001\n")
    (home / "data" / "documents" / "handbook.parquet").write_bytes(b"damaged")
    text = shown(page("sources"))
    assert "1 of 1 sources need" in text and "set aside and made anew" in text


def test_what_is_asked_is_counted_grouped_and_proposed(page, home, embedder):
    workspace = open_workspace(home)
    workspace.embedder = embedder
    asked = ("How many days of paid leave do employees get?", "How far is the sun?", "what is the distance to the sun?")
    for one in asked:
        workspace.answerer.ask(one)
    test = page("asked")
    text = shown(test)
    assert "How far is the sun?" in text or "what is the distance to the sun?" in text
    assert "asked 2 times in 2 wordings" in text and "67% of them" in text
    assert "user:" not in text, "nobody is told who asked"
    receipt = next(one.id for one in workspace.journal.receipts() if one.abstained)
    workspace.feedback.give(receipt, good=False, reason="unanswered")
    assert len(workspace.proposals.list()) == 1


def test_storage_and_costs_are_told(page, home):
    text = shown(page("holding"))
    assert "Free on the disk" in text and "all retained versions" in text and "all-MiniLM-L6-v2 (384)" in text
    text = shown(page("costs"))
    assert "Embedding" in text and "Runs" in text
    (home / "data" / "ledger.jsonl").write_text("not json\n")
    assert "No run was recorded yet" in shown(page("costs"))


@pytest.mark.parametrize(
    ("part", "said"),
    [("now", "Nothing was published yet"), ("sources", "There is no source yet"), ("asked", "Nothing was asked"),
     ("holding", "Nothing is stored yet"), ("costs", "No run was recorded yet")],
)  # fmt: skip
def test_before_there_is_anything_each_part_teaches(page, tmp_path, part, said):
    assert said in shown(page(part, tmp_path / "empty"))


def test_it_is_for_admins(home, monkeypatch):
    with (home / "rag.toml").open("a") as file:
        file.write('[access]\nlocal_role = "editor"\n')
    workspace = open_workspace(home)
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    test = AppTest.from_file(ROOT / "app" / "views" / "operate.py", default_timeout=30).run()
    assert "This is for admins" in shown(test) and "Health" not in shown(test)


def test_the_audit_tells_who_was_shown_what(page, home):
    assert "Nothing is recorded that fits" in shown(page("audit"))
    audit = open_workspace(home).audit
    audit.record("search", "user:ilse", question="Where is <the lock>?", shown={"hits": [{"doc_id": "d1"}]})
    audit.record("open", "token:robot", shown={"hits": [{"doc_id": "d2"}]}, refused=True)
    test = page("audit")
    text = shown(test)
    assert "Where is <the lock>?" in text and "Opened a document (refused)" in text and "token:robot" in text
    test.text_input(key="audit-who").set_value("user:ilse").run()
    assert "token:robot" not in shown(test) and "Search" in shown(test)


def test_what_is_held_and_flagged_is_listed_and_decided(page, home):
    assert "Nothing is held" in shown(page("review"))
    workspace = open_workspace(home)
    document = workspace.versions.live().documents().row(0, named=True)
    workspace.access.rules.quarantine({document["doc_id"]: document["revision"]}, who="sync", why="it is <new>")
    test = page("review")
    text = shown(test)
    assert document["title"] in text and "it is <new>" in text and "No document is flagged" in text
    test.button(key=f"accept-{document['doc_id']}").click().run()
    assert not test.exception and "Nothing is held" in shown(test)
    assert not open_workspace(home).access.rules.held()


def test_an_answer_of_an_older_version_is_told_with_what_mends_it(page, home, tmp_path):
    folder = tmp_path / "damaged"
    copy_of(home, folder)
    versions = open_workspace(folder).versions
    flip(file_of(versions.path(versions.live_id()), "catalog.chunks"))
    text = shown(page("now", folder))
    assert "The live version needs somebody" in text and "catalog.chunks is not the file that was built" in text
    assert "`rag repair`" in text
