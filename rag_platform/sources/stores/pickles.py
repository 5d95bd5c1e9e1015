"""Pickles that others wrote, without running anything: what is no plain value becomes a bag of its attributes.

A pickle may name any function of any package and have it called. Here every class and function that it names is one and
the same that does nothing; see "Restricting Globals" in Python's own description of `pickle`.
"""

import io
import pickle
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import inf
from typing import Any, ClassVar

_PLAIN = {*(("datetime", name) for name in ("datetime", "date", "timezone", "timedelta")), ("uuid", "UUID")}
"""What is made as it is: it holds a value and does nothing. Lists, tuples and sets have signs of their own."""
_UNREAD = {*pickle.LONG4, *pickle.BYTEARRAY8, *pickle.NEXT_BUFFER, *pickle.READONLY_BUFFER}
"""Signs that are not read: numbers and memory of any size."""
_ARGUMENTS = 64
"""Most that a class or a function is called with: they are copied for each call."""


_DEEPEST = 100
"""Values within values."""


class PickleRefused(ValueError):
    """It is no pickle, or a damaged one."""


class Bag:
    """Stands for an object of any class."""

    def __new__(cls, *given: Any, **named: Any) -> "Bag":  # noqa: ARG004  whatever the class takes
        """Take what the class would have been given."""
        bag = super().__new__(cls)
        bag.given = given
        bag.state = None
        return bag

    def __init__(self, *_: Any, **__: Any) -> None: ...

    given: tuple[Any, ...]
    state: Any

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def __setitem__(self, key: Any, value: Any) -> None: ...

    def append(self, value: Any) -> None:
        """Take what a list would."""

    def extend(self, values: Any) -> None:
        """Take what a list would."""

    def add(self, value: Any) -> None:
        """Take what a set would."""

    def __hash__(self) -> int:
        return id(self)


class _Tuple(tuple[Any, ...]):
    """A tuple that is told apart by what it is: the hash of tuples in tuples takes twice as long with each level."""

    __slots__ = ()

    def __hash__(self) -> int:
        return id(self)


class _Reading(pickle._Unpickler):
    """The one that is written in Python: the other takes memory for as many values as a pickle says it remembers.

    What a sign costs grows with what was put there for it, and not with what another one points to.
    """

    stack: list[Any]
    append: Callable[[Any], None]
    pop_mark: Callable[[], list[Any]]
    dispatch: ClassVar[dict[int, Callable[[Any], None]]] = {
        sign: load for sign, load in pickle._Unpickler.dispatch.items() if sign not in _UNREAD
    }

    def _load_tuple(self) -> None:
        items = self.pop_mark()
        self.append(_Tuple(items))

    def _load_short(self, count: int) -> None:
        self.stack[-count:] = [_Tuple(self.stack[-count:])]

    def _load_call(self, load: Callable[[Any], None], place: int) -> None:
        if len(self.stack[place]) > _ARGUMENTS:
            raise PickleRefused(f"a call with more than {_ARGUMENTS} arguments")
        load(self)

    dispatch[pickle.TUPLE[0]] = _load_tuple
    for _sign, _count in ((pickle.TUPLE1, 1), (pickle.TUPLE2, 2), (pickle.TUPLE3, 3)):
        dispatch[_sign[0]] = partial(_load_short, count=_count)
    for _sign, _place in ((pickle.REDUCE, -1), (pickle.NEWOBJ, -1), (pickle.NEWOBJ_EX, -2)):
        dispatch[_sign[0]] = partial(_load_call, load=dispatch[_sign[0]], place=_place)

    def find_class(self, module: str, name: str) -> Any:
        return super().find_class(module, name) if (module, name) in _PLAIN else Bag

    def persistent_load(self, pid: Any) -> Any:
        return Bag(pid)


def unpickled(content: bytes) -> Any:
    """Read a pickle; `PickleRefused` when it cannot be."""
    try:
        return _Reading(io.BytesIO(content)).load()
    except Exception as error:  # a hostile one may do anything to the reader
        raise PickleRefused(f"no pickle that can be read ({type(error).__name__}: {error})") from error


def plain_attributes(value: Any) -> Mapping[str, Any]:
    """Return the attributes of an object that was pickled: of a class of pydantic or an ordinary one."""
    state = value.state if isinstance(value, Bag) else value
    if isinstance(state, tuple):  # (attributes, slots)
        state = {**(state[0] or {}), **(state[1] or {})}
    state = state if isinstance(state, dict) else {}
    inner = state.get("__dict__")
    return inner if isinstance(inner, dict) else state


def unfolded_size(value: Any) -> float:
    """Return how large a value is when all is written out to which it points: characters, and 8 for each value.

    Infinite for what holds itself, or nests deeper than anything of use. What is pointed to twice is looked at once.
    """
    known: dict[int, tuple[float, int]] = {}
    begun: set[int] = set()
    waiting = [value]
    while waiting:
        one = waiting[-1]
        inner = _inner(one)
        if id(one) in known or inner is None:
            known.setdefault(id(one), (8 + (len(one) if isinstance(one, str | bytes) else 0), 1))
            waiting.pop()
        elif id(one) not in begun:
            begun.add(id(one))
            missing = [item for item in inner if id(item) not in known]
            if any(id(item) in begun for item in missing):
                return inf
            waiting += missing
        else:
            parts = [known[id(item)] for item in inner]
            size, depth = 8 + sum(part[0] for part in parts), 1 + max((part[1] for part in parts), default=0)
            if depth > _DEEPEST:
                return inf
            known[id(one)] = size, depth
            waiting.pop()
    return known[id(value)][0]


def _inner(value: Any) -> Iterable[Any] | None:
    """Return what a value holds; None: nothing."""
    match value:
        case dict():
            return [*value.keys(), *value.values()]
        case list() | tuple() | set() | frozenset():
            return value
        case Bag():
            return value.given, value.state
    return None
