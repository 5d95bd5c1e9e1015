"""What is cut as one text: a section, the headings above it that have no text, or several tiny sections."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from rag_platform.chunks.token_counts import Weighed
from rag_platform.text.structure import Section


@dataclass
class Run:
    """Sections that are cut as one text."""

    sections: list[Section]
    units: list[Weighed]
    tiny: bool
    """Every section of it is far smaller than a chunk."""
    has_body: bool = field(init=False)
    """Whether there is more in it than headings."""

    def __post_init__(self) -> None:
        self.has_body = any(section.has_body for section in self.sections)

    @property
    def weight(self) -> int:
        """In the unit of the chunk size."""
        return sum(unit.weight for unit in self.units)

    @property
    def path(self) -> tuple[str, ...]:
        """The path of its only section with a body; for several, what their paths share."""
        paths = [section.path for section in self.sections if section.has_body] or [self.sections[-1].path]
        shared = takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
        return tuple(names[0] for names in shared)

    @property
    def tokens(self) -> int:
        """In the model's word pieces."""
        return sum(unit.tokens for unit in self.units)

    def takes(self, other: "Run", size: int, most: int) -> bool:
        """Whether `other`, which follows, belongs with this: it is what mere headings head, or a tiny sibling."""
        if not self.has_body:
            return True
        one, two = self.sections[-1], other.sections[0]
        siblings = one.level == two.level and one.path[:-1] == two.path[:-1] and two.has_body
        fits = self.weight + other.weight <= size and self.tokens + other.tokens <= most
        return siblings and self.tiny and other.tiny and fits

    def take(self, other: "Run") -> None:
        """Add what follows."""
        self.sections += other.sections
        self.units += other.units
        self.has_body |= other.has_body


def merged(runs: Sequence[Run], size: int, most: int) -> list[Run]:
    """Merge headings without a body and tiny siblings; every other section stays by itself."""
    kept: list[Run] = []
    for run in runs:
        if kept and kept[-1].takes(run, size, most):
            kept[-1].tiny &= run.tiny
            kept[-1].take(run)
        else:
            kept.append(run)
    if len(kept) > 1 and not kept[-1].has_body:
        last = kept.pop()
        kept[-1].take(last)
    return kept
