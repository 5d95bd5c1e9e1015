"""How a server is."""

from dataclasses import dataclass, replace

PATIENCE = 5.0
"""Seconds that a server has to say how it is."""


@dataclass(frozen=True, slots=True)
class Health:
    """What a server says of itself; without an address, it is the platform itself."""

    name: str = ""
    """By which it is asked for."""
    url: str | None = None
    """Without anything that may be secret."""
    model: str | None = None
    """That answers; None: not known."""
    models: tuple[str, ...] = ()
    """All that the server lists."""
    context: int | None = None
    """Tokens of prompt and answer together."""
    problem: str | None = None
    """What is wrong; None: nothing is."""
    took_ms: float = 0.0
    """Milliseconds that it took to answer."""

    def named(self, name: str) -> "Health":
        """Return the same under a name."""
        return replace(self, name=name)
