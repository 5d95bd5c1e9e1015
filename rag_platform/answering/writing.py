"""What a generator yields, returns, and says when it has no answer.

A generator is a generator function: it yields text, and what a model thinks beside it, and returns an `Outcome`. Every
sentence carries marks ``[n]``, n being a 1-based place among the hits; `citations.verify` checks them afterwards,
whoever wrote them.
"""

from collections.abc import Generator
from dataclasses import dataclass

ABSTENTION = "The sources do not contain an answer to this question."
"""What a generator says, word for word, when the sources do not hold the answer."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of what a model thinks aloud; an empty one tells that it is still waited for, so that one may stop."""

    text: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """All text so far turned out to be thought: it is no part of the answer."""


Piece = str | Thought | Retracted


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a generator tells besides its text."""

    model: str
    prompt_hash: str = ""
    """Of everything the model was given; empty when there was no prompt."""
    reasoning: str = ""
    """What the model thought aloud; never part of the answer."""
    warnings: tuple[str, ...] = ()


Writing = Generator[Piece, None, Outcome]
