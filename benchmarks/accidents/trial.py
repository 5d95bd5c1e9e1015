"""One accident through the real sync: what was stopped, by what, and what was published meanwhile."""

import shutil
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.accidents.days import edit_every, live_a_day
from benchmarks.accidents.mishaps import BAD, MACHINERY, Hit, doubled
from benchmarks.accidents.world import Web, World
from evals.evaluation_gate import EvaluationGate
from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.sync import SyncReport, sync
from rag_platform.workspace import Workspace, open_workspace

DAYS_BEFORE = 4
"""Normal days that the workspace has lived through."""
GOOD = ("doubled corpus", "a normal day")


@dataclass
class Outcome:
    """What became of one try."""

    accident: str
    seed: int
    said: str
    """Which kind of it."""
    bad: tuple[str, ...]
    """The sources that it struck."""
    held: dict[str, str] = field(default_factory=dict)
    """Source -> by what it is held."""
    why: dict[str, str] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    """Source -> why its sync stopped by itself, before anything was built."""
    refused: str = ""
    """Why the version was refused as a whole; empty: it was not."""
    came_through: tuple[str, ...] = ()
    """Sources whose bad state answers now."""
    kept_out: tuple[str, ...] = ()
    """Sources whose good changes do not answer …"""
    good: int = 0
    """… of so many that had one."""
    lost: tuple[str, ...] = ()
    """What was there and is gone."""
    seconds: float = 0.0

    @property
    def right(self) -> bool:
        """Whether what is bad was stopped and what is good was published."""
        if self.came_through or self.lost or "unexpected" in str(self.stopped):
            return False
        return self.accident not in GOOD or not (self.held or self.stopped or self.refused or self.kept_out)


@contextmanager
def workspace_of_some_days(scratch: Path) -> Iterator[tuple[Web, Path]]:
    """Make the workspace once; gives the server and its folder, which each try copies."""
    home = scratch / "base"
    with Web().serving() as web:
        web.home = home
        world = World.create(home, web.address)
        for day in range(DAYS_BEFORE + 1):
            if day:
                live_a_day(world, Random(f"before {day}"))
                edit_every(world, day, DAYS_BEFORE + 1)
                world.save()
            if why := run_sync_and_publish(home):
                print(f"day {day} before the accidents was published by force: {why}", flush=True)
        yield web, home


def run_sync(home: Path) -> SyncReport:
    """Sync all, judged by the workspace's own questions."""
    workspace = open_workspace(home)
    return sync(workspace, gate=EvaluationGate(workspace))


def run_sync_and_publish(home: Path) -> str:
    """Sync, and publish it whatever was said of it; returns what was: why a source is held, or all was refused."""
    report, workspace = run_sync(home), open_workspace(home)
    holds = workspace.holds.active()
    if not holds and report.published:
        return ""
    for source, hold in holds.items():
        workspace.holds.permit(source, hold.state, who="benchmark", why="a normal day")
    again = run_sync(home)
    if not again.published and again.version:
        workspace.versions.promote(again.version, why="a normal day")
    return "; ".join([*(f"{source} is held: {hold.why}" for source, hold in holds.items()), refusal(report)])


def attempt(web: Web, base: Path, accident: str, seed: int) -> Outcome:
    """Let an accident happen to a copy of the workspace, on a day on which the others change as always."""
    with copied(web, base, f"{accident}-{seed}".replace(" ", "-")) as home:
        return _attempt(home, accident, seed, Random(f"{accident} {seed}"))


@contextmanager
def copied(web: Web, base: Path, name: str) -> Iterator[Path]:
    """Copy the workspace beside itself, and serve the copy's pages while the block runs."""
    home = web.home = base.with_name(name)
    shutil.copytree(base, home)
    try:
        yield home
    finally:
        shutil.rmtree(home)


def _attempt(home: Path, accident: str, seed: int, chance: Random) -> Outcome:
    world, before = World.load(home), state(open_workspace(home))
    hit = _happen(world, accident, chance)
    marks = {source: _mark(world, source, chance) for source in sorted(before.keys() - {*hit.sources, "papers"})}
    world.save()
    with hit.broken():
        report = run_sync(home)
    workspace = open_workspace(home)
    after, holds = state(workspace), workspace.holds.active()
    shown = slice(None) if accident in MACHINERY else slice(0, 1)  # an edit elsewhere may move what a text is cut into
    through = {source for source in hit.sources if _shown(before, source, shown) != _shown(after, source, shown)}
    through |= {"guide"} if public(workspace, world.restricted()) else set()
    gone = [uri for source, documents in before.items() for uri in documents.keys() - after[source].keys()]
    return Outcome(
        accident,
        seed,
        hit.said,
        hit.sources,
        held={name: _cause(hold) for name, hold in holds.items()},
        why={name: hold.why for name, hold in holds.items()},
        stopped={name: source.error for name, source in report.sources.items() if source.error},
        refused=refusal(report),
        came_through=tuple(sorted(through)),
        kept_out=tuple(source for source, mark in marks.items() if mark not in str(after[source])),
        good=len(marks),
        lost=tuple(sorted(gone)) if accident != "a normal day" else (),
        seconds=sum(report.seconds.values()),
    )


def _happen(world: World, accident: str, chance: Random) -> Hit:
    """Change the world; a normal day is one of the changes."""
    if accident == "a normal day":
        return Hit((), ", ".join(live_a_day(world, chance)))
    return doubled(world, chance) if accident == "doubled corpus" else BAD[accident](world, chance)


def _mark(world: World, source: str, chance: Random) -> str:
    """Edit a document of a source that is good; returns what must be found of it afterwards."""
    name = chance.choice([name for name, page in world.pages[source].items() if page.file is None])
    mark = f"The reference of this is {chance.getrandbits(60):x}."
    world.pages[source][name] = world.pages[source][name].saying(mark, world.day + 1)
    return mark


State = dict[str, dict[str, tuple[object, object]]]


def state(workspace: Workspace) -> State:
    """Return what the live version holds: by source and document, what it says, and its chunks with their vectors."""
    live = workspace.versions.live()
    places = {int(key): space for space, keys in live.keys_by_space() for key in keys}
    cut: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for key, doc_id, text in live.catalog.chunks("key", "doc_id", "text").sort("key").iter_rows():
        cut[doc_id].append((text, places[key].index.vector(key).tobytes()))
    held: State = defaultdict(dict)
    for row in live.documents().select(*_COLUMNS).iter_rows(named=True):
        said = row | {"text": " ".join(row["text"].split()), "principals": tuple(row["principals"])}
        held[row["source"]][row["uri"]] = (tuple(said.values()), tuple(cut[row["doc_id"]]))
    return held


def _shown(held: State, source: str, part: slice) -> dict[str, tuple[object, ...]]:
    return {uri: both[part] for uri, both in held.get(source, {}).items()}


_COLUMNS = "doc_id", "source", "uri", "title", "text", "published_at", "updated_at", "principals"


def public(workspace: Workspace, titles: Collection[str]) -> set[str]:
    """Return those of some titles that somebody finds who belongs to no group."""
    searching = workspace.retriever_of(None)
    found = {title: searching.search(title, mode="lexical").hits for title in titles}
    return {title for title, hits in found.items() if any(hit.title == title for hit in hits)}


def _cause(hold: Hold) -> str:
    return {"change": "brake", "evaluation": "questions", "person": "person"}[hold.cause]


def refusal(report: SyncReport) -> str:
    """Say why no version was published; empty: one was."""
    if report.published:
        return ""
    return "; ".join(report.gate["reasons"] if report.gate else report.errors)
