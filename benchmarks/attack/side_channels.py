"""What figures and clocks tell of what is not shown: guesses in 10,000 questions, and a classifier that learns half.

A hidden document holds half of the guesses. On questions that it has not seen, the classifier must not tell the halves
apart from scores, counts and order, or from time.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.attack.classifier import accuracy
from benchmarks.attack.corpora import guesses, published
from benchmarks.attack.outcome import Outcome
from rag_platform.answering.claim_files.claim_measures import wilson_interval
from rag_platform.core.hits import Filters
from rag_platform.retrieval import Retriever

_QUERIES = 10_000
_ALONE = 6_000
"""Words that are looked up without the rest of a search."""
_Row = tuple[str, bool, list[float], list[float]]
"""A word, whether it is held, what was shown, and what time it took."""


def side_channels(chance: Random, folder: Path, seconds: float) -> Iterator[Outcome]:
    """Yield how well a classifier tells from what comes back whether a hidden document holds a word."""
    corpus, every = guesses(chance, _QUERIES + _ALONE)
    retriever, others = published(corpus, folder), set(chance.sample(sorted(every), _ALONE))
    alone, words = ({word: held for word, held in every.items() if (word in others) == one} for one in (True, False))
    rows = list(islice(_asked(retriever, words, (), chance, time.monotonic() + seconds), _QUERIES))
    able = list(
        islice(_asked(retriever, words, ("user:owner",), chance, time.monotonic() + seconds / 4), _QUERIES // 5)
    )
    training = set(chance.sample(sorted(words), len(words) // 2))
    names = ("scores, counts and order", "time")
    for place, name in enumerate(names):
        right, tested = _told(rows, training, place)
        notes = [_note(right, tested)]
        if place == 0:
            could, of = _told(able, training, place)
            notes.append(
                f"of what the owner of the documents is shown the same classifier tells {could / max(1, of):.3f}"
            )
        yield _outcome(name, len(rows), right, tested, notes)
    looked_up = list(_looked_up(retriever, alone, chance))
    right, tested = _told(looked_up, set(chance.sample(sorted(alone), len(alone) // 2)), 1)
    yield _outcome("the processor's time for looking it up", len(looked_up), right, tested, [_note(right, tested)])


def _note(right: int, tested: int) -> str:
    low, high = wilson_interval(right, tested)
    return f"right {right / max(1, tested):.4f} of {tested:,}, 95 % interval {low:.4f} to {high:.4f}"


def _outcome(name: str, tries: int, right: int, tested: int, notes: Sequence[str]) -> Outcome:
    told = wilson_interval(right, tested, 3.3)[0] > 0.5  # by chance once in a thousand campaigns
    return Outcome(f"does a hidden document hold a word, from {name}", tries, int(told), notes=tuple(notes))


def _looked_up(retriever: Retriever, words: dict[str, bool], chance: Random) -> Iterator[_Row]:
    """Look each word up once, without the rest of a search; this thread's own time is no longer on a busy machine."""
    live = retriever.live()
    statistics, allowed = live.view(()).statistics, live.catalog.allowed(Filters())
    for word in chance.sample(sorted(words), len(words)):
        start = time.thread_time_ns()
        live.lexical.search(f"harbour pilot {word}", 30, statistics, allowed)
        yield word, words[word], [], [(time.thread_time_ns() - start) / 1000]


def _asked(
    retriever: Retriever, words: dict[str, bool], me: Sequence[str], chance: Random, ends: float
) -> Iterator[_Row]:
    """Ask for each word once, in any order; yield it, whether it is held, what was shown and what time it took."""
    filters, turns = Filters(principals=tuple(me)), chance.sample(sorted(words), len(words))
    known: dict[str, float] = {}
    for word in turns:
        if time.monotonic() > ends:
            return
        start = time.perf_counter()
        found = retriever.search(f"harbour pilot {word}", mode="lexical", filters=filters, trace=True)
        took = time.perf_counter() - start
        left = retriever.facets(filters, f"harbour pilot {word}", mode="lexical", known=found)
        places = [known.setdefault(hit.uri, len(known)) for hit in found.hits]
        shown = [(hit.score, hit.relevance or 0.0, hit.scores.lexical or 0.0) for hit in found.hits[:5]]
        flat = [value for row in shown for value in row]
        counts = [len(found.hits), left.documents, len(found.understood), found.nothing_relevant]
        counts += [sum(left.counts[facet].values()) for facet in ("collection", "tag")]
        padded = [*flat, *[0.0] * (15 - len(flat)), *counts, *places[:10], *[-1.0] * (10 - len(places))]
        times = [found.took_ms.get(stage, 0.0) for stage in ("understand", "lexical", "fuse", "judge", "total")]
        yield word, words[word], [*map(float, padded)], [1000 * took, *times]


def _told(rows: Sequence[tuple], training: set[str], place: int) -> tuple[int, int]:
    """Return how often the classifier was right, of how many; it learns from the `training` words alone."""
    features = np.array([row[2 + place] for row in rows], float)
    held = np.array([row[1] for row in rows])
    known = np.array([row[0] in training for row in rows])
    return accuracy(features[known], held[known], features[~known], held[~known])
