"""How much of the wanted text is in the retrieved chunks: the measures of Smith and Troynikov, counted in characters.

Brandon Smith and Anton Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, July 2024.
The report defines its measures over tokens; its code counts characters, and so does this. A character that several
retrieved chunks repeat is found once and paid for each time.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np


class Span(NamedTuple):
    """Characters of one corpus."""

    corpus: str
    start: int
    end: int


class Overlap(NamedTuple):
    """What one question's chunks hold of its references."""

    recall: float
    precision: float
    iou: float


def _marked(spans: Iterable[Span], length: int) -> np.ndarray:
    marks = np.zeros(length, bool)
    for _, start, end in spans:
        marks[start:end] = True
    return marks


def overlap(references: Sequence[Span], retrieved: Sequence[Span], length: int) -> Overlap:
    """Compare retrieved chunks with the references, which lie in one corpus of `length` characters."""
    wanted = _marked(references, length)
    found = wanted & _marked((span for span in retrieved if span.corpus == references[0].corpus), length)
    hit, all_wanted, paid = int(found.sum()), int(wanted.sum()), sum(span.end - span.start for span in retrieved)
    return Overlap(hit / all_wanted, hit / paid if paid else 0.0, hit / (paid + all_wanted - hit))


def touching(references: Sequence[Span], chunks: Iterable[Span]) -> list[Span]:
    """Return the chunks that hold any of the references' text: what a perfect retrieval would return."""
    return [
        chunk
        for chunk in chunks
        if any(chunk.corpus == one.corpus and chunk.start < one.end and one.start < chunk.end for one in references)
    ]


def precision_omega(references: Sequence[Span], chunks: Iterable[Span], length: int) -> float:
    """Return the precision at full recall: of all chunks that touch a reference, each character paid for once."""
    wanted = _marked(references, length)
    paid = wanted | _marked(touching(references, chunks), length)
    return float((wanted & _marked(touching(references, chunks), length)).sum() / paid.sum())
