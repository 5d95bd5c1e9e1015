"""Normal days, one after the other in one workspace: each should be published as a whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.accidents.days import live_a_day
from benchmarks.accidents.trial import copied, refusal, run_sync
from benchmarks.accidents.world import Web, World
from rag_platform.workspace import open_workspace


@dataclass(frozen=True)
class Day:
    """What happened, and what was said of it."""

    number: int
    done: tuple[str, ...]
    alarm: str
    """Why something was held or refused; empty: all was published."""


def live(web: Web, base: Path, days: int, seed: int) -> Iterator[Day]:
    """Live so many days in a copy of the workspace; who is told of an alarm lets the day pass."""
    with copied(web, base, f"days-{seed}") as home:
        world = World.load(home)
        for number in range(1, days + 1):
            done = live_a_day(world, Random(f"{seed} {number}"))
            world.save()
            day = Day(number, tuple(done), _alarm(home))
            if day.alarm:
                print(f"day {number}: {', '.join(day.done)}: {day.alarm}", flush=True)
            yield day


def _alarm(home: Path) -> str:
    report = run_sync(home)
    workspace = open_workspace(home)
    holds = workspace.holds.active()
    if not holds and report.published:
        return ""
    alarm = "; ".join([*(f"{source} is held: {hold.why}" for source, hold in holds.items()), refusal(report)])
    for source, hold in holds.items():
        workspace.holds.permit(source, hold.state, who="benchmark", why="a normal day")
    if run_sync(home).published is False and (candidate := workspace.versions.candidate_id()):
        workspace.versions.promote(candidate, why="a normal day", force=True)
    return alarm
