"""The embedding models of a workspace: which one reads a document, and which one made a version's vector space.

A document goes to the model that its source names, or to that of [model]. Where the card of [model] states languages
and the document's is not among them, it goes to the `multilingual` one; where that does not read it either, or cannot
be had, it has no vector, and words alone find it.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rag_platform.config.settings import ModelSettings, Settings
from rag_platform.core.errors import MissingExtra, ModelError
from rag_platform.embeddings.document_languages import languages_of, settled_languages
from rag_platform.models.cards import CARDS
from rag_platform.models.weights import installed
from rag_platform.text.language import UNDETERMINED

if TYPE_CHECKING:
    from rag_platform.embeddings.embedding_model import EmbeddingModel


class EmbedderRegistry:
    """Opens each model when it is first asked for, once. Safe to use from many threads."""

    def __init__(self, settings: Settings, default: "Callable[[], EmbeddingModel]") -> None:
        """Open the models of `settings`; `default` gives that of [model]."""
        self._settings = settings
        self._default = default
        self._opened: dict[ModelSettings, EmbeddingModel] = {}
        self._missing: set[ModelSettings] = set()
        self._lock = threading.Lock()

    def of_source(self, source_id: str) -> "EmbeddingModel":
        """Return the model that the source names, or that of [model]."""
        return self._open(self._settings.model_of(source_id))

    def of_documents(self, source_id: str, language: str | None) -> "EmbeddingModel | None":
        """Return the model that embeds a source's documents in a language; None: words alone find them."""
        first, language = self.of_source(source_id), language or UNDETERMINED
        if self._settings.source(source_id).model is not None or first.card.reads(language):
            return first
        return self.multilingual(language)

    def multilingual(self, language: str = UNDETERMINED) -> "EmbeddingModel | None":
        """Return the model of languages that [model] does not read; None: none reads this one, or it cannot be had."""
        settings = self._settings.multilingual
        if settings is None or settings in self._missing:
            return None
        known = CARDS.get(settings.name)
        if known and settings.languages is None and not known.reads(language):
            return None  # so it is not fetched for nothing
        try:
            embedder = self._open(settings)
            return embedder if embedder.card.reads(language) else None
        except (ModelError, MissingExtra) as error:
            self._missing.add(settings)
            logging.getLogger(__name__).warning(
                "documents in languages that %s does not read are found by their words alone until a sync can have "
                "the model %s: %s",
                self._settings.model.name,
                settings.name,
                error,
            )
            return None

    def settled(self, source_id: str, documents: pl.DataFrame) -> pl.DataFrame:
        """Return a source's indexed documents with the languages by which they go to a model."""
        return settled_languages(documents.filter(pl.col("status") == "ok"), self.of_source(source_id).card)

    def by_model(
        self, source_id: str, chunks: pl.DataFrame, documents: pl.DataFrame
    ) -> list[tuple["EmbeddingModel", np.ndarray]]:
        """Return the places of the chunks that each model embeds; the source's own model comes first.

        Chunks that no model reads are with none.
        """
        codes = languages_of(chunks, self.settled(source_id, documents)).fill_null(UNDETERMINED)
        found = {self.of_source(source_id).fingerprint: (self.of_source(source_id), np.zeros(len(codes), bool))}
        for language in codes.unique().sort():
            if embedder := self.of_documents(source_id, language):
                _, rows = found.setdefault(embedder.fingerprint, (embedder, np.zeros(len(codes), bool)))
                rows |= (codes == language).to_numpy()
        return [(embedder, np.flatnonzero(rows)) for embedder, rows in found.values()]

    def try_again(self) -> None:
        """Ask again for models that could not be had before."""
        with self._lock:
            self._missing.clear()

    def described(self, embedder: "EmbeddingModel") -> dict[str, Any]:
        """Say what a manifest tells of one of the models."""
        return describe(embedder, self.settings_of(embedder))

    def settings_of(self, embedder: "EmbeddingModel") -> ModelSettings:
        """Return the settings by which one of the models was opened."""
        for settings in [self._settings.model, *self._opened]:
            if self._open(settings) is embedder:
                return settings
        raise ModelError(f"the model {embedder.card.name!r} is none of this workspace's")

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
        named = (*self._opened, self._settings.model, *self._settings.models.values())
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
    """Say what a manifest tells of a model: its languages only where its name does not tell them."""
    known, languages = CARDS.get(settings.name), list(embedder.card.languages)
    own = {} if list(known.languages if known else ()) == languages else {"languages": languages}
    return {
        "name": settings.name,
        "precision": settings.precision,
        "fingerprint": embedder.fingerprint,
        "dimension": embedder.dimension,
        **own,
    }
