"""What the platform does, in spans that observers are told of; where nobody observes, nothing is noted.

A request, a search, an answer and a stage of a run are each a span, with those in it as its children. `/metrics` counts
them and OpenTelemetry exports them, so what is done is said in one place. Attributes have the names of OpenTelemetry's
semantic conventions where these have one; `STAGE` is what `/metrics` groups by.
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeVar

STAGE = "rag.stage"
"""Attribute: the kind of work, such as "search.rerank"."""
Kind = Literal["internal", "server", "client"]
Attributes = Mapping[str, Any]
"""By name; what people wrote is a function that gives it, which is called only where that is wanted."""
NOTHING: Attributes = MappingProxyType({})
Y = TypeVar("Y")
R = TypeVar("R")

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is being answered; empty: none is."""


@dataclass(slots=True, eq=False)
class Span:
    """A piece of work."""

    name: str
    kind: Kind
    attributes: dict[str, Any]
    headers: Attributes
    """Of the request that it answers: these may name a trace to which it belongs."""
    began: int = field(default_factory=time.time_ns)
    """Nanoseconds since 1970."""
    seconds: float = 0.0
    """How long it took; 0 until it ends."""
    error: BaseException | None = None
    observers: tuple["Observer", ...] = field(default_factory=lambda: _observers)
    """Those that it is told to."""
    handles: dict[int, Any] = field(default_factory=dict)
    """What observers keep with it, by their `id`."""


class Observer(Protocol):
    """Is told of each span; must not fail."""

    def began(self, span: Span) -> None:
        """A span begins, in the one that is `within`, if any."""

    def within(self, span: Span) -> AbstractContextManager[object]:
        """Return what surrounds each piece of work of a span, in whatever thread it is done."""

    def ended(self, span: Span) -> None:
        """A span has ended, and has all its attributes."""


_observers: tuple[Observer, ...] = ()


def observe(observer: Observer) -> None:
    """Tell one more observer of all spans from now on."""
    global _observers  # noqa: PLW0603  as of logging: one process, one list
    _observers = (*_observers, observer)


def stop_observing(observer: Observer) -> None:
    """Tell an observer no more."""
    global _observers  # noqa: PLW0603
    _observers = tuple(one for one in _observers if one is not observer)


@contextmanager
def span(
    name: str, attributes: Attributes, kind: Kind = "internal", headers: Attributes = NOTHING
) -> Iterator[dict[str, Any]]:
    """Tell of what is done here; yields the attributes, to which more may be added.

    A generator must not yield within it, for whoever reads it would be within it too: that is what `spanned` is for.
    """
    noted = dict(attributes)
    if not _observers:
        yield noted
        return
    with _recorded(Span(name, kind, noted, headers)) as made, _within(made):
        yield noted


def spanned(
    name: str,
    events: Generator[Y, None, R],
    attributes: Attributes,
    kind: Kind = "internal",
    outcome: Callable[[R], Attributes] = lambda _: {},
) -> Generator[Y, None, R]:
    """Yield what a generator does, and return what it returns, and tell of it as of one span.

    Each of its steps may be done in another thread. `outcome` gives attributes of what it returned.
    """
    if not _observers:
        return (yield from events)
    with closing(events), _recorded(Span(name, kind, dict(attributes), {})) as made:
        while True:
            try:
                with _within(made):
                    event = next(events)
            except StopIteration as end:
                result: R = end.value
                made.attributes.update(outcome(result))
                return result
            yield event


@contextmanager
def _recorded(made: Span) -> Iterator[Span]:
    start = time.perf_counter()
    for observer in made.observers:
        observer.began(made)
    try:
        yield made
    except GeneratorExit:  # nobody wants the rest
        made.attributes["rag.stopped"] = True
        raise
    except BaseException as error:
        made.error = error
        raise
    finally:
        made.seconds = time.perf_counter() - start
        for observer in made.observers:
            observer.ended(made)


@contextmanager
def _within(made: Span) -> Iterator[None]:
    with ExitStack() as stack:
        for observer in made.observers:
            stack.enter_context(observer.within(made))
        yield
