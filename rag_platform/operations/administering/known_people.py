"""Who is known in a workspace: whom settings, groups, rules, sources and tokens name, and who was seen lately.

The role and the reading of somebody follow from names alone, so they can be told without their presence. Groups that
only an identity provider knows are those with which somebody was seen last.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from rag_platform.access.decisions import Rule
from rag_platform.config.sections.access import Role
from rag_platform.core.errors import NothingPublished
from rag_platform.core.principals import PUBLIC
from rag_platform.people.identity import role_or_none
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace

By = Literal["settings", "group", "rule", "source", "token", "seen"]
RECENT = 2000
"""Events of the audit in which people are looked for."""


@dataclass(frozen=True, slots=True)
class KnownPrincipal:
    """A user or a group that something here names."""

    name: str
    role: Role | None
    """Of somebody with these groups; None: [access] lets them in nowhere."""
    groups: tuple[str, ...]
    """That hold it, directly or by other groups, here or when it was last seen."""
    members: tuple[str, ...]
    """Of a group, as far as the workspace itself knows them."""
    named_by: tuple[By, ...]
    seen_at: str | None
    """The newest event of the audit that is theirs, as ISO 8601."""


@dataclass(frozen=True, slots=True)
class SourceReading:
    """What somebody may read of a source now."""

    source: str
    documents: int
    of: int
    opened_by: tuple[str, ...]
    """Which of the names that somebody has the source lets in; none, where documents or rules say it themselves."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What somebody may read, and by which names."""

    names: tuple[str, ...]
    """As whom they read: themselves, everyone, and all groups that hold them."""
    sources: tuple[SourceReading, ...]
    rules: tuple[Rule, ...]
    """That name them, or a group of theirs; those that have ended too."""


def known_principals(workspace: Workspace) -> list[KnownPrincipal]:
    """Return every user and group that is named somewhere, by name."""
    seen = _seen(workspace)
    named: dict[str, dict[By, None]] = {}
    for name, by in _named(workspace, seen):
        if name != PUBLIC and name.strip():
            named.setdefault(name, {})[by] = None
    return [_known(workspace, name, tuple(by), seen) for name, by in sorted(named.items())]


def principals_of(workspace: Workspace, name: str) -> tuple[str, ...]:
    """Return as whom somebody reads: their name, then the groups with which they were seen last, then all others."""
    before = dict.fromkeys((name, *_seen(workspace).get(name, ("", ()))[1]))
    return (*before, *sorted(workspace.access.asker([*before]) - before.keys() - {PUBLIC}))


def reading_of(workspace: Workspace, principals: Sequence[str]) -> Reading:
    """Return what these principals may read of the live version, source by source, and why."""
    policy = workspace.access.policy()
    asker = policy.asker(principals)
    try:
        live = workspace.versions.live()
        total = dict(live.documents().group_by("source").agg(pl.len()).iter_rows())
        readable = live.catalog.facets(principals)["source"]
    except NothingPublished:
        total, readable = {}, {}
    sources = [
        SourceReading(source, readable.get(source, 0), total.get(source, 0), tuple(sorted(asker.intersection(readers))))
        for source, readers in policy.sources.items()
    ]
    rules = [rule for rule in policy.rules if rule.principal in asker]
    return Reading(tuple(sorted(asker)), tuple(sources), tuple(rules))


def _known(
    workspace: Workspace, name: str, by: tuple[By, ...], seen: dict[str, tuple[str, tuple[str, ...]]]
) -> KnownPrincipal:
    at, with_groups = seen.get(name, (None, ()))
    held = workspace.access.asker([name, *with_groups]) - {name, PUBLIC}
    members = sorted(one.member for one in workspace.access.rules.members() if one.name == name)
    role = role_or_none((name, *with_groups), workspace.settings.access)  # sign-in asks the provider's groups alone
    return KnownPrincipal(name, role, tuple(sorted(held)), tuple(members), by, at)


def _named(workspace: Workspace, seen: dict[str, tuple[str, tuple[str, ...]]]) -> Iterator[tuple[str, By]]:
    access = workspace.settings.access
    for listed in (access.admins, access.editors, access.readers, access.local_principals):
        yield from ((name, "settings") for name in listed)
    for member in workspace.access.rules.members():
        yield from ((name, "group") for name in (member.name, member.member))
    yield from ((rule.principal, "rule") for rule in workspace.access.rules.list())
    for source in workspace.settings.sources:
        yield from ((name, "source") for name in source.principals)
    for token in Tokens(workspace.journal).list():
        yield from ((name, "token") for name in token.principals)
    for name, (_, groups) in seen.items():
        yield from ((one, "seen") for one in (name, *groups))


def _seen(workspace: Workspace) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return of each person among the newest events when that was, and the groups they had then."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for event in workspace.audit.events(limit=RECENT):
        who = event.who or {}
        name = str(who.get("name", ""))
        principals = who.get("principals", ())
        if name.startswith("user:") and name in principals:  # not what somebody saw with another's eyes
            found.setdefault(name, (event.at, tuple(one for one in principals if one != name)))
    return found
