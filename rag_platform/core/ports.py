"""What we ask of the parts that can be swapped. `Workspace` chooses; contract tests hold every adapter to it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from rag_platform.core.generation import AnswerStream, ReplyStream, Wishes
from rag_platform.core.hits import Hit

Progress = Callable[[int, int | None], None]
"""Called with what is done and the total (None: not known yet)."""


def silent(done: int, total: int | None) -> None:
    """Report no progress."""


def within(progress: Progress, start: int, total: int) -> Progress:
    """Return where a part that begins at `start` reports its progress, as that of the whole."""
    return lambda done, _: progress(start + done, total)


Reporter = Callable[[str], Progress]
"""Gives, for the name of a stage, where its progress goes."""


def quiet(stage: str) -> Progress:  # noqa: ARG001
    """Report no progress of any stage."""
    return silent


# --- sources ----------------------------------------------------------------------------------------


REMOVED = "removed by "
"""How the reason begins of what a person took out of a source."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something a source says it has."""

    uri: str
    """Canonical: the same thing has the same uri in every listing."""
    fingerprint: str | None = None
    """A cheap mark that changes when the content does; None: only a fetch can tell."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """What the source knows: title, author, published_at, updated_at (ISO 8601), type, language, and identity: what
    stays the same when the item gets another uri."""
    content: bytes | None = None
    """The content itself, or what stands in for it when a fetch fails (a feed entry's own text)."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source says it has now."""

    items: Sequence[Item]
    complete: bool
    """True when what is not listed does not exist: only then can missing mean deleted."""
    confirmations: int = 1
    """Complete listings in a row that must miss an item before it counts as deleted."""
    failed: Sequence[tuple[str, str]] = ()
    """(uri, reason) of parts of the listing that could not be read."""
    unlisted: Sequence[str] = ()
    """Beginnings of uris: what begins so could not be listed now, and is not missing."""
    expect: Callable[[Sequence[Item]], None] | None = None
    """Told once which items will be fetched, before the first is: what reads many at a time reads these together."""
    removed: Sequence[tuple[str, str]] = ()
    """(uri, reason, which begins with `REMOVED`) of what a person took out on purpose: it goes, and no brake asks."""


@dataclass(frozen=True, slots=True)
class Validators:
    """What a conditional request sends, from the last good fetch."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of one item."""

    content: bytes
    content_type: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    """Added to the item's metadata, over it."""
    provisional: bool = False
    """Stands in for something that could not be had now: it is asked for again next time."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last good fetch of one address."""

    validators: Validators
    content_type: str | None
    content: Callable[[], bytes]
    """Reads the bytes; `StorageError` when they were lost."""


def nothing(uri: str) -> Last | None:  # noqa: ARG001
    """Know nothing: as on the first sync."""
    return None


def nothing_below(beginning: str) -> bool:  # noqa: ARG001
    """Know nothing: as on the first sync."""
    return False


class Gone(Exception):
    """Raised by `Source.fetch` when the source itself says that the item no longer exists (HTTP 410)."""


class Source(Protocol):
    """Where documents come from."""

    def list(self) -> Listing:
        """Name what there is; `SourceError` when the source cannot be listed at all."""
        ...

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Read one item; None when it has not changed; `FetchError` or `Gone` when there is nothing."""
        ...


@runtime_checkable
class Resuming(Protocol):
    """A source that lists what came since the last time; optional, beside `Source`. It must know what has arrived."""

    def restart(self) -> None:
        """List everything the next time."""
        ...

    def settled(self) -> None:
        """Go on from here the next time: all that was listed and fetched is kept."""
        ...


@runtime_checkable
class Watched(Protocol):
    """A source that can say at little cost whether anything may have changed, so that it can be asked often.

    Optional, beside `Source`. Keep the source object between two calls where you can: what makes the next call cheap
    may live in it (a folder remembers its directories). Open another when its settings have changed.
    """

    def fingerprint(self) -> str:
        """Return a mark of all there is, comparable across processes; `SourceError` when there is no telling just now.

        Another mark means that a sync is due. The same mark means that none was noticed: a change that costs much to
        notice, such as a file overwritten in place, may show minutes later (the adapter says how late at most).
        """
        ...


# --- models -----------------------------------------------------------------------------------------


class Embedder(Protocol):
    """Turns text into unit vectors whose dot product is their similarity."""

    fingerprint: str
    """Names model, revision, precision and pooling: vectors of another fingerprint are never mixed."""
    dimension: int
    max_tokens: int
    """Longer texts are cut."""

    def embed_passages(self, texts: Sequence[str], progress: Progress = silent) -> np.ndarray:
        """Embed texts to be found: float32, shape (len(texts), dimension), unit rows."""
        ...

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,), unit length."""
        ...

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        """Count the model's own tokens of each text, special tokens included, nothing cut."""
        ...


class Memo(Protocol):
    """Results of pure functions by a hash of all that they depend on; it saves work, and never changes a result."""

    def get(self, key: str) -> np.ndarray | None:
        """Return what was put under the key, not to be written to; None: nothing is known."""
        ...

    def put(self, key: str, result: np.ndarray, took_ms: float) -> None:
        """Keep a result, with the milliseconds that it took to compute."""
        ...


class Reranker(Protocol):
    """Orders passages by a closer look than the first stage can afford."""

    name: str
    calibrated: bool
    """Whether scores lie in [-1, 1] and mean the same for every question; others are scaled over the candidates."""
    weight: float
    """What its score counts beside the first stage's, which is in [0, 1], where the settings do not say."""
    depth: int
    """How many candidates it looks at, at most, where the settings do not say."""
    margin: float
    """How far behind the best of the first stage a candidate is worth its look, where the settings do not say."""
    languages: tuple[str, ...]
    """ISO 639-1, of those that it reads; empty: not stated, or all."""

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:
        """Score each passage: float32, shape (len(passages),), higher is better, not normalised.

        `-inf` drops a passage: it does not answer, and is not shown. NaN is no judgement: the first stage's stands.
        The passages come in the first stage's order, which must not matter to a score.

        Args:
            question: what is asked.
            passages: what may answer it, best first.
            weight: gives the importance of a word of the question in the corpus (its idf).

        Raises:
            RerankError: some could not be judged; it carries the scores that there are.
        """
        ...

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:
        """Return the probability that each passage is relevant: float32; NaN: its score does not tell.

        Args:
            scores: its own; NaN: no judgement.
            words: the passages' shares of the question's words, in [0, 1].
            similarity: their cosines.
        """
        ...


class PassageTokens(Protocol):
    """The token vectors of passages, as `token_codes.packed` makes them."""

    @property
    def bits(self) -> int:
        """Of a dimension."""
        ...

    def of(self, passages: Sequence[str]) -> list[bytes | None]:
        """Return those of each passage; None: they are not stored."""
        ...


@runtime_checkable
class SpaceReranker(Reranker, Protocol):
    """One that reads with the model of a passage's vector space."""

    def of_space(self, model: Mapping[str, Any], stored: PassageTokens | None = None) -> Reranker | None:
        """Return the one that reads with this model, as a manifest describes it; None: the model cannot rerank.

        What is `stored` of a passage is not computed again.

        Raises:
            ModelError: the model is not here.
        """
        ...


class Generator(Protocol):
    """Writes an answer from numbered sources."""

    @property
    def name(self) -> str:
        """Of the model, or "extractive"."""
        ...

    def stream(self, question: str, hits: Sequence[Hit]) -> AnswerStream:
        """Yield an answer whose sentences carry marks [n], n being a 1-based place in `hits`; see `writing`."""
        ...


@runtime_checkable
class Converser(Protocol):
    """A generator that can also be talked with, and be given tools."""

    def converse(self, prompt: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> ReplyStream:
        """Yield the model's text and reasoning, and return its whole reply; `GenerationError` when there is none.

        An empty piece of reasoning says that the model is still silent, so that a caller may stop.
        """
        ...


@runtime_checkable
class Obliging(Protocol):
    """A generator that can be told how to write."""

    def wishing(self, wishes: Wishes) -> Generator:
        """Return one that writes as is wished."""
        ...


# --- publication ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceJudgement:
    """What a version does with one source, against the live one."""

    source: str
    passed: bool
    reasons: tuple[str, ...] = ()
    """In sentences for people; of a source that has too few questions also that."""
    questions: int = 0
    """How many rest on its documents."""
    lost: tuple[str, ...] = ()
    """Questions, by id, that lost their answer because of it: they rest on it, or its documents took their place."""
    measures: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    """(in the live version, in this one), over the questions that rest on it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a gate decided on a version, and the numbers that it rests on."""

    version: str
    passed: bool
    reasons: tuple[str, ...]
    """In sentences for people."""
    questions: int = 0
    """How many were scored."""
    means: Mapping[str, float] = field(default_factory=dict)
    """By measure."""
    report: str = ""
    """Markdown."""
    sources: Mapping[str, SourceJudgement] = field(default_factory=dict)
    """By source; those to which the loss is laid do not pass. All pass where it cannot be laid at one."""


class Gate(Protocol):
    """Decides whether a candidate version may be published."""

    def judge(self, version: str, *, progress: Progress = silent) -> Judgement:
        """Judge a version against the live one, and store the verdict with it (`Versions.record_evaluation`).

        The verdict is a JSON object with at least ``passed``, ``reasons`` and ``live``, the version that was live when
        it was judged, or None. A version that is not sound does not pass, whatever its scores.
        """
        ...
