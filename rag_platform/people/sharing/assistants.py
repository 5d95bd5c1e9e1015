"""Assistants: how a language model is to answer, from which collections, and what one could ask.

What an assistant is told is a wish, whoever wrote it: the rules about sources stand above it, every sentence is checked
as always, and it is answered from nothing that who asks may not read.
"""

from dataclasses import dataclass, replace

from rag_platform.people.sharing.shelf import Shelf
from rag_platform.text.cleaning import clean, clean_line

LONGEST_INSTRUCTIONS = 4000
"""Characters."""
LONGEST_LINE = 300
"""Characters of a starter, and of what an assistant is for."""
MOST_STARTERS = 6
MOST_COLLECTIONS = 100


@dataclass(frozen=True, slots=True)
class Assistant:
    """What an assistant is."""

    about: str = ""
    """What it is for, in a sentence."""
    instructions: str = ""
    """How it is to answer."""
    collections: tuple[str, ...] = ()
    """From which it answers; empty: from all that who asks may read."""
    generator: str = ""
    """Who writes; empty: whom the asker has chosen."""
    starters: tuple[str, ...] = ()
    """Questions to begin with."""

    def trimmed(self) -> "Assistant":
        """Return it as it is kept: cleaned, and no longer than it may be."""
        starters = (clean_line(one)[:LONGEST_LINE] for one in self.starters)
        return replace(
            self,
            about=clean_line(self.about)[:LONGEST_LINE],
            instructions=clean(self.instructions).strip()[:LONGEST_INSTRUCTIONS],
            collections=tuple(dict.fromkeys(self.collections))[:MOST_COLLECTIONS],
            starters=tuple(filter(None, starters))[:MOST_STARTERS],
        )


Assistants = Shelf[Assistant]
