"""The sessions of the handbook's pages run as they stand."""

from pathlib import Path

import pytest

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from tests.copies import copy_of
from tests.doc_sessions import ROOT, published, run_session

PAGES = (
    "api.md",
    "chat-apps.md",
    "export.md",
    "mcp.md",
    "observability.md",
    "openai.md",
    "operating.md",
    "tutorials/asker.md",
    "tutorials/evaluator.md",
    "tutorials/operator.md",
    "tutorials/plugin-author.md",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, tiny_model_folder: Path, tiny_embedder: OnnxEmbedder) -> Path:
    return published(tmp_path_factory.mktemp("documented") / "home", tiny_model_folder, tiny_embedder)


@pytest.mark.parametrize("page", PAGES)
def test_the_session_of_a_page_runs_as_it_stands(page: str, home: Path, tmp_path: Path) -> None:
    run_session(ROOT / "docs" / page, copy_of(home, tmp_path / "home"))


WRONG = {
    "false": "ended with 1",
    "echo one\ntwo": "printed:\none",
    "exit 3": "ended early",
}


@pytest.mark.parametrize("session", WRONG)
def test_a_session_that_tells_otherwise_fails(session: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```console\n$ echo a \\\n>   b\na b\n$ seq 9\n1\n…\n9\n$ {session}\n```\n")
    with pytest.raises(AssertionError, match=WRONG[session]):
        run_session(page, tmp_path)
