"""Who may read a document: its principals, which are names of users and groups."""

from collections.abc import Iterable, Sequence

PUBLIC = "*"
"""The principal that everyone is."""

PRIVATE = "private"
"""The principal who may read what calls itself private and names no owner."""

WITHIN = "within:"
"""Begins a principal that opens nothing: whoever has such ones reads only documents of the collections they name."""


def within(collections: Iterable[str]) -> tuple[str, ...]:
    """Return the principals that limit somebody to these collections; none: to nothing less."""
    return tuple(f"{WITHIN}{collection}" for collection in collections)


def limits(principals: Iterable[str]) -> frozenset[str]:
    """Return the collections that these principals are limited to; none: they are not limited."""
    return frozenset(one.removeprefix(WITHIN) for one in principals if one.startswith(WITHIN))


def private_readers(readers: Sequence[str], owner: str | None) -> tuple[str, ...]:
    """Return who may read what calls itself private: its owner, if that is one of the readers; else `PRIVATE`."""
    return (owner,) if owner and (PUBLIC in readers or owner in readers) else (PRIVATE,)
