"""What readers may be told, and the limits that they keep to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Wishes of the settings; what comes out of a reading depends on them. Values must be JSON's."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one raw file may take, so that a hostile one costs itself alone."""

    seconds: float = 60.0
    """For each document in it."""
    memory: int = 4 << 30
    """Bytes of address space of the process that reads."""
    characters: int = 50_000_000
    """Of one document's text."""
    members: int = 20_000
    """Files within it, those of archives in archives counted too."""
    member_bytes: int = 200_000_000
    """Of one file within it, unpacked."""
    total_bytes: int = 2_000_000_000
    """Of all files within it, unpacked."""
    depth: int = 4
    """Of archives within archives."""
