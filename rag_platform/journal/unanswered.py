"""What people asked and the documents did not answer, grouped by what it is about, the most asked first.

What was asked of chosen documents alone, as each cell of a grid is, tells of no gap and is left out.

Questions that say nearly the same are found by the model's own vectors: each joins the group to whose members it is
most similar on average, or begins one. Cosines of one model are not those of another, so they are taken relative to
those between questions that have nothing to do with each other.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Embedder
from rag_platform.journal.journal import Journal
from rag_platform.models.vector_cache import VectorCache

SIMILAR = 0.55
"""Average similarity to a group from which a question joins it; 0 is that of unrelated questions, 1 of equal ones."""
MOST = 1000
"""Different questions that are grouped, the most asked ones."""
_CACHED = 32_000_000
_UNRELATED = (
    "What time does the train to the coast leave?",
    "How do I bake bread without yeast?",
    "Who painted the ceiling of the chapel?",
    "Which vaccine is given at birth?",
    "How is income from rent taxed?",
    "Where can I buy tickets for the match?",
    "What is the capital of Mongolia?",
    "How do I reset a forgotten password?",
    "Why do leaves turn red in autumn?",
    "When was the bridge across the river built?",
    "How many players are in a handball team?",
    "What does the engine warning light mean?",
    "Which verbs take the subjunctive?",
    "How deep do you plant garlic?",
    "What is the boiling point of ethanol?",
    "Who leads the department of finance?",
)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question, however often it was asked; who asked is not known here."""

    question: str
    """In the words of whoever asked last."""
    times: int
    last: datetime
    receipt_id: str
    """Of the last time."""


@dataclass(frozen=True, slots=True)
class Group:
    """Questions about the same thing."""

    questions: tuple[AskedQuestion, ...]
    """The most asked first: it names the group."""

    @property
    def times(self) -> int:
        """How often they were asked in all."""
        return sum(one.times for one in self.questions)

    @property
    def last(self) -> datetime:
        """When one of them was last asked."""
        return max(one.last for one in self.questions)


class UnansweredQuestions:
    """The unanswered questions of a journal; vectors are kept, so that looking again costs little."""

    def __init__(self, journal: Callable[[], Journal], embedder: Callable[[], Embedder]) -> None:
        self._journal = journal
        self._embedder = embedder
        self._vectors = VectorCache(_CACHED)

    def asked(self, days: int, now: datetime | None = None) -> list[AskedQuestion]:
        """Return what was not answered in the last so many days; equal but for case and punctuation is one."""
        since = ((now or datetime.now(UTC)) - timedelta(days=days)).isoformat()
        with self._journal().reading() as connection:
            return _counted(connection.execute(_ABSTAINED, {"since": since, "after": 0}).fetchall())

    def after(self, place: int | None) -> tuple[int, list[AskedQuestion]]:
        """Return the place of the newest receipt, and what was not answered in those after `place`; None: nothing."""
        with self._journal().reading() as connection:
            newest = connection.execute("select max(rowid) from receipts").fetchone()[0] or 0
            rows = connection.execute(_ABSTAINED, {"since": "", "after": newest if place is None else place}).fetchall()
        return newest, _counted(rows)

    def groups(self, asked: Sequence[AskedQuestion]) -> list[Group]:
        """Group the `MOST` most asked of them by meaning, the group asked most often first.

        Raises:
            ModelError: the model is not here; `singletons` groups without it.
        """
        some = asked[:MOST]
        if not some:
            return []
        vectors, background = self._embed([one.question for one in some])
        return _sorted([some[place] for place in members] for members in cluster(vectors, background))

    def _embed(self, questions: Sequence[str]) -> tuple[np.ndarray, float]:
        """Return the questions' vectors, shape (questions, dimension), and the cosine of unrelated questions."""
        embedder = self._embedder()
        texts = [*questions, *_UNRELATED]
        keys = [f"{embedder.fingerprint} {text}" for text in texts]
        known = {key: vector for key in keys if (vector := self._vectors.get(key)) is not None}
        missing = [(key, text) for key, text in zip(keys, texts, strict=True) if key not in known]
        computed = embedder.embed_passages([text for _, text in missing])
        for (key, _), vector in zip(missing, computed, strict=True):
            known[key] = vector.copy()
            self._vectors.put(key, known[key])
        vectors = np.array([known[key] for key in keys])
        if not np.isfinite(vectors).all():
            raise ModelError("the model gave vectors that are no numbers")
        return vectors[: len(questions)], _background(vectors[len(questions) :])


def singletons(asked: Sequence[AskedQuestion]) -> list[Group]:
    """Make each question a group of its own, for when there is no model."""
    return _sorted([one] for one in asked[:MOST])


def cluster(vectors: np.ndarray, background: float) -> list[list[int]]:
    """Group vectors by average similarity; each group holds their rows, in order.

    Args:
        vectors: unit rows.
        background: the cosine of two vectors that have nothing to do with each other.
    """
    sums, groups = np.zeros_like(vectors), list[list[int]]()
    sizes = np.zeros(len(vectors))
    threshold = background + SIMILAR * (1 - background)
    for index, vector in enumerate(vectors):
        count = len(groups)
        similarity = sums[:count] @ vector / sizes[:count]
        best = int(similarity.argmax()) if count else 0
        if not count or similarity[best] < threshold:
            best = count
            groups.append([])
        groups[best].append(index)
        sums[best] += vector
        sizes[best] += 1
    return groups


def _background(vectors: np.ndarray) -> float:
    others = ~np.eye(len(vectors), dtype=bool)
    return float((vectors @ vectors.T)[others].mean())


def _sorted(groups: Iterable[Sequence[AskedQuestion]]) -> list[Group]:
    return sorted((Group(tuple(one)) for one in groups), key=lambda one: (-one.times, -one.last.timestamp()))


def _counted(rows: Iterable[Sequence[Any]]) -> list[AskedQuestion]:
    """Return the questions of rows, one for each wording and the latest first, the most asked first."""
    found: dict[str, AskedQuestion] = {}
    for question, times, last, receipt_id in rows:
        key = _normalised(question)
        before = found.get(key)
        one = before or AskedQuestion(question.strip(), 0, datetime.fromisoformat(last), receipt_id)
        found[key] = AskedQuestion(one.question, one.times + times, one.last, one.receipt_id)
    return sorted(found.values(), key=lambda one: (-one.times, -one.last.timestamp()))


def _normalised(question: str) -> str:
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", question)).casefold().strip() or question


_ABSTAINED = """
select asked, times, asked_at, id from (
    select asked, asked_at, id, count(*) over (partition by asked) as times,
        row_number() over (partition by asked order by asked_at desc, place desc) as back
    from (
        select case when standalone <> '' then standalone else question end as asked, asked_at, id, rowid as place
        from receipts indexed by receipts_unanswered where abstained and asked_at >= :since and rowid > :after
            and coalesce(json_extract(filters, '$.documents'), '[]') = '[]'
    ) as unanswered
) as counted where back = 1 order by asked_at desc
"""
