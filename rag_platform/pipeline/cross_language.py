"""Documents of [model] in the multilingual model's space too, so that a question in another language finds them.

A workspace in the languages of [model] alone is spared it: the multilingual model is neither fetched nor run.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace

import numpy as np
import polars as pl

from rag_platform.core.errors import WorkspaceBusy
from rag_platform.core.ports import Progress, silent
from rag_platform.core.schemas import embeddings_schema
from rag_platform.embeddings.document_languages import languages_of, settled_languages
from rag_platform.embeddings.embedding_model import EmbeddingModel
from rag_platform.embeddings.stage import embed_chunks
from rag_platform.embeddings.token_table import TokenTable
from rag_platform.index.build.parts import Part, Vectors, matrix
from rag_platform.pipeline.passage_tokens import live_tokens, token_bits
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.storage.tables import Store
from rag_platform.text.language import UNDETERMINED
from rag_platform.workspace import Workspace

FEWEST = 5
"""Documents in languages that [model] does not read from which `cross_language = "auto"` is true."""
SHARE = 0.01
"""Of all documents, which they must be as well."""

Alone = Callable[[str], AbstractContextManager[tuple[dict[str, int], Progress]]]
"""Keeps other writers out of a source, `WorkspaceBusy` when there is one; gives counts to fill in, and the progress."""


def with_cross_language(workspace: Workspace, parts: Sequence[Part], alone: Alone) -> tuple[Part, ...]:
    """Return the parts with the vectors of their cross space, or without any where it is not wanted."""
    embedder = workspace.embedders.multilingual() if wanted(workspace, parts) else None
    plain = [replace(part, vectors=tuple(one for one in part.vectors if not one.cross)) for part in parts]
    if embedder is None:
        return tuple(plain)
    model, crossed = workspace.embedders.described(embedder), []
    bits, store = token_bits(workspace), workspace.store
    live = live_tokens(workspace, embedder.fingerprint, bits)
    for whole, part in zip(parts, plain, strict=True):
        places = _places(workspace, part, embedder)
        tokens = TokenTable(store, embedder.fingerprint, part.source, bits, live)
        vectors = _made_once(store, whole, places, embedder, tokens, alone)
        crossed.append(replace(part, vectors=(*part.vectors, Vectors(model, places, vectors, cross=True))))
    return tuple(crossed)


def wanted(workspace: Workspace, parts: Sequence[Part]) -> bool:
    """Return whether documents of [model] are embedded by the multilingual model too."""
    settings = workspace.settings
    setting, plain = settings.model.cross_language, [settings.source(part.source).model is None for part in parts]
    if setting is False or not settings.multilingual or not any(plain):
        return False
    card = workspace.embedder.card
    settled = [settled_languages(part.documents, card) for part in parts]
    languages = [language for documents in settled for language in documents["language"]]
    others = sum(not card.reads(language) for language in languages)
    return bool(card.languages) and (setting is True or others >= max(FEWEST, SHARE * len(languages)))


def _places(workspace: Workspace, part: Part, embedder: EmbeddingModel) -> np.ndarray:
    """Return the places of the chunks that [model] embeds and the multilingual model reads as well."""
    own = [one.rows for one in part.vectors if one.model["fingerprint"] == workspace.embedder.fingerprint]
    places: np.ndarray = np.concatenate([np.empty(0, np.int64), *own])
    read = [
        embedder.card.reads(language or UNDETERMINED) for language in languages_of(part.chunks, part.documents)[places]
    ]
    kept: np.ndarray = places[np.array(read, bool)]
    return kept


def _made_once(
    store: Store, part: Part, places: np.ndarray, embedder: EmbeddingModel, tokens: TokenTable, alone: Alone
) -> np.ndarray:
    """Return the vectors of some of a part's chunks: float32, (places, dimension); only what is new is embedded.

    While somebody else writes the source's tables, what is made now is not kept.
    """
    wanted, live = part.chunks[places], _live(part, embedder)
    table = VectorTable(store, embedder.fingerprint, part.source, embedder.dimension)
    known = _joined(table.read(), live)
    lacks = ~wanted["text_hash"].is_in(known["text_hash"].implode()) | tokens.lacks(wanted["text_hash"])
    if lacks.any():
        with ExitStack() as held:
            try:
                counts, report = held.enter_context(alone(part.source))
                table.mend()
                tokens.reread()
                known = _joined(table.read(), live)  # another may have written both meanwhile
                mine = True
            except WorkspaceBusy:
                counts, report, mine = {}, silent, False
            kept = pl.concat([part.chunks["text_hash"], store.read("chunks", part.source)["text_hash"]])
            made = embed_chunks(
                wanted,
                known["text_hash"],
                embedder,
                progress=report,
                save=table.add if mine else _nowhere,
                keep=kept,
                tokens=tokens if mine else None,
            )
            if mine:
                table.keep(kept)
            counts |= {"embedded": made.embedded, "reused": made.reused, "tokens": made.tokens}
            known = pl.concat([known, made.rows])
    found = wanted.join(known, on="text_hash", how="left", maintain_order="left")["vector"]
    return matrix(found, embedder.dimension)


def _nowhere(_: pl.DataFrame) -> None:
    """Keep nothing: somebody else is writing the table."""


def _live(part: Part, embedder: EmbeddingModel) -> pl.DataFrame:
    """Return the vectors that a part taken from the live version has of this model already."""
    schema = embeddings_schema(embedder.dimension)
    tables = [
        pl.DataFrame({"text_hash": part.chunks["text_hash"][one.rows], "vector": one.vectors[:]}, schema=schema)
        for one in part.vectors
        if one.cross and one.model["fingerprint"] == embedder.fingerprint
    ]
    return pl.concat([pl.DataFrame(schema=schema), *tables])


def _joined(stored: pl.DataFrame, live: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([stored, live]).unique("text_hash", keep="first") if live.height else stored
