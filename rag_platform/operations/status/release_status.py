"""What is live, what is not and why, and what to do about it: the one place that says so.

The command line, the API, the page, Dagster, reports and alerts print what stands here, each for who asks: nothing is
told of sources and documents that they may not read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from rag_platform.core.errors import VersionError
from rag_platform.core.principals import PUBLIC
from rag_platform.index.releases.holds import Hold
from rag_platform.operations.status.health import Check, check, check_freshness, check_workspace, late
from rag_platform.operations.status.source_status import may_read
from rag_platform.operations.status.visible_examples import readable_examples
from rag_platform.operations.status.visible_sync import reads_whole
from rag_platform.validation.change_report import Example
from rag_platform.workspace import Workspace

Kind = Literal["refused", "waiting", "rollback", "overridden", "held", "late"]
SHARED = "(workspace)"
"""Where the checks of what all sources share stand; no source can be called so."""
WITHHELD = "whoever runs the workspace can see why"
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person can do about it."""

    name: Literal["see", "hold", "publish"]
    said: str
    command: str
    """What does the same in a terminal."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that is not live, or not fresh, with its reasons."""

    kind: Kind
    said: str
    """In sentences."""
    since: datetime | None = None
    source: str | None = None
    """None: it is about the version as a whole."""
    version: str | None = None
    """Whose report shows it."""
    cause: str = ""
    """Of a held source: "change", "evaluation" or "person"."""
    details: tuple[str, ...] = ()
    """The other reasons, in sentences."""
    examples: tuple[Example, ...] = ()
    """At most three documents side by side."""
    actions: tuple[Action, ...] = ()

    @property
    def key(self) -> str:
        """Names the matter as long as it goes on, so that it is told once."""
        return f"{self.kind}:{self.version if self.source is None else self.source}"

    @property
    def text(self) -> str:
        """All of it but the examples, a line for each sentence and each command."""
        return "\n".join([self.said, *self.details, *(f"{action.said}: `{action.command}`" for action in self.actions)])

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self) | {"key": self.key, "since": self.since.isoformat() if self.since else None}


@dataclass(frozen=True, slots=True)
class ReleaseStatus:
    """What the workspace answers from, and what is kept out of it."""

    live: str | None
    candidate: str | None
    """The version that was built last."""
    notices: tuple[Notice, ...]
    """What matters most first; empty: all that was read is live."""

    @property
    def said(self) -> str:
        """All of it, in sentences."""
        if not self.live:
            return " ".join(["Nothing is published yet.", *(one.said for one in self.notices)])
        return " ".join(
            [f"{self.live} is live.", *([one.said for one in self.notices] or ["Nothing is kept out of it."])]
        )

    def of(self, source: str) -> tuple[Notice, ...]:
        """Return what is said of a source."""
        return tuple(one for one in self.notices if one.source == source)

    def held(self) -> tuple[Notice, ...]:
        """Return the held sources."""
        return tuple(one for one in self.notices if one.kind == "held")

    def check(self, source: str | None = None) -> Check:
        """Return whether a source is held, or the newest version is kept back, as `rag health` shows it."""
        of = self.of(source) if source else self.notices
        kinds = ("held",) if source else ("refused", "rollback")
        found = [one.said for one in of if one.kind in kinds]
        well = "its newest state is published, or will be judged" if source else "no version is refused"
        return Check("held" if source else "release", not found, " ".join(found).rstrip(".") or well)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        notices = [one.to_dict() for one in self.notices]
        return {"live": self.live, "candidate": self.candidate, "said": self.said, "notices": notices}


def release_status(
    workspace: Workspace, principals: Sequence[str] | None = None, now: datetime | None = None
) -> ReleaseStatus:
    """Return what is live and what is not, as far as these principals may know; None: whoever runs the workspace."""
    asking, versions = _Asking(workspace, principals), workspace.versions
    notices = (*_of_version(asking), *_of_holds(asking), *_of_lateness(asking, now))
    return ReleaseStatus(versions.live_id(), versions.candidate_id(), notices)


def health_checks(workspace: Workspace, sources: Sequence[str] = ()) -> dict[str, list[Check]]:
    """Compare sources with the live version and with their schedule; without any, all, and what they share."""
    status = release_status(workspace)
    known = sources or [one.id for one in workspace.settings.sources]
    found = {name: [*check(workspace, name), status.check(name)] for name in known}
    return found if sources else {SHARED: [*check_workspace(workspace), status.check()], **found}


def release_events(workspace: Workspace) -> list[dict[str, Any]]:
    """Return the moves of the live version and what happened to held sources, oldest first.

    Each has ``at``, ``who``, ``kind``, ``version``, ``before``, ``why`` and ``run_id``; those of a source ``source``.
    """
    told = [
        {"at": one.at.isoformat(), "who": one.who, "kind": one.action, "source": one.source, "version": None,
         "before": None, "why": one.why, "run_id": one.run_id or None}
        for one in workspace.holds.history()
    ]  # fmt: skip
    return sorted([*workspace.versions.moves(), *told], key=lambda one: datetime.fromisoformat(one["at"]))


class _Asking:
    """A workspace as somebody may know of it."""

    def __init__(self, workspace: Workspace, principals: Sequence[str] | None) -> None:
        sources, self.workspace, self.principals = workspace.settings.sources, workspace, principals
        everything = [one.id for one in sources]
        asker = {PUBLIC} if principals is None else workspace.access.asker(principals)
        self.known = everything if principals is None else [one.id for one in sources if may_read(one, asker)]
        self.whole = (
            everything if principals is None else [one.id for one in sources if reads_whole(one, sorted(asker))]
        )
        self.closed = {*everything} - {*self.whole}

    def tells(self, text: str, source: str | None) -> bool:
        """Return whether a text about a source, or about all of them, may be told."""
        of_whole = not self.closed if source is None else source in self.whole
        return of_whole and not any(f"`{one}`" in text for one in self.closed)


def _of_version(asking: _Asking) -> Iterator[Notice]:
    versions = asking.workspace.versions
    if move := versions.held():
        yield _rollback(asking, move)
    candidate, live = versions.candidate_id(), versions.live_id()
    if live and not (_manifest(asking, live).get("verdict") or {"passed": True})["passed"]:
        yield _override(asking, live)
    if candidate is None or candidate == live:
        return
    manifest = _manifest(asking, candidate)
    verdict, since = manifest.get("verdict"), _moment(manifest.get("created_at"))
    see = _see(candidate)
    if verdict and not verdict["passed"]:
        yield _refusal(asking, candidate, verdict, since)
    elif verdict:
        said = f"{candidate} passed the gate and is not live."
        yield Notice("waiting", said, since, version=candidate, actions=(see, _promote(candidate)))
    else:
        yield Notice("waiting", f"{candidate} was built and has not been judged.", since, version=candidate)


def _rollback(asking: _Asking, move: Mapping[str, Any]) -> Notice:
    why = f" ({move['why']})" if asking.tells(move["why"], None) else ""
    said = f"Nothing is published by itself since {move['who']} rolled back to {move['version']}{why}."
    go_on = Action("publish", "Publish a version, and let publication go on", "rag index promote")
    return Notice("rollback", said, _moment(move["at"]), version=move["version"], actions=(go_on,))


def _override(asking: _Asking, live: str) -> Notice:
    moves = [
        move for move in asking.workspace.versions.moves() if move["version"] == live and move["kind"] == "promote"
    ]
    by, since = "", None
    if moves:
        why = f" ({moves[-1]['why']})" if asking.tells(moves[-1]["why"] or "", None) and moves[-1]["why"] else ""
        by, since = f": {moves[-1]['who']} published it nevertheless{why}", _moment(moves[-1]["at"])
    said = f"{live} is live although the gate refused it{by}."
    return Notice("overridden", said, since, version=live, actions=(_see(live),))


def _refusal(asking: _Asking, version: str, verdict: Mapping[str, Any], since: datetime | None) -> Notice:
    reasons = [reason for reason in verdict["reasons"] if asking.tells(reason, None)] or [f"{WITHHELD}."]
    first, *others = reasons
    said = first if first.startswith("Not published") else f"Not published: {first}"
    blamed = [one for one, judged in (verdict.get("sources") or {}).items() if not judged["passed"]]
    hold = [_hold(one) for one in blamed if one in asking.known]
    actions = (_see(version), *hold, _promote(version))
    return Notice("refused", said, since, version=version, details=tuple(others), actions=actions)


def _of_holds(asking: _Asking) -> Iterator[Notice]:
    live = asking.workspace.versions.live_id()
    rows = _manifest(asking, live).get("sources", {}) if live else {}
    holds = asking.workspace.holds.active()
    for source in asking.known:
        if source in holds:
            yield _held(asking, holds[source], answers=bool(rows.get(source, {}).get("documents")))


def _held(asking: _Asking, hold: Hold, *, answers: bool) -> Notice:
    source, since = hold.source, f"{hold.since:%Y-%m-%d %H:%M}"
    by = f" by {hold.who}" if hold.who and source in asking.whole else ""
    state = "is held at its live state" if answers else "is kept out of the index"
    why = hold.why if asking.tells(hold.why, source) else WITHHELD
    see = _see(hold.version) if hold.version else Action("see", "See what changed", f"rag source changes {source}")
    keep = () if hold.cause == "person" else (_hold(source),)
    publish = Action("publish", f"Publish {source} nevertheless", f"rag source release {source}")
    return Notice(
        "held",
        f"Source `{source}` {state} since {since}{by}: {_sentence(why)}",
        hold.since,
        source,
        hold.version,
        cause=hold.cause,
        details=tuple(one for one in _said(hold.about) if one not in hold.why and asking.tells(one, source)),
        examples=readable_examples(asking.workspace, source, _examples(hold.about), asking.principals)[:_EXAMPLES],
        actions=(see, *keep, publish),
    )


def _of_lateness(asking: _Asking, now: datetime | None) -> Iterator[Notice]:
    for source, read in late(asking.workspace, now).items():
        if source in asking.known:
            said = f"Source `{source}` is late: {check_freshness(asking.workspace, source, now).said}."
            yield Notice("late", said, read, source)


def _manifest(asking: _Asking, version: str) -> dict[str, Any]:
    try:
        return asking.workspace.versions.manifest(version)
    except VersionError:  # `rag doctor` reports a damaged version
        return {}


def _said(about: Mapping[str, Any]) -> list[str]:
    return [*(one["said"] for one in about.get("anomalies", ())), *about.get("reasons", ())]


def _examples(about: Mapping[str, Any]) -> list[Example]:
    """Return the examples of all anomalies, each document once."""
    found = {one["uri"]: one for anomaly in about.get("anomalies", ()) for one in anomaly.get("examples", ())}
    return [Example(one["uri"], one["before"], one["after"]) for one in found.values()]


def _see(version: str) -> Action:
    return Action("see", "See the report", f"rag index report {version}")


def _hold(source: str) -> Action:
    return Action("hold", f"Hold {source} until somebody releases it", f"rag source hold {source}")


def _promote(version: str) -> Action:
    return Action("publish", "Publish it nevertheless", f"rag index promote {version} --force")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
