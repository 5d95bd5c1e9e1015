"""Tables of nDCG@10: ways of searching side by side, before and after, and without each part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from benchmarks.retrieval.development_sets import HALVES, Collection
from benchmarks.retrieval.trees import Scores
from evals.measures.intervals import interval

RETRIEVERS = ("words", "meaning")
OURS = ("hybrid", "rerank")


@dataclass(frozen=True)
class Scored:
    """A collection's scores by each tree, the newest first."""

    collection: Collection
    halves: dict[str, list[str]]
    trees: list[Scores]

    def values(self, run: str, half: str, tree: int = 0) -> np.ndarray:
        """Return nDCG@10 of each question of a half; NaN where the run failed."""
        found = self.trees[tree][run].get("ndcg", {})
        return np.array([found.get(key, np.nan) for key in self.halves[half]])

    def better(self, half: str, tree: int = 0) -> np.ndarray:
        """Return the values of the retriever that is the better one on this half."""
        return max((self.values(run, half, tree) for run in RETRIEVERS), key=lambda values: values.mean())


def modes(rows: Sequence[Scored]) -> str:
    """Return a table per group and half: every way of searching, and what ours have more than the better retriever."""
    head = "| {} | questions | words | meaning | RRF | hybrid | less better | rerank | less better | of better | ms |"
    lines = []
    for title, half, group in _groups(rows):
        lines += ["", head.format(title), "|---|" + "--:|" * 10]
        for row in group:
            cells = [f"{row.values(run, half).mean():.4f}" for run in (*RETRIEVERS, "RRF")]
            better = row.better(half)
            for run in OURS:
                values = row.values(run, half)
                cells += [f"{values.mean():.4f}", _difference(values - better)]
            ratio = row.values("rerank", half).mean() / better.mean()
            last = f"{ratio:.3f} | {row.trees[0]['rerank'].get('ms', float('nan')):.0f}"
            lines.append(f"| {row.collection.name} | {len(row.halves[half])} | {' | '.join(cells)} | {last} |")
        lines.append(_mean(group, half))
    return "\n".join(lines)


def _mean(group: Sequence[Scored], half: str) -> str:
    """Return the last row of a table, of the means of its collections."""
    means = {
        run: float(np.mean([row.values(run, half).mean() for row in group])) for run in (*RETRIEVERS, "RRF", *OURS)
    }
    better = float(np.mean([row.better(half).mean() for row in group]))
    cells = [f"{means[run]:.4f}" for run in (*RETRIEVERS, "RRF")]
    cells += [cell for run in OURS for cell in (f"{means[run]:.4f}", f"{means[run] - better:+.4f}")]
    return f"| **mean** | {len(group)} sets | {' | '.join(cells)} | {means['rerank'] / better:.3f} | |"


def changes(rows: Sequence[Scored]) -> str:
    """Return a table per group and half: each way of searching before and after."""
    lines, ways = [], (*RETRIEVERS, *OURS)
    for title, half, group in _groups(rows):
        lines += ["", f"| {title}: before → after | " + " | ".join(ways) + " |", "|---|" + "---|" * len(ways)]
        for row in group:
            cells = []
            for run in ways:
                after, before = row.values(run, half), row.values(run, half, 1)
                cells.append(f"{before.mean():.4f} → {after.mean():.4f}, {_difference(after - before)}")
            lines.append(f"| {row.collection.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def parts(rows: Sequence[Scored], names: Sequence[str]) -> str:
    """Return a table per group and half: what `rerank` has more with each part than without it."""
    lines = []
    for title, half, group in _groups(rows):
        lines += ["", f"| {title}: rerank gains by | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
        for row in group:
            whole = row.values("rerank", half)
            cells = (_difference(whole - row.values(name, half)) for name in names)
            lines.append(f"| {row.collection.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _groups(rows: Sequence[Scored]) -> Iterator[tuple[str, str, list[Scored]]]:
    """Yield (title, half, collections) of each table."""
    for group, found in groupby(rows, key=lambda row: row.collection.group):
        collected = list(found)
        for half in HALVES:
            some = [row for row in collected if row.halves[half]]
            if some:
                yield f"{group}, {half}", half, some


def _difference(values: np.ndarray) -> str:
    """Return a mean difference with its interval."""
    if not len(values) or np.isnan(values).any():
        return "–"
    if not values.any():
        return "0"
    found = interval(values)
    return f"{values.mean():+.4f}" + (f" [{found[0]:+.3f}, {found[1]:+.3f}]" if found else "")
