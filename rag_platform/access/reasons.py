"""Why somebody may read a document, or may not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rag_platform.access.decisions import Rule
from rag_platform.access.ruled import Ruled, about


@dataclass(frozen=True, slots=True)
class Reasons:
    """What decides on a document now."""

    readers: tuple[str, ...]
    """Who may read it, before any denial."""
    named_by: str
    """Who says so: "its source", "its collection", "itself", or the rule's target."""
    rules: tuple[Rule, ...]
    """All that are about it, those that have ended too."""
    denied: tuple[str, ...]
    """Who may not, whatever else allows it."""
    closed: str | None
    """Why nobody may read it at all; None: somebody may."""

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        rules = [
            {"target": str(one.target), "effect": one.effect, "principal": one.principal, "until": one.until}
            | {"at": one.at, "who": one.who, "why": one.why}
            for one in self.rules
        ]
        named = ("readers", "named_by", "denied", "closed")
        return {name: getattr(self, name) for name in named} | {"rules": rules}


def reasons(ruled: Ruled, place: int) -> Reasons:
    """Return what decides on the document at that place."""
    policy, row = ruled.policy, ruled.standing.frame[place]
    rules = [rule for rule in policy.rules if row.select(about(rule.target)).item()]
    allowing = [rule for rule in rules if rule.effect == "allow"]
    decisive = max((rule.target for rule in allowing), key=lambda one: one.place, default=None)
    holding = [rule for rule in rules if rule.holds(policy.moment)]
    readers: Sequence[str] = ruled.said(place)
    if decisive:
        readers = [rule.principal for rule in holding if rule.effect == "allow" and rule.target == decisive]
    return Reasons(
        readers=tuple(readers),
        named_by=str(decisive) if decisive else _source(ruled, row),
        rules=tuple(rules),
        denied=tuple(sorted({rule.principal for rule in holding if rule.effect == "deny"})),
        closed=_closed(ruled, place),
    )


def _source(ruled: Ruled, row: pl.DataFrame) -> str:
    if row["source"].item() in ruled.policy.collections:
        return "its collection"
    return (
        "itself"
        if row["private"].item() or (row["own"].item() is not None and len(row["own"].item()))
        else "its source"
    )


def _closed(ruled: Ruled, place: int) -> str | None:
    if not ruled.closed[place]:
        return None
    doc_id = ruled.standing.frame["doc_id"][place]
    if doc_id in ruled.policy.forgotten:
        return "it was forgotten"
    if held := ruled.policy.quarantined.get(doc_id):
        return f"it is in quarantine since {held.since:%Y-%m-%d}: {held.why}"
    return "nothing is known of it any more"
