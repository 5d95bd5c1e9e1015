"""Canaries: a planted document for each principal, which nobody else may ever find.

The gate asks for every canary's words as everybody else; a single hit shows that permissions are not kept. The words
are numbers made from a hash, so that no document has them, equal corpora have equal canaries, and every model reads
them, for they are of no language. A search never returns a canary unless its filters name their type, and no count of
documents includes them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rag_platform.core.ids import chunk_key, digest, document_id
from rag_platform.core.ports import Embedder
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CANARY, CHUNKS, DOCUMENTS
from rag_platform.index.vectors.gathered import GatheredRows

if TYPE_CHECKING:
    from rag_platform.index.build.corpus import Corpus

MOST = 32
"""Principals that get a canary: those whose hashes are the smallest, so that newcomers change little."""
_WORDS, _DIGITS = 8, 9


def plant(corpus: "Corpus", embedder: Embedder) -> "Corpus":
    """Return the corpus with a canary for each principal that owns documents; a public corpus stays as it is.

    The canaries are in the first space; `embedder` is the model of that.
    """
    owners = _owners(corpus.documents)
    if not owners:
        return corpus
    language = corpus.documents["language"].mode().sort()[0]
    documents = pl.DataFrame([_document(owner, language) for owner in owners], schema=corpus.documents.schema)
    chunks = pl.DataFrame([_chunk(owner, language) for owner in owners], schema=corpus.chunks.schema)
    vectors = np.concatenate([embedder.embed_passages([text]) for text in chunks["text"]])
    first, *others = corpus.spaces
    keys = np.concatenate([first.keys, chunks["key"].to_numpy()])
    order = np.argsort(keys)
    first = replace(first, keys=keys[order], vectors=GatheredRows([first.vectors, vectors], order, vectors.shape[1]))
    return replace(
        corpus,
        documents=pl.concat([corpus.documents, documents]),
        chunks=pl.concat([corpus.chunks, chunks]).sort("key"),
        spaces=(first, *others),
    )


def words_of(principal: str) -> str:
    """Return the words of a principal's canary."""
    numbers = str(int(digest("canary", principal, length=64), 16)).zfill(_WORDS * _DIGITS)
    return " ".join(numbers[start : start + _DIGITS] for start in range(0, _WORDS * _DIGITS, _DIGITS))


def _owners(documents: pl.DataFrame) -> Sequence[str]:
    owned = documents.filter(~pl.col("principals").list.contains(PUBLIC))["principals"].explode().drop_nulls()
    return sorted(owned.unique().to_list(), key=lambda owner: digest("canary", owner))[:MOST]


def _document(owner: str, language: str) -> dict[str, Any]:
    text = words_of(owner)
    return dict.fromkeys(DOCUMENTS) | {
        "doc_id": document_id(CANARY, owner),
        "uri": f"{CANARY}:{owner}",
        "raw_sha256": "",
        "stage_key": CANARY,
        "status": "ok",
        "title": "",
        "language": language,
        "type": CANARY,
        "format": CANARY,
        "tags": [],
        "private": False,
        "raw_uri": f"{CANARY}:{owner}",
        "collection": CANARY,
        "principals": [owner],
        "text": text,
        "revision": digest("text", text),
        "pages": [],
        "page_labels": [],
        "flags": [],
        "losses": [],
        "source": CANARY,
    }


def _chunk(owner: str, language: str) -> dict[str, Any]:
    text, doc_id = words_of(owner), document_id(CANARY, owner)
    chunk_id = digest(doc_id, text)
    return dict.fromkeys(CHUNKS) | {
        "chunk_id": chunk_id,
        "doc_id": doc_id,
        "revision": digest("text", text),
        "stage_key": CANARY,
        "ordinal": 0,
        "start": 0,
        "end": len(text),
        "shown_start": 0,
        "shown_end": len(text),
        "text": text,
        "header": "",
        "section": "",
        "tokens": 0,
        "text_hash": digest(text),
        "source": CANARY,
        "language": language,
        "key": chunk_key(chunk_id),
    }
