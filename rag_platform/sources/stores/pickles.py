"""Pickles that others wrote, without running anything: what is no plain value becomes a bag of its attributes.

A pickle may name any function of any package and have it called. Here every class and function that it names is one and
the same that does nothing; see "Restricting Globals" in Python's own description of `pickle`.
"""

import io
import pickle
from collections.abc import Mapping
from typing import Any

_PLAIN = {("builtins", name) for name in ("set", "frozenset", "list", "dict", "tuple")} | {
    *(("datetime", name) for name in ("datetime", "date", "timezone", "timedelta")),
    ("uuid", "UUID"),
}
"""What is made as it is: it holds values and does nothing."""


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


class _Reading(pickle._Unpickler):
    """The one that is written in Python: the other takes memory for as many values as a pickle says it remembers."""

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
