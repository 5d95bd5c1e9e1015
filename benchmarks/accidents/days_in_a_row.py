"""Normal days, one after the other in one workspace: each should be published as a whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.accidents.days import live_a_day
from benchmarks.accidents.trial import copied, run_sync_and_publish
from benchmarks.accidents.world import Web, World


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
            day = Day(number, tuple(done), run_sync_and_publish(home))
            if day.alarm:
                print(f"day {number}: {', '.join(day.done)}: {day.alarm}", flush=True)
            yield day
