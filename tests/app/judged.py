"""A workspace of two versions that were judged, with questions, one of them about a document of the board."""

import json
from concurrent.futures import ThreadPoolExecutor

from evals.candidate_evaluation import evaluate
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace

SETTINGS = """
[[sources]]
id = "handbook"
kind = "folder"
path = "docs"

[[sources]]
id = "board"
kind = "folder"
path = "board"
principals = ["group:board"]
"""
QUESTIONS = [
    {"id": "leave", "question": "How many days of paid leave do employees get?", "answer": "25", "tags": ["hr"],
     "relevant": [{"uri": "leave.md", "quote": "Employees get 25 days of paid leave per year."}]},
    {"id": "office", "question": "When does the office open?",
     "relevant": [{"uri": "office.md", "quote": "The office opens at eight in the morning."}]},
    {"id": "rest", "question": "After how many years may one take a sabbatical?",
     "relevant": [{"uri": "leave.md", "quote": "an employee may take a sabbatical of three months"}]},
    {"id": "moon", "question": "How far is the moon?", "answerable": False},
    {"id": "merger", "question": "What did the board approve about Northwind?", "principal": "group:board",
     "relevant": [{"uri": "minutes.md", "quote": "approved the merger with Northwind"}]},
]  # fmt: skip


def write_judged(home, embedder):
    """Make of a copy of the published workspace one of two judged versions, the second refused; returns their ids."""
    (home / "board").mkdir()
    (home / "board" / "minutes.md").write_text("# Secret minutes\n\nThe board approved the merger with Northwind.\n")
    (home / "rag.toml").write_text(SETTINGS)
    (home / "questions").mkdir()
    (home / "questions" / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    workspace = open_workspace(home)
    workspace.embedder = embedder
    versions = [_built(workspace)]
    workspace.versions.promote(versions[0], "the gate passed", who="user:ilse")
    (home / "docs" / "office.md").write_text("# Office\n\nThere is nothing here any more but this line of text.\n")
    leave = home / "docs" / "leave.md"
    leave.write_text(leave.read_text().replace("Employees get 25 days", "Staff get 30 days"))
    versions.append(_built(workspace))
    return versions


def _built(workspace):
    pipeline = Pipeline(workspace)
    for source in ("handbook", "board"):
        pipeline.sync_source(source)
    version = pipeline.build().version
    with ThreadPoolExecutor(1) as beside:  # a browser's event loop may run in this thread
        beside.submit(evaluate, workspace, version).result()
    return version
