"""The same as `rag_platform.python_api`, to be awaited: ``from rag_platform import aio``; ``await aio.ask(…)``.

Each call runs in a thread, so a program that serves others goes on meanwhile. A task that is cancelled no longer waits;
what was begun is done to its end in the thread: a version that is being published is published.
"""

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from anyio import to_thread

from rag_platform import python_api

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def _awaitable(function: Callable[_Given, _Result]) -> Callable[_Given, Awaitable[_Result]]:
    @wraps(function)
    async def call(*args: _Given.args, **named: _Given.kwargs) -> _Result:
        return await to_thread.run_sync(partial(function, *args, **named), abandon_on_cancel=True)

    return call


ask = _awaitable(python_api.ask)
search = _awaitable(python_api.search)
sync = _awaitable(python_api.sync)
evaluate = _awaitable(python_api.evaluate)
