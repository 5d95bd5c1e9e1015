"""What holds at a moment: the rules that have not ended, the groups, what is held back, and what sources say today."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from rag_platform.access.access_rules import groups_of
from rag_platform.access.decisions import Held, Rule
from rag_platform.core.principals import PUBLIC

CollectionReaders = Mapping[str, Sequence[str]]
"""Who may read each collection of a source that people fill."""


@dataclass(frozen=True, eq=False, slots=True)
class Policy:
    """What people and sources say now. One that says something else is another object."""

    rules: Sequence[Rule]
    """Those that have ended too: an `allow` that ended still stands in the place of what the source says."""
    moment: datetime
    until: datetime | None
    """When a rule ends next."""
    groups: Mapping[str, frozenset[str]]
    """Of each member."""
    quarantined: Mapping[str, Held]
    """By document."""
    forgotten: frozenset[str]
    """Documents, also those that have not been removed yet."""
    sources: Mapping[str, Sequence[str]]
    """Who may read each source of rag.toml."""
    collections: Mapping[str, CollectionReaders]
    """Of each source that people fill."""
    number: int = field(default_factory=count().__next__)
    """No other policy of this process has it: a key of caches."""

    def holds(self, now: datetime) -> bool:
        """Return whether no rule has ended since, or begun anew because a clock was set back."""
        return self.moment <= now and (self.until is None or now < self.until)

    def asker(self, principals: Collection[str]) -> frozenset[str]:
        """Return who asks: the principals, everyone, and all their groups."""
        return groups_of({PUBLIC, *principals}, self.groups)

    def said(self, source: str, collection: str, own: Sequence[str] | None) -> Sequence[str]:
        """Return whom a source lets read a document; nobody, where it is no longer in rag.toml and said nothing."""
        if source in self.collections:
            return self.collections[source].get(collection, ())
        return own or self.sources.get(source, ())
