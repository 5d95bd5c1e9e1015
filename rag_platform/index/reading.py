"""What the libraries that read a version's files say of damage, as one error."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import zstandard

from rag_platform.core.errors import DamagedVersion

_PANIC = "PanicException"
"""What a library in Rust raises when it met what cannot be; it is no `Exception`, and each such library has its own."""


@contextmanager
def explaining_damage(path: Path) -> Iterator[None]:
    """Raise `DamagedVersion` when a file of a version cannot be read: its disk gives other bytes than were written."""
    try:
        yield
    except (duckdb.Error, zstandard.ZstdError, OSError, ValueError) as error:
        raise _damaged(path, error) from error
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise _damaged(path, error) from None


def _damaged(path: Path, error: BaseException) -> DamagedVersion:
    said = str(error).partition("\n")[0]
    return DamagedVersion(f"{path} cannot be read ({said}). `rag repair` mends it")
