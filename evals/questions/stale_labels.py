"""Which questions can no longer be asked of a candidate, because the sources themselves took the text away.

A quote that the live version holds and the candidate lacks was lost by one of two. If the document's raw bytes are the
same, our own reading lost it, and the question counts as not found. If they differ, or the document is gone, its
source changed or removed it: the question is stale, and says nothing about the candidate.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import polars as pl

from evals.questions.labels import Label, locate
from evals.questions.question import Question

REMOVED, CHANGED = "was removed by its source", "was changed by its source"
_AND = "; "
RAW_COLUMNS = ("source", "raw_sha256")
"""What is asked of a document beside its text: where its bytes come from, and which they are."""

RawOf = Callable[[str, str], str | None]
"""(source, uri) to the SHA-256 of the bytes that the source has there now; None: the source has nothing there."""


def stale_questions(
    questions: Sequence[Question],
    candidate: pl.DataFrame,
    live: Callable[[], pl.DataFrame],
    raw_of: RawOf,
    *,
    stale_before: Collection[str] = (),
) -> dict[str, str]:
    """Return the ids of the stale questions, in order, each with the reason.

    Args:
        questions: The set.
        candidate: The candidate's documents: doc_id, uri, text.
        live: Gives the live version's: also source and raw_sha256. Only called when a quote was lost.
        raw_of: What the sources have now.
        stale_before: Questions that were stale when the live version was published; they stay so until they are found.
    """
    missing = [label for label in locate(questions, candidate) if label.problem]
    if not missing:
        return {}
    lost = {label.id for label in missing}
    affected = [question for question in questions if question.id in {label.question_id for label in missing}]
    documents = live()
    origins = {row["doc_id"]: row for row in documents.select("doc_id", "uri", *RAW_COLUMNS).to_dicts()}
    labels: dict[str, list[Label]] = {question.id: [] for question in affected}
    for label in locate(affected, documents):
        if label.id in lost:
            labels[label.question_id].append(label)
    found = {key: _reason(own, origins, raw_of, stale_before=key in stale_before) for key, own in labels.items()}
    return {key: reason for key, reason in sorted(found.items()) if reason}


def _reason(labels: Sequence[Label], origins: Mapping[str, Any], raw_of: RawOf, *, stale_before: bool) -> str | None:
    """Say what the sources did to the text of a question's lost quotes; None when some of it was not their doing."""
    reasons: list[str | None] = []
    for label in labels:
        if not label.spans:  # neither version holds it
            reasons.append(f"{label.relevant.uri!r} no longer holds {label.relevant.quote!r}" if stale_before else None)
        held_by = dict.fromkeys(span.doc_id for span in label.spans)
        reasons += [_what_happened(origins[doc_id], raw_of) for doc_id in held_by]
    known = dict.fromkeys(reason for reason in reasons if reason)
    return _AND.join(known) if known and all(reasons) else None


def _what_happened(document: Mapping[str, Any], raw_of: RawOf) -> str | None:
    now = raw_of(document["source"], document["uri"])
    if now is None:
        return f"{document['uri']!r} {REMOVED}"
    return None if now == document["raw_sha256"] else f"{document['uri']!r} {CHANGED}"


def only_removed(reason: str) -> bool:
    """Return whether a question is stale only because documents went, of which the brake on deletions knew."""
    return all(part.endswith(REMOVED) for part in reason.split(_AND))
