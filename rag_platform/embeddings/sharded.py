"""Embedding on other machines: each text is a run of its own there as here, so that its vector is the one made here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

import numpy as np
import polars as pl

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Progress, Shard, ShardExecutor, cut, shard_key
from rag_platform.embeddings.embedding_model import EmbeddingModel, TokenModel

_SHARD = 200
"""Texts in a shard: what a lost machine loses."""

Text = tuple[str, str]
"""Its hash, and itself."""


@dataclass(frozen=True, slots=True)
class EmbeddingWork:
    """Embeds one text after the other with a model that each worker opens once; a `ShardWork`."""

    settings: ModelSettings
    fingerprint: str
    bits: int
    """Of each dimension of the vectors of tokens; 0: they are not kept."""

    def __call__(self, item: Text, /) -> tuple[str, np.ndarray, bytes]:
        """Return the text's hash, its vector and those of its tokens.

        Raises:
            ModelError: the model of this machine is another one.
        """
        model = _opened(self.settings, self.fingerprint)
        text_hash, text = item
        if self.bits and isinstance(model, TokenModel):
            vectors, (tokens,) = model.embed_with_tokens([text], self.bits)
            return text_hash, vectors[0], tokens
        return text_hash, model.embed_passages([text])[0], b""

    def failed(self, item: Text, reason: str, /) -> NoReturn:
        """End the run: a text without a vector would not be found."""
        raise ModelError(f"a text of {len(item[1])} characters cannot be embedded: {reason}")

    def table(self, results: Sequence[tuple[str, np.ndarray, bytes]]) -> pl.DataFrame:
        """Return the columns text_hash, vector (float32) and packed."""
        hashes, vectors, packed = zip(*results, strict=True)
        return pl.DataFrame({"text_hash": hashes, "vector": np.stack(vectors), "packed": packed})


@dataclass(frozen=True, slots=True)
class Cluster:
    """Who embeds, and with which model."""

    executor: ShardExecutor
    settings: ModelSettings

    def embed(
        self, texts: Sequence[Text], fingerprint: str, bits: int, block: int, progress: Progress
    ) -> Iterator[pl.DataFrame]:
        """Yield tables of at least `block` texts, but for the last, as `EmbeddingWork.table` has them."""
        work = EmbeddingWork(self.settings.model_copy(update={"threads": 1}), fingerprint, bits)
        hashes = [text_hash for text_hash, _ in texts]
        parts = cut(hashes, _SHARD)
        shards = [Shard(shard_key("embed", fingerprint, str(bits), *hashes[part]), texts[part]) for part in parts]
        waiting = list[pl.DataFrame]()
        for _, table in self.executor.run(work, shards, progress):
            waiting.append(table)
            if sum(one.height for one in waiting) >= block:
                yield pl.concat(waiting)
                waiting.clear()
        if waiting:
            yield pl.concat(waiting)
        self.executor.clear()


@lru_cache(maxsize=1)
def _opened(settings: ModelSettings, fingerprint: str) -> EmbeddingModel:
    from rag_platform.embeddings.runtimes import open_model

    model = open_model(settings)
    if model.fingerprint != fingerprint:
        raise ModelError(
            f"the model {settings.name!r} of this node is not that of the sync: its fingerprint is "
            f"{model.fingerprint}, not {fingerprint}. Give all nodes the same release and the same files of the model"
        )
    return model
