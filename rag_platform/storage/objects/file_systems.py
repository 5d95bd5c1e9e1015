"""Storages that fsspec reaches, opened with patience and without its caches."""

import weakref
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

S3 = ("s3", "s3a")


def open_storage(url: str, options: Mapping[str, Any]) -> tuple["AbstractFileSystem", str]:
    """Return the file system of an address and the path in it, without a slash at its end."""
    from fsspec.core import url_to_fs

    ours: dict[str, Any] = {"skip_instance_cache": True, "use_listings_cache": False}
    if url.lower().partition(":")[0] in S3:
        retries = {"max_attempts": 1}  # s3fs tries again itself
        ours["config_kwargs"] = {"connect_timeout": 10, "read_timeout": 60, "retries": retries}
    _end_with_the_program()
    storage, root = url_to_fs(url, **ours | dict(options))
    return storage, root.rstrip("/")


@cache
def _end_with_the_program() -> None:
    """Have fsspec's thread end before Python does; cut off, it makes other libraries complain of leaks on stderr."""
    from fsspec import asyn

    def end() -> None:
        loop, thread = asyn.loop[0], asyn.iothread[0]
        if loop is not None and thread is not None and thread.is_alive():
            loop.call_soon_threadsafe(loop.stop)
            thread.join(timeout=1)

    weakref.finalize(asyn, end)  # those of the storages, which close their connections, come later and so run before
