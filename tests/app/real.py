"""A published workspace of real documents of many kinds, from the folder that RAG_SHARED_DATA names."""

import json
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace

SETTINGS = """
[[sources]]
id = "proposals"
kind = "folder"
path = "proposals"
schedule = "0 6 * * *"

[[sources]]
id = "office"
kind = "folder"
path = "office"

[[sources]]
id = "articles"
kind = "folder"
path = "articles"

[[sources]]
id = "uploads"
kind = "upload"
"""
OFFICE = ("docx", "xlsx", "pptx", "epub", "email", "csv", "pdf", "odf", "webvtt")
QUESTIONS = (
    "What is the liquidation threshold of stETH?",
    "Which risk parameters change for FEI?",
    "What does the grants programme pay for?",
    "Why is BAL acquired?",
)


def make_workspace(home: Path, data: Path, most: int = 24) -> Path:
    """Publish up to `most` proposals, some office files and articles, with a collection, questions and a chat."""
    _copy(sorted((data / "governance_aave_aip" / "aips").glob("*.md")), home / "proposals", most)
    found = (data / "office_pdf_docling" / kind for kind in OFFICE)
    small = (next(_small(folder), None) for folder in found)
    _copy([path for path in small if path], home / "office", len(OFFICE))
    _copy(sorted((data / "html_readability" / "test-pages").glob("*/source.html")), home / "articles", most // 3)
    (home / "rag.toml").write_text(SETTINGS)
    workspace = open_workspace(home)
    collections = workspace.collections()
    collections.create("Physics, first year", description="Handouts and exercises of the course.", language="en")
    collections.add("physics-first-year", "entropy.md", [b"# Entropy\n\nEntropy never decreases, said Clausius.\n"])
    pipeline = Pipeline(workspace)
    for source in workspace.settings.sources:
        pipeline.sync_source(source.id)
    workspace.versions.promote(pipeline.build().version, "test")
    _ask(workspace)
    _change(home / "proposals", pipeline)
    subprocess.run([sys.executable, "-m", "rag_platform", "--home", str(home), "eval"], check=True, capture_output=True)
    return home


def _small(folder: Path):
    """Yield files of a folder that are read in a moment, the smallest first."""
    files = [path for path in folder.rglob("*") if path.is_file() and "groundtruth" not in path.parts]
    yield from sorted((path for path in files if path.stat().st_size < 400_000), key=lambda path: -path.stat().st_size)


def _copy(paths, folder: Path, most: int) -> None:
    folder.mkdir(parents=True)
    for path in islice(paths, most):
        name = path.name if path.name != "source.html" else f"{path.parent.name}.html"
        shutil.copy(path, folder / name)


def _change(folder: Path, pipeline: Pipeline) -> None:
    """Publish a second version, in which one document says more."""
    changed = min(folder.iterdir())
    changed.write_text(f"{changed.read_text()}\n\n## Later\n\nThe council looked at this proposal again in May.\n")
    pipeline.sync_source(folder.name)
    pipeline.workspace.versions.promote(pipeline.build().version, "test")


def _ask(workspace) -> None:
    """Keep a chat, and questions for the evaluation that label what the answers cite."""
    chats = workspace.chats
    chat = chats.begin(QUESTIONS[0])
    labelled = []
    for question in QUESTIONS:
        answer = workspace.answerer.ask(question)
        chats.say(chat, "user", question)
        chats.say(chat, "assistant", answer.answer, answer.receipt_id)
        relevant = [{"uri": one.uri, "quote": one.quote} for one in answer.citations[:1]]
        if relevant:
            labelled.append({"id": f"q{len(labelled)}", "question": question, "relevant": relevant, "answerable": True})
    (workspace.settings.home / "questions").mkdir()
    lines = (json.dumps(question, ensure_ascii=False) for question in labelled)
    (workspace.settings.home / "questions" / "own.jsonl").write_text("\n".join(lines) + "\n")
