"""Who may read a document: its principals, which are names of users and groups."""

from collections.abc import Sequence

PUBLIC = "*"
"""The principal that everyone is."""

PRIVATE = "private"
"""The principal who may read what calls itself private and names no owner."""


def private_readers(readers: Sequence[str], owner: str | None) -> tuple[str, ...]:
    """Return who may read what calls itself private: its owner, if that is one of the readers; else `PRIVATE`."""
    return (owner,) if owner and (PUBLIC in readers or owner in readers) else (PRIVATE,)
