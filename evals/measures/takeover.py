"""Did a few new documents of one origin take over what the live version answers?

Whoever plants texts to be found first does it for many questions at a time (Zou et al., "PoisonedRAG", USENIX Security
2025: five texts for each question). Ordinary growth answers what was not answered before, or stands behind what was: so
only questions count whose labelled passage the live version had among its first five. Such a question is taken over
when a new document stands first, and either most of the first five are new ones of its origin, or the same document
stands first for several such questions.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import polars as pl

from evals.measures.scoring import Scores

_TOP = 5
_MOST_OF_THEM = 3
FEWEST = 3
"""Questions below which nothing is said."""


@dataclass(frozen=True, slots=True)
class Takeover:
    """What new documents of one origin took."""

    origin: str
    """A source, with the host of its addresses where they have one."""
    questions: tuple[str, ...]
    """The questions taken over, by id."""
    of: int
    """Questions that the live version answers."""
    documents: tuple[str, ...]
    """Addresses of the new documents that stand first, the most frequent first."""
    source: str = ""

    @property
    def share(self) -> float:
        """The share of the live version's answered questions that it took."""
        return len(self.questions) / max(1, self.of)


def takeovers(candidate: Scores, live: Scores, documents: pl.DataFrame, before: pl.DataFrame) -> list[Takeover]:
    """Return what each origin's new documents took over, the most first.

    Args:
        candidate: Its scores, with the hits of each question.
        live: Those of the live version.
        documents: The candidate's documents: doc_id, source, uri.
        before: The live version's: doc_id.
    """
    fresh = documents.filter(~pl.col("doc_id").is_in(before["doc_id"].to_list()))
    uris = dict(fresh.select("doc_id", "uri").iter_rows())
    origin = {key: _origin(*row) for key, *row in fresh.select("doc_id", "source", "uri").iter_rows()}
    sources = {_origin(*row): row[0] for row in fresh.select("source", "uri").iter_rows()}
    answered = set(live.deciding.filter(pl.col("Success@5") > 0)["id"]) - set(candidate.stale)
    tops = {key: _top(hits) for key, hits in candidate.deciding.select("id", "hits").iter_rows() if key in answered}
    first = Counter(top[0] for top in tops.values() if top)
    taken: dict[str, list[str]] = defaultdict(list)
    for key, top in tops.items():
        if top and top[0] in origin and (_mostly(top, origin) or first[top[0]] >= FEWEST):
            taken[origin[top[0]]].append(key)
    found = [
        Takeover(name, tuple(keys), len(answered), tuple(_leading(keys, tops, uris)), sources[name])
        for name, keys in taken.items()
    ]
    return sorted((one for one in found if len(one.questions) >= FEWEST), key=lambda one: -len(one.questions))


def _origin(source: str, uri: str) -> str:
    host = urlsplit(uri).hostname if uri.startswith(("http://", "https://")) else None
    return f"{source} ({host})" if host else source


def _top(hits: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """Return the documents of the first hits, with those that were collapsed into them, each once."""
    found = [one["doc_id"] for hit in hits or () for one in (hit, *(hit["duplicates"] or ()))]
    return list(dict.fromkeys(found))[:_TOP]


def _mostly(top: Sequence[str], origin: Mapping[str, str]) -> bool:
    return sum(origin.get(one) == origin[top[0]] for one in top) >= _MOST_OF_THEM


def _leading(keys: Sequence[str], tops: Mapping[str, list[str]], uris: Mapping[str, str]) -> list[str]:
    return [uris[doc_id] for doc_id, _ in Counter(tops[key][0] for key in keys).most_common(5)]
