"""What a version found for one question, as people read it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from evals.measures.scoring import Scores
from evals.questions.labels import Span, locate
from evals.questions.sets import workspace_questions
from rag_platform.core.errors import VersionError
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class JudgedHit:
    """One hit."""

    doc_id: str
    title: str
    """The document's title or address; empty: a document that the reader may not read."""
    span: tuple[int, int]
    relevant: bool
    """Whether it shows something of a labelled quote."""


def judged_hits(workspace: Workspace, scores: Scores, question_id: str, principals: Sequence[str]) -> list[JudgedHit]:
    """Return the hits of a question that are stored with a version's scores, best first.

    There are none when it was not scored, or the version was removed meanwhile.
    """
    rows = scores.questions.filter(pl.col("id") == question_id)["hits"].to_list()
    try:
        catalog = workspace.versions.open(scores.version).catalog
    except VersionError:
        return []
    hits = rows[0] or [] if rows else []
    found = {hit["doc_id"]: catalog.document(hit["doc_id"], principals) for hit in hits}
    readable = [one for one in found.values() if one]
    texts = pl.DataFrame(
        {name: [getattr(one, name) for one in readable] for name in ("doc_id", "uri", "text")},
        schema={"doc_id": pl.String, "uri": pl.String, "text": pl.String},
    )
    matching = [question for question in workspace_questions(workspace) if question.id == question_id]
    spans = [span for label in locate(matching, texts) for span in label.spans]
    return [_judged(hit, found[hit["doc_id"]], spans) for hit in hits]


def _judged(hit: Mapping[str, Any], document: StoredDocument | None, spans: Sequence[Span]) -> JudgedHit:
    relevant = any(one.doc_id == hit["doc_id"] and hit["start"] < one.end and one.start < hit["end"] for one in spans)
    title = (document.title or document.uri) if document else ""
    return JudgedHit(hit["doc_id"], title, (hit["start"], hit["end"]), relevant)
