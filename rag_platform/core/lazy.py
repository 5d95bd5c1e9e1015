"""What is made when it is first asked for, and kept: a part of an object, a method's answers."""

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast, overload
from weakref import WeakMethod

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")


def method_cache(size: int, method: Callable[..., T]) -> "_lru_cache_wrapper[T]":
    """Return `functools.lru_cache(size)` of an object's method, for an attribute of that object.

    `lru_cache` itself would hold the object that holds it: an opened version, with its files and its memory, would stay
    after its last holder let go, until Python next looks for such circles. The object must live when it is called.
    """
    held = WeakMethod(method)

    @lru_cache(size)
    def asked(*arguments: Any) -> T:
        return cast(Callable[..., T], held())(*arguments)

    return asked


class locked_cached_property(Generic[T]):  # noqa: N801  named like `functools.cached_property`, whose use it has
    """`functools.cached_property` with a lock, which Python dropped in 3.12.

    The lock belongs to one attribute of one instance: building one part waits for no other, and a part may ask for
    others while it is built. A build that fails is tried again by whoever asks next.
    """

    def __init__(self, build: Callable[[Any], T]) -> None:
        self._build = build
        self.__doc__ = build.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name, self._lock = name, f"{name}:lock"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        """Return the part; Python calls this only until the instance has it."""
        if instance is None:
            return self
        attributes = instance.__dict__
        with attributes.setdefault(self._lock, threading.RLock()):
            if self._name not in attributes:
                attributes[self._name] = self._build(instance)
            attributes.pop(self._lock, None)
            built: T = attributes[self._name]
            return built
