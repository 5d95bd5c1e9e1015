"""The texts of a chat's attached files, as hits of a question: nothing of it is ever on the disk, or anybody else's."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rag_platform.answering.coverage import TermWeight, coverage, term_weights
from rag_platform.core.hits import Hit, page_starts
from rag_platform.core.ids import digest, embedding_text
from rag_platform.embeddings.embedding_model import EmbeddingModel, TokenModel
from rag_platform.reranking.late_interaction import LateInteraction
from rag_platform.text.snippets import snippet

if TYPE_CHECKING:
    from rag_platform.chunks.chunker import Chunker, Piece

ATTACHED = "(attached)"
"""Stands for the source of attached files; no source can have that id."""
_LOOKED_AT = 30
"""Passages that late interaction reads: the nearest ones."""


@dataclass(frozen=True, slots=True)
class AttachedDocument:
    """A document of an attached file."""

    doc_id: str
    name: str
    """The file's, and within an archive the path."""
    title: str
    text: str
    language: str
    format: str
    pages: tuple[int, ...]
    """Offset in the text at which each page begins; empty: there are none."""
    page_labels: tuple[str, ...]
    raw_sha256: str
    revision: str


class AttachedIndex:
    """Some documents in memory; safe to search from many threads."""

    def __init__(self, documents: Sequence[AttachedDocument], chunker: "Chunker", embedder: EmbeddingModel) -> None:
        """Cut and embed them."""
        from rag_platform.chunks.stage import layout  # a question without files is answered without what cuts them

        self._pieces: list[tuple[AttachedDocument, Piece]] = []
        for document in documents:
            cut = chunker.split(
                document.text,
                title=document.title,
                pages=document.pages,
                language=document.language,
                **layout(document.format),
            )
            self._pieces += [(document, piece) for piece in cut]
        self._embedder = embedder
        self._reader = LateInteraction(embedder) if isinstance(embedder, TokenModel) else None
        self._texts = [embedding_text(piece.header, piece.text) for _, piece in self._pieces]
        self._vectors = embedder.embed_passages(self._texts)

    def search(self, question: str, k: int, weight: TermWeight) -> tuple[Hit, ...]:
        """Return the k best passages by late interaction, with the probability that each is relevant.

        Args:
            question: what is asked.
            k: how many at most.
            weight: the rarity of a word in what is published.
        """
        if not self._pieces or not question.strip():
            return ()
        cosines = self._vectors @ self._embedder.embed_query(question)
        near = np.argsort(-cosines, kind="stable")[:_LOOKED_AT]
        scores, relevance = cosines[near].astype(np.float32), np.full(len(near), np.nan, np.float32)
        if self._reader:
            words = np.array([self._share(question, place, weight) for place in near], np.float32)
            scores = self._reader.score(question, [self._texts[place] for place in near], weight)
            relevance = self._reader.relevance(scores, words, cosines[near].astype(np.float32))
        best = np.argsort(-scores, kind="stable")[:k]
        found = [(int(near[row]), float(scores[row]), float(relevance[row])) for row in best]
        return tuple(self._hit(rank, question, *one) for rank, one in enumerate(found, start=1))

    def _share(self, question: str, place: int, weight: TermWeight) -> float:
        language = self._pieces[place][0].language
        return coverage(term_weights(question, language, weight), self._texts[place], language)

    def _hit(self, rank: int, question: str, place: int, score: float, relevance: float) -> Hit:
        document, piece = self._pieces[place]
        labels, (start, end) = document.page_labels, piece.shown
        starts = document.pages[piece.page : bisect_left(document.pages, end)] if piece.page else ()
        return Hit(
            rank=rank,
            score=round(score, 6),
            chunk_id=digest("attached", document.doc_id, str(place)),
            doc_id=document.doc_id,
            uri=f"attached:{document.name}",
            title=document.title,
            source=ATTACHED,
            collection="",
            language=document.language,
            type=document.format,
            published_at=None,
            section=piece.section,
            text=document.text[start:end],
            span=(start, end),
            completed=(piece.start - start, end - piece.end),
            page=piece.page,
            page_label=labels[piece.page - 1] if piece.page and len(labels) >= piece.page else None,
            further_pages=page_starts(piece.page, starts, labels),
            revision=document.revision,
            raw_sha256=document.raw_sha256,
            run_id=None,
            snippet=snippet(piece.text, question),
            relevance=None if np.isnan(relevance) else round(relevance, 6),
        )
