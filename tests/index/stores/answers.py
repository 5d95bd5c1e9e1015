"""All that a version can be asked, so that two of them can be compared."""

import random

import numpy as np

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval.retriever import Retriever
from tests.index.corpora import LengthReranker, WordEmbedder, document

WORDS = ["river", "flood", "gauge", "weir", "harbour", "boat", "chart", "tide", "pilot", "anchor"]
QUESTIONS = (
    "river flood gauge",
    "tide",
    "anchor pilot chart weir boat",
    '"river flood"',
    "edited harbour -boat",
    "*arbou*",
)
_SHOWN = ("title", "uri", "published_at", "tags", "near", "blanks", "before", "after")


def some_document(place: int, edit: int = 0, **columns: object) -> dict:
    """Return a document of a few words; every fourth is for one person alone."""
    drawn = random.Random(f"{place} {edit}")
    text = " ".join(drawn.choices(WORDS, k=24)) + (f" edited {edit} times" if edit else "")
    return document(f"d{place}", text, **{"principals": ["*"] if place % 4 else ["ann"]} | columns)


def answers(version: OpenVersion) -> list:
    """Return what parts of a version tell a reader, in its order."""
    catalog, told = version.catalog, []
    for who in ((), ("ann",)):
        view, filters = version.view(who), Filters(principals=who)
        allowed = catalog.allowed(filters)
        told += [view.documents, view.chunks, catalog.facets(who), sorted(catalog.unreadable(who))]
        told += [view.statistics.frequency(word) for word in WORDS]
        told += [view.word_weight(word) for word in (*WORDS, "unknown")]
        for question in QUESTIONS:
            keys, scores = version.lexical.search(question, 7, view.statistics, allowed)
            near, similar = version.vectors.search(WordEmbedder().embed_query(question), 60, allowed)
            told += [keys.tolist(), scores.tolist(), near.tolist(), similar.tolist()]
        told.append(version.lexical.holding("river flood", view.statistics).tolist())
        told.append([*version.lexical.words("or", view.statistics)])
        told.append(version.lexical.written(["edited", "tide"], view.statistics).tolist())
        told.append(version.lexical.commonest(WORDS, view.statistics, allowed))
        told.append(version.lexical.document_frequencies([*WORDS, "unknown"], view.statistics).tolist())
        told.append(catalog.readable([*catalog.attributes.doc_ids, "none"], who))
        told.append(catalog.page(filters, None, 5, "uri", "title", "principals"))
    return told + _tables(version)


def _tables(version: OpenVersion) -> list:
    catalog = version.catalog
    told: list = [frame.to_dicts() for frame in (catalog.documents(), catalog.chunks(), catalog.addresses())]
    told.append(catalog.documents("doc_id", "length(text) as characters", planted=True, source="docs").to_dicts())
    first = min(catalog.attributes.doc_ids)
    told += [catalog.about(first), catalog.document(first, ("ann",)), catalog.holds(first), catalog.holds("none")]
    told += [catalog.chunks_of(first, 1, 1).to_dicts(), catalog.text(first, 3, 9), catalog.texts([first, "none"])]
    told += [catalog.named("d1"), catalog.called("d1", (), 3), catalog.titled("D1", (), 4), catalog.label(first)]
    told += [catalog.common_headings(np.ones(len(catalog.attributes.doc_ids), bool))]
    told.append([row["doc_id"] for row in catalog.headings(("ann",), 3, "seed")])
    rows = catalog.candidates(catalog.keys)
    told.append([{name: row[name] for name in (*catalog.chunks().columns, *_SHOWN)} for _, row in sorted(rows.items())])
    told.append(catalog.ordinals_of(catalog.keys).tolist())
    return told


def hits(versions: Versions, question: str, who: tuple[str, ...] = (), version: str | None = None) -> list:
    """Return what a hybrid search shows, then each candidate's ranks and scores by stage, and the version's id."""
    search = Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(depth=20))
    found = search.search(question, k=5, filters=Filters(principals=who), version=version, explain=True)
    shown = [(hit.chunk_id, hit.text, hit.score, hit.title) for hit in found.hits]
    return [*shown, found.explanation, found.version]
