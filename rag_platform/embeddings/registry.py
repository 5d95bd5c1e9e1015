"""The embedding models of a workspace: one for each source, and one for each vector space of a version."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rag_platform.config.settings import ModelSettings, Settings
from rag_platform.core.errors import ModelError
from rag_platform.models.weights import installed

if TYPE_CHECKING:
    from rag_platform.embeddings.embedding_model import EmbeddingModel


class EmbedderRegistry:
    """Opens each model when it is first asked for, once. Safe to use from many threads."""

    def __init__(self, settings: Settings, default: "Callable[[], EmbeddingModel]") -> None:
        """Open the models of `settings`; `default` gives that of [model]."""
        self._settings = settings
        self._default = default
        self._opened: dict[ModelSettings, EmbeddingModel] = {}
        self._lock = threading.Lock()

    def of_source(self, source_id: str) -> "EmbeddingModel":
        """Return the model that embeds a source."""
        return self._open(self._settings.model_of(source_id))

    def described(self, source_id: str) -> dict[str, Any]:
        """Say what a manifest tells of the model that embeds a source."""
        return describe(self.of_source(source_id), self._settings.model_of(source_id))

    def of_space(self, model: Mapping[str, Any]) -> "EmbeddingModel":
        """Return the model of a vector space, as a manifest describes it.

        Raises:
            ModelError: None of the workspace's models gives vectors of that space, nor does one that is known.
        """
        for settings in self._candidates(model):
            embedder = self._open(settings)
            if embedder.fingerprint == model["fingerprint"]:
                return embedder
        raise ModelError(
            f"the vectors are of the model {model['name']!r} ({model['precision']}, fingerprint "
            f"{model['fingerprint']}), and none of the settings' models gives such vectors. Describe it in a table "
            "[models.NAME] (see docs/models.md), or run `rag sync`, which embeds with today's models"
        )

    def serve(self, spaces: Iterable[Mapping[str, Any]]) -> bool:
        """Tell whether there is a model here for each of these spaces, as a manifest describes them."""
        try:
            for model in spaces:
                self.of_space(model)
        except ModelError:
            return False
        return True

    def _candidates(self, model: Mapping[str, Any]) -> Iterator[ModelSettings]:
        """Yield what may be that model: those of the settings, then what is in the cache; a search fetches nothing."""
        wanted = (model["name"], model["precision"])
        named = (self._settings.model, *self._settings.models.values())
        yield from dict.fromkeys(one for one in named if (one.name, one.precision) == wanted)
        if any(card.name == model["name"] for card, folder in installed() if folder):
            yield ModelSettings(name=model["name"], precision=model["precision"], threads=self._settings.model.threads)

    def _open(self, settings: ModelSettings) -> "EmbeddingModel":
        if settings == self._settings.model:
            return self._default()
        from rag_platform.embeddings.runtimes import open_model  # a lexical search needs no ONNX Runtime

        with self._lock:
            if settings not in self._opened:
                self._opened[settings] = open_model(settings)
            return self._opened[settings]


def describe(embedder: "EmbeddingModel", settings: ModelSettings) -> dict[str, Any]:
    """Say what a manifest tells of a model."""
    return {
        "name": settings.name,
        "precision": settings.precision,
        "fingerprint": embedder.fingerprint,
        "dimension": embedder.dimension,
    }
