"""What we ask of whatever lets processes, also of several machines, work on one workspace beside each other."""

from contextlib import AbstractContextManager
from typing import Any, Protocol


class Locks(Protocol):
    """Locks by name. One goes with the process that holds it, and with the machine, however they end."""

    def hold(self, name: str) -> AbstractContextManager[None]:
        """Hold a lock; `WorkspaceBusy` names who holds it already, `LockLost` at the end says that it was lost."""
        ...

    def wait(self, name: str) -> AbstractContextManager[None]:
        """Hold a lock as soon as nobody else does: for what takes milliseconds."""
        ...

    def is_held(self, name: str) -> bool:
        """Return whether anybody holds a lock."""
        ...

    def assure(self) -> None:
        """Raise `LockLost` if a lock that is held through this object was lost: then nothing is written any more."""
        ...


class Pointer(Protocol):
    """Which version is live, and the log of its moves."""

    def read(self, *, fresh: bool = False) -> str | None:
        """Return what the pointer names, None: nothing; the text may be damaged, and a little old unless `fresh`."""
        ...

    def move(self, entry: dict[str, Any], expected: str | None) -> None:
        """Write a move down and make it, if the pointer still names `expected`.

        Args:
            entry: at, who, kind, version, before, why and run_id; `version` None: nothing is live any more.
            expected: what `read` returned when the move was decided.

        Raises:
            VersionError: somebody else has moved it meanwhile; nothing was changed.
        """
        ...

    def entries(self) -> list[dict[str, Any]]:
        """Return the moves that were written down, oldest first."""
        ...

    def files(self) -> dict[str, bytes]:
        """Return pointer and log as the files CURRENT and log.jsonl, of one moment."""
        ...
