"""A model's files on this machine, and the checksum that its weights must have.

Where a card has none, that of the first fetch is recorded beside the weights, and later ones must have it.
"""

from pathlib import Path

from rag_platform.core.errors import ModelError
from rag_platform.core.ids import digest
from rag_platform.models.cards import REQUIRED, TABLES, WEIGHTS, ModelCard
from rag_platform.models.packed_model import packed_file
from rag_platform.storage.user_cache import noted_sha256

RECORD = f"{WEIGHTS}.sha256"
"""Holds the checksum of the first fetch of a model whose card has none."""


def cache_entry(card: ModelCard, cache: Path) -> Path:
    """Return where a model lies in the cache."""
    return cache / card.name / (card.revision or str(card.sha256)[:16])


def weights_checksum(card: ModelCard, folder: Path) -> str:
    """Return the sha256 of a model's weights in `folder`: the pinned one, else the recorded, else theirs."""
    if packed := packed_file(folder):
        return card.packed_sha256 or noted_sha256(packed)
    return card.sha256 or recorded_checksum(folder) or noted_sha256(folder / WEIGHTS)


def recorded_checksum(folder: Path) -> str | None:
    """Return the checksum of the first fetch, if one was recorded."""
    record = folder / RECORD
    return record.read_text(encoding="utf-8").strip() if record.is_file() else None


def files_checksum(folder: Path) -> str:
    """Return a hash of all files of a model, whatever they are; hidden ones and descriptions are left out."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
    named = ((path.relative_to(folder), path) for path in files)
    shown = [f"{name.as_posix()} {noted_sha256(path)}" for name, path in named if not any(map(_hidden, name.parts))]
    return digest(*shown)


def _hidden(part: str) -> bool:
    return part.startswith(".")


def verify(folder: Path, card: ModelCard) -> None:
    """Raise `ModelError` unless the folder holds the model's files, and the weights that they should be."""
    if packed := packed_file(folder):
        _verify_sha256(packed, card, card.packed_sha256)
    elif missing := [name for name in REQUIRED if not (folder / name).is_file()]:
        raise ModelError(f"{folder} is not a model's folder: it has no {', '.join(missing)}")
    else:
        _verify_sha256(folder / WEIGHTS, card, card.sha256 or recorded_checksum(folder))


def _verify_sha256(weights: Path, card: ModelCard, expected: str | None) -> None:
    if expected and (found := noted_sha256(weights)) != expected:
        raise ModelError(
            f"{weights} has the sha256 {found}; {card.name} has {expected}. "
            f"Move the file aside, or give another model another name in {TABLES[card.task]}"
        )
