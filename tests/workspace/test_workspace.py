"""A workspace's parts: each is there once, whoever asks."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property

import rag_platform.embeddings.runtimes as embedding
from rag_platform.workspace import Workspace, open_workspace

THREADS = 4


def test_threads_that_ask_at_one_moment_share_one_model(tmp_path, monkeypatch):
    built, start, meeting = [], threading.Barrier(THREADS), threading.Barrier(THREADS)

    def count(settings):
        built.append(settings)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(0.3)
        return object()

    monkeypatch.setattr(embedding, "open_model", count)
    workspace = open_workspace(tmp_path)

    def ask(_):
        start.wait(60)
        return workspace.embedder

    with ThreadPoolExecutor(THREADS) as pool:
        found = set(pool.map(ask, range(THREADS)))
    assert len(built) == len(found) == 1


def test_no_part_of_a_workspace_is_built_without_a_lock():
    parts = {name: part for owner in Workspace.__mro__ for name, part in vars(owner).items()}
    assert not [name for name, part in parts.items() if isinstance(part, cached_property)]


def test_a_workspace_is_opened_and_a_retriever_built_without_the_parts_that_neither_needs(tmp_path):
    heavy = "onnxruntime onnx tokenizers openai httpx cryptography trafilatura lxml fsspec sqlalchemy limits rich"
    code = (
        "import sys; from rag_platform.workspace import open_workspace; open_workspace(sys.argv[1]);"
        "import rag_platform.retrieval.retriever; print(*sorted(set(sys.argv[2].split()) & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path), heavy], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_all_interfaces_share_what_is_built_but_what_notes_who_was_shown_what(tmp_path, monkeypatch):
    (tmp_path / "rag.toml").write_text("")
    monkeypatch.setattr("rag_platform.embeddings.runtimes.open_model", lambda _: object())
    workspace = open_workspace(tmp_path)
    agents = workspace.reached_by("mcp")
    assert agents is workspace.reached_by("mcp") and agents.interface == "mcp"
    assert agents.embedder is workspace.embedder  # a model in memory, not two
    assert agents.journal is workspace.journal and agents.versions is workspace.versions
    assert agents.audit is not workspace.audit and agents.retriever is not workspace.retriever
