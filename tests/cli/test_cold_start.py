"""What a search and an answer import from a cold start: counted, for seconds depend on the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evals.river import write_river
from tests.test_command_line import rag_json

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NEVER = {
    "dagster", "fastapi", "feedparser", "fsspec", "httpx", "limits", "lxml", "onnx", "openai", "pandas", "pyarrow",
    "pypdfium2", "requests", "scipy", "semantic_text_splitter", "sqlalchemy", "streamlit", "textual", "trafilatura",
}  # fmt: skip
MODEL = {"onnxruntime", "tokenizers"}
OTHERS = """
[[sources]]
id = "news"
kind = "feed"
urls = ["http://127.0.0.1:9/feed.xml"]

[[sources]]
id = "site"
kind = "web"
urls = ["http://127.0.0.1:9/"]

[[sources]]
id = "rows"
kind = "sql"
url = "sqlite:///rows.sqlite"
query = "select 1 as id"
key = "id"
template = "{id}"
"""
"""Kinds whose libraries are needed to read them, and not to read what is set for them."""
CODE = """
import sys
from rag_platform.cli import app
app(sys.argv[2:], prog_name="rag", standalone_mode=False)
print("imported:", *sorted(set(sys.argv[1].split()) & set(sys.modules)))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    made = write_river(tmp_path_factory.mktemp("cold") / "home")
    with (made / "rag.toml").open("a", encoding="utf-8") as settings:
        settings.write(OTHERS)
    assert rag_json(made, "sync", "pages", "notes")["published"]
    return made


def imported(home: Path, *arguments: str) -> list[str]:
    """Return which of the heavy modules a call has imported by its end."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, " ".join(NEVER | MODEL), "--home", str(home), *arguments, "Who paid for it?"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "leaked" not in done.stderr
    return done.stdout.splitlines()[-1].split()[1:]


def test_a_lexical_search_imports_no_model(home):
    assert imported(home, "search", "--mode", "lexical") == []


@pytest.mark.parametrize("call", ["search --mode hybrid", "search --mode rerank", "ask"])
def test_a_search_or_an_extracted_answer_imports_the_model_and_nothing_that_others_need(home, call):
    assert imported(home, *call.split()) == sorted(MODEL)
