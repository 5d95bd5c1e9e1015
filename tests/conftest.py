"""What many tests share: the real model where it can be had, and a tiny random one of the same kind."""

import gc
import json
import os
import shutil
import string
import tempfile
import uuid
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import psutil
import pytest
from hypothesis import HealthCheck, settings
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.embeddings import onnx_embedder
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder, open_embedder
from rag_platform.models.cards import find_card
from rag_platform.models.weights import locate
from rag_platform.storage.user_cache import file_state

if TYPE_CHECKING:
    from rag_platform.storage.relational.app_database import Database
    from tests.chat_server import ChatServer

# A workspace without questions makes some and scores them, which takes seconds: tests that want that say so.
os.environ.setdefault("RAG_GATE__SYNTHETIC", "0")

MEMORY = Path("/dev/shm")
_ROOM = 6 * 2**30
"""Bytes that must be free there: a whole run writes a few gigabytes, and removes most of them as it goes."""

# What tests write lies in memory where there is room: half of their time they would wait for the disk. What they prove
# is the same: whoever is killed loses nothing of what was written there either.
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > _ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# The same examples each time, so that a run fails for what was changed; --hypothesis-profile default looks for others.
# However busy the machine is, making them may take its time.
settings.register_profile("repeatable", derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

# What collecting makes stays until the end: the collector need not look through it, neither then nor in any test.
gc.disable()


LONG = (
    "test_wheel.py",
    "pipeline/test_incremental.py",
    "cli/test_forgetting.py",
    "test_command_line.py",
    "test_examples.py",
    "app/test_page_dagster.py",
    "app/test_every_view.py",
    "evals/test_broken_candidates.py",
    "app/test_hostile_content.py",
    "app/test_page_browser.py",
    "pipeline/test_composition.py",
    "app/test_quality_browser.py",
    "cli/test_stopping.py",
    "cli/test_commands.py",
)
"""What takes longest, one file a process: what begins last would run alone at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest; `make test` has xdist keep this order."""
    places = {f"tests/{name}": place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))


def pytest_collection_finish() -> None:
    """Leave everything that was imported and collected to itself."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Free at the end what libraries expect to be freed."""
    gc.unfreeze()


_COLLECTED, _MOST_LEFT = 200, 500
"""Open files after which circles are looked for, and that a module may leave: what all tests of a process share is
opened by whichever is first, and a workspace with two versions that were searched has about fifty."""
_kept_open = 0


def _open_files() -> int:
    return int(psutil.Process().num_fds())


def pytest_runtest_logfinish() -> None:
    """Close what tests left in circles, as an opened workspace is: Python looks for them by memory, not by files."""
    global _kept_open  # noqa: PLW0603
    if _open_files() - _kept_open > _COLLECTED:
        gc.collect()
        _kept_open = _open_files()


@pytest.fixture(scope="module", autouse=True)
def files_are_closed() -> Iterator[None]:
    """Hold that a module closes what it opens: select() and many servers end at 1,024 open files."""
    before = _open_files()
    yield
    if _open_files() - before > _COLLECTED:
        gc.collect()
    left = _open_files() - before
    assert left <= _MOST_LEFT, f"{left} files that this module opened are still open; see /proc/{os.getpid()}/fd"


TINY_CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 32,
    "intermediate_size": 64,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 256,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "type_vocab_size": 2,
    "labels": 1,  # of the head that makes it a cross-encoder too
}


def write_tiny_model(folder: Path, **config: object) -> Path:
    """Write a random BERT whose pieces are single characters, saved as sentence-transformers would."""
    config = TINY_CONFIG | config
    letters = string.ascii_lowercase + string.digits
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *string.punctuation, *letters, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(models.WordPiece({piece: row for row, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    (folder / "1_Pooling").mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(tiny_weights(config, len(pieces)), folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_mean_tokens": True}))
    return folder


def write_tiny_unigram_model(folder: Path, **config: object) -> Path:
    """Write a random XLM-RoBERTa whose pieces are those of a unigram tokenizer, as SentencePiece's are."""
    config = TINY_CONFIG | {"model_type": "xlm-roberta", "type_vocab_size": 1, "hidden_size": 48} | config
    words = [f"▁{word}" for word in ("the", "ferry", "red", "lamp", "herons", "and")]
    pieces = ["▁", *words, *string.ascii_lowercase, *string.digits, *string.punctuation, *"ąçλдनमस्ते渡し船"]
    scores = [(piece, -2.0 - row / 50) for row, piece in enumerate(dict.fromkeys(pieces))]
    special = [(name, 0.0) for name in ("<s>", "<pad>", "</s>", "<unk>")]
    tokenizer = Tokenizer(models.Unigram([*special, *scores], unk_id=3))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    (folder / "1_Pooling").mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(tiny_weights(config, len(scores) + 4), folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_mean_tokens": True}))
    prompts = {"prompts": {"query": "query: ", "passage": "passage: "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    return folder


def tiny_weights(config: dict, vocabulary: int) -> dict[str, np.ndarray]:
    """Return random weights by the names that transformers gives them."""
    random = np.random.default_rng(0)
    hidden, wide = config["hidden_size"], config["intermediate_size"]
    weights = {}

    def dense(name: str, rows: int, columns: int) -> None:
        weights[f"{name}.weight"] = random.normal(0, columns**-0.5, (rows, columns))
        weights[f"{name}.bias"] = random.normal(0, 0.1, rows)

    def norm(name: str) -> None:
        weights[f"{name}.weight"] = random.normal(1, 0.1, hidden)
        weights[f"{name}.bias"] = random.normal(0, 0.1, hidden)

    for name, rows, scale in (
        ("word", vocabulary, 1.0),
        ("position", config["max_position_embeddings"], 0.1),  # so that the words count more than their places
        ("token_type", config["type_vocab_size"], 0.1),
    ):
        weights[f"embeddings.{name}_embeddings.weight"] = random.normal(0, scale, (rows, hidden))
    norm("embeddings.LayerNorm")
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            dense(f"{layer}.attention.self.{part}", hidden, hidden)
        dense(f"{layer}.attention.output.dense", hidden, hidden)
        norm(f"{layer}.attention.output.LayerNorm")
        dense(f"{layer}.intermediate.dense", wide, hidden)
        dense(f"{layer}.output.dense", hidden, wide)
        norm(f"{layer}.output.LayerNorm")
    inner, last = ("pooler.dense", "classifier")
    if config["model_type"] != "bert":
        inner, last = ("classifier.dense", "classifier.out_proj")
    dense(inner, hidden, hidden)
    dense(last, config["labels"], hidden)
    return {name: weight.astype(np.float32) for name, weight in weights.items()}


@pytest.fixture(scope="session")
def make_tiny_model() -> Callable[..., Path]:
    """Return `write_tiny_model`, which a test module cannot import."""
    return write_tiny_model


@pytest.fixture(scope="session")
def tiny_model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny random BERT."""
    return write_tiny_model(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture(scope="session")
def tiny_unigram_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny random XLM-RoBERTa."""
    return write_tiny_unigram_model(tmp_path_factory.mktemp("unigram") / "tiny")


@pytest.fixture(scope="session")
def tiny_unigram_embedder(tiny_unigram_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    """Return another real embedder, of 48 dimensions, whose prefixes are those of E5."""
    card = find_card(ModelSettings(name="unigram", folder=tiny_unigram_folder))
    return OnnxEmbedder(tiny_unigram_folder, card, cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def tiny_embedder(tiny_model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    """Return a real embedder, of 32 dimensions and 256 tokens, that means nothing but takes no time."""
    card = find_card(ModelSettings(name="tiny", folder=tiny_model_folder))
    return OnnxEmbedder(tiny_model_folder, card, cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session", autouse=True)
def models_opened_once() -> Iterator[None]:
    """Each workspace that is opened opens its model: a fifth of a second, for the same graph and the same tokenizer.

    Neither has a state, and a file that was written anew is opened anew.
    """

    def once(known: Callable, name: str) -> Callable:
        opened = lru_cache(8)(lambda _, *what: known(*what))
        return lambda path, *what: opened(str(file_state(path / name)), path, *what)

    with pytest.MonkeyPatch.context() as patched:
        for opening, name in (("open_session", ""), ("open_text_tokenizer", "tokenizer.json")):
            patched.setattr(onnx_embedder, opening, once(getattr(onnx_embedder, opening), name))
        yield


@pytest.fixture(scope="session")
def model_folder() -> Path:
    """Return the folder of the default model, fetched once into the user's cache."""
    try:
        return locate(ModelSettings())
    except ModelError as error:
        pytest.skip(f"the default model cannot be had here: {error}")


@pytest.fixture(scope="session")
def embedder(model_folder: Path) -> OnnxEmbedder:
    """Return the default embedder."""
    return open_embedder(ModelSettings())


@pytest.fixture(scope="session")
def multilingual() -> OnnxEmbedder:
    """Return the embedder that reads many languages, fetched once into the user's cache."""
    settings = ModelSettings(name="multilingual-e5-small")
    try:
        locate(settings)
    except ModelError as error:
        pytest.skip(f"the multilingual model cannot be had here: {error}")
    return open_embedder(settings)


@pytest.fixture(scope="module")
def browser():
    """A real Chromium."""
    from playwright.sync_api import sync_playwright

    from tests.app.browsing import CHROMIUM, FLAGS

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def server() -> Iterator["ChatServer"]:
    """A language model's server; tests that need one of another kind have their own."""
    from tests.chat_server import serving

    with serving() as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the tests."""
    from tests.postgres_server import postgres_server

    with postgres_server() as address:
        yield address


@pytest.fixture
def postgres_database(postgres: str) -> "Database":
    """A schema of app data without anything in it."""
    pytest.importorskip("psycopg")
    from rag_platform.journal.migrations import MIGRATIONS
    from rag_platform.storage.relational.postgres import PostgresDatabase

    return PostgresDatabase(postgres, f"t{uuid.uuid4().hex[:12]}", MIGRATIONS)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> "Database":
    """An empty database of app data, of each kind."""
    if request.param == "postgres":
        made: Database = request.getfixturevalue("postgres_database")
        return made
    from rag_platform.journal.migrations import MIGRATIONS
    from rag_platform.storage.sqlite import SqliteFile

    return SqliteFile(tmp_path / "data" / "app.sqlite", MIGRATIONS)


@pytest.fixture
def everything_in() -> Callable[["Database"], str]:
    """Return all that is kept in a database of app data, as text: bytes of a file, rows of a server."""
    from rag_platform.storage.sqlite import SqliteFile

    def everything(database: "Database") -> str:
        if isinstance(database, SqliteFile):
            files = database.path.parent.glob(f"{database.path.name}*")
            return b"".join(path.read_bytes() for path in files).decode("latin-1")
        with database.reading() as connection:
            tables = connection.execute("select tablename from pg_tables where schemaname = current_schema()")
            return "".join(str([*connection.execute(f"select * from {name}")]) for (name,) in tables.fetchall())

    return everything
