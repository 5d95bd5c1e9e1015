"""The settings choose the reranker."""

import pytest

from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import SettingsError
from rag_platform.workspace import open_workspace
from tests.reranking.conftest import curated, ranked


@pytest.fixture
def workspace(tmp_path):
    def make(reranker, more=""):
        (tmp_path / "rag.toml").write_text(f'{more}\n[retrieval]\nreranker = "{reranker}"\n')
        return open_workspace(tmp_path)

    return make


def test_late_interaction_is_the_default(tmp_path, tiny_model_folder):
    (tmp_path / "rag.toml").write_text(f'[model]\nname = "tiny"\nfolder = "{tiny_model_folder}"\n')
    assert open_workspace(tmp_path).reranker.name == "late-interaction:tiny"


def test_a_cross_encoder(workspace, tiny_model_folder):
    chosen = workspace("cross-encoder", f'[reranker]\nmodel = "mine"\nfolder = "{tiny_model_folder}"\n').reranker
    assert chosen.name == "cross-encoder:mine"
    assert chosen.score("ferry", ["the ferry"], len).shape == (1,)


def test_a_rerank_endpoint(workspace, server, monkeypatch):
    monkeypatch.setenv("MY_KEY", "secret")
    server.script = [ranked]
    chosen = workspace("http", f'[reranker]\nbase_url = "{server.address}"\nmodel = "m"\napi_key_env = "MY_KEY"\n')
    assert chosen.reranker.score("ferry", ["the ferry", "a heron"], len).tolist() == [1.0, 0.0]
    assert (server.paths, server.keys) == (["/v1/rerank"], ["Bearer secret"])


@pytest.mark.parametrize("table", ["generator", "reranker"])
def test_a_language_model_on_the_generator_s_server_or_one_of_its_own(workspace, server, table):
    server.script = [curated]
    chosen = workspace("llm", f'[{table}]\nbase_url = "{server.address}"\nmodel = "tiny"\n').reranker
    assert chosen.name == "llm:tiny"
    assert chosen.score("ferry", ["the ferry"], len).tolist() == [1.0]
    assert server.requests[0]["max_tokens"] == 1024


@pytest.mark.parametrize(
    ("reranker", "told"),
    [
        ("http", r"rag\.toml: retrieval\.reranker = 'http' needs reranker\.base_url"),
        ("llm", r"reranker\.base_url or generator\.base_url"),
        ("magic", "'late-interaction', 'cross-encoder', 'http' or 'llm'"),
    ],
)
def test_what_cannot_work_is_said_at_the_start(tmp_path, reranker, told):
    (tmp_path / "rag.toml").write_text(f'[retrieval]\nreranker = "{reranker}"\n')
    with pytest.raises(SettingsError, match=told):
        load_settings(tmp_path)
