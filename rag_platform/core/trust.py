"""How far a source is trusted, as the people who run the platform say.

What search engines know as a site's authority, which the operator states here instead of links (Zou et al.,
"PoisonedRAG", USENIX Security 2025, shows that no figure of the texts themselves tells planted ones from others).
"""

from collections.abc import Mapping
from typing import Literal

Trust = Literal["untrusted", "low", "normal", "high"]
NORMAL: Trust = "normal"
LEVELS: tuple[Trust, ...] = ("untrusted", "low", "normal", "high")
"""In ascending order."""
WEIGHTS: dict[Trust, float] = {"untrusted": 0.6, "low": 0.8, "normal": 1.0, "high": 1.1}
"""By what the score of a hit is multiplied: what is trusted less is still found where nothing else is as near."""


def trust_of(levels: Mapping[str, Trust], source: str | None, collection: str | None) -> Trust:
    """Return the level of a document; `levels` are those that are set, by "source" and by "source/collection"."""
    return levels.get(f"{source}/{collection}") or levels.get(source or "", NORMAL)
