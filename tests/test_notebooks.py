"""The notebooks of the examples run as they stand, in a real kernel, and carry no output of another run."""

import json
import sys
from pathlib import Path

import pytest

from tests.copies import copy_of
from tests.doc_sessions import ROOT, published

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
QUESTIONS = [
    {"id": "hours", "question": "ferry runs", "relevant": [{"uri": "ferry.md", "quote": "from six until dusk"}]},
    {"id": "light", "question": "bending of light", "relevant": [{"uri": "optics.md", "quote": "bending of light"}]},
]


@pytest.fixture(scope="module")
def home(tmp_path_factory, tiny_model_folder, tiny_embedder):
    home = published(tmp_path_factory.mktemp("notebooks") / "home", tiny_model_folder, tiny_embedder)
    (home / "questions").mkdir()
    (home / "questions" / "own.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS))
    return home


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
@pytest.mark.filterwarnings("ignore")  # of the kernel's own libraries
def test_a_notebook_runs_as_it_stands(path: Path, home: Path, tmp_path: Path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{':'.join(one for one in sys.path if one)}")
    notebook = nbformat.read(path, as_version=4)
    assert not [cell for cell in notebook.cells if cell.get("outputs")]
    resources = {"metadata": {"path": str(copy_of(home, tmp_path / "home"))}}
    nbclient.NotebookClient(
        notebook, kernel_name="python3", timeout=250, startup_timeout=240, resources=resources
    ).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output for output in shown if output.output_type == "error"]
    assert len([output for output in shown if output.output_type in ("execute_result", "stream")]) >= 3
