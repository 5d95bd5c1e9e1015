"""How many documents each choice of a filter leaves, of all or of those that a question finds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from rag_platform.core.hits import Filters
from rag_platform.index.releases.open_version import OpenVersion

OF_FACET = {
    "collection": "collections",
    "source": "sources",
    "language": "languages",
    "type": "types",
    "tag": "tags",
    "since": "since",
    "until": "until",
    "archived": "archived",
}
"""The field of `Filters` that each facet sets."""
_ADDS_UP = ("tag",)
"""Facets of which every choice must hold: a further choice narrows what was chosen, instead of adding to it."""
_ALL = Filters()


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts of documents, by what they would be filtered by."""

    counts: Mapping[str, Mapping[str, int]]
    """By facet and value, the most frequent first."""
    since: Mapping[datetime, int] = field(default_factory=dict)
    """Dated at or after each moment."""
    documents: int = 0
    """That pass all filters."""
    without: Mapping[str, int] = field(default_factory=dict)
    """By each facet with a choice: documents that would be left without it."""


def facets(
    index: OpenVersion,
    filters: Filters,
    documents: Callable[[Filters], np.ndarray],
    moments: Sequence[datetime] = (),
) -> Facets:
    """Count what each choice would leave.

    A facet with a choice is counted as if nothing were chosen in it, so that its other values show what they would add.

    Args:
        index: what is counted.
        filters: what is chosen, and who asks.
        documents: gives the documents that these filters leave: bool, for each document.
        moments: from each of which documents are counted too.
    """
    attributes = index.catalog.attributes
    chosen = documents(filters)
    counts, since, without = dict(attributes.facets(chosen)), attributes.since(chosen, moments), {}
    for facet, name in OF_FACET.items():
        if getattr(filters, name) == getattr(_ALL, name):
            continue
        others = documents(replace(filters, **{name: getattr(_ALL, name)}))
        without[facet] = int(others.sum())
        if facet == "since":
            since = attributes.since(others, moments)
        elif facet in counts and facet not in _ADDS_UP:
            counts[facet] = attributes.facets(others)[facet]
    return Facets(counts, dict(zip(moments, since, strict=True)), int(chosen.sum()), without)
