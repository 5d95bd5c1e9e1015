"""Run the accidents, or some of them, and print which were stopped, where, by what, and what was published meanwhile.

    python -m benchmarks.accidents [NAME ...] [--seeds 30] [--first 0] [--days 200] [--markdown FILE] [--verbose]

Each is tried once for each seed in a copy of one workspace of six sources (a feed, a website, folders, rows, PDFs),
synced as `rag sync` does, over real texts of $RAG_SHARED_DATA. Then come normal days, one after the other in one
workspace. Ends with status 1 when something bad came through, or more than one day in two hundred was a false alarm.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.accidents.days_in_a_row import Day, live
from benchmarks.accidents.mishaps import BAD
from benchmarks.accidents.trial import GOOD, Outcome, attempt, workspace_of_some_days

DAYS = "days"
_FALSE_ALARMS = 1 / 200


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks.accidents")
    parser.add_argument("names", nargs="*", metavar="NAME", help="accidents, by the beginning of their names; or days")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--days", type=int, default=200)
    parser.add_argument("--markdown", type=Path, help="also write the tables here")
    parser.add_argument("--verbose", action="store_true", help="print why")
    given = parser.parse_args()
    chosen = [name for name in (*BAD, *GOOD, DAYS) if not given.names or name.startswith(tuple(given.names))]
    if not chosen:
        parser.error(f"no accident {', '.join(given.names)}; known: {', '.join((*BAD, *GOOD, DAYS))}")
    start, outcomes, days = time.monotonic(), [], []
    with (
        tempfile.TemporaryDirectory(prefix="rag-accidents-", ignore_cleanup_errors=True) as scratch,
        workspace_of_some_days(Path(scratch)) as (web, base),
    ):
        print(f"the workspace: {time.monotonic() - start:.0f} s", flush=True)
        for name in chosen:
            for seed in range(given.first, given.first + given.seeds) if name != DAYS else ():
                outcomes.append(attempt(web, base, name, seed))
                print(told(outcomes[-1], verbose=given.verbose), flush=True)
        if DAYS in chosen:
            days = [*live(web, base, given.days, given.first)]
    text = f"{table(outcomes)}\n{days_told(days)}" if days else table(outcomes)
    if given.markdown:
        given.markdown.write_text(text, encoding="utf-8")
    print(text)
    alarms = sum(bool(day.alarm) for day in days)
    return int(not all(one.right for one in outcomes) or alarms > _FALSE_ALARMS * len(days))


def told(one: Outcome, *, verbose: bool) -> str:
    """Return a line on one try."""
    said = f"{'ok ' if one.right else 'BAD'} {one.accident} #{one.seed} ({one.said}) at {', '.join(one.bad) or 'none'}"
    held = ", ".join(f"{source} by the {cause}" for source, cause in one.held.items()) or "none"
    parts = [f"{said}: held {held}"]
    parts += [f"stopped by itself: {name}: {why[:120]}" for name, why in one.stopped.items()]
    parts += [f"came through: {', '.join(one.came_through)}"] if one.came_through else []
    parts += [f"kept out: {', '.join(one.kept_out)}"] if one.kept_out else []
    parts += [f"lost: {', '.join(one.lost[:3])}"] if one.lost else []
    parts += [f"refused: {one.refused if verbose else one.refused[:160]}"] if one.refused else []
    why = "".join(f"\n    {source}: {why}" for source, why in one.why.items()) if verbose else ""
    return "; ".join([*parts, f"{one.seconds:.1f} s"]) + why


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes by accident, in Markdown."""
    lines = [
        "| accident | tries | stopped | by the brake | by the questions | by its own sync | refused as a whole | "
        "also held | good changes published | lost | seconds |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    names = dict.fromkeys(one.accident for one in outcomes)
    lines += [_row(name, [one for one in outcomes if one.accident == name]) for name in names]
    return "\n".join(lines) + "\n"


def _row(name: str, tries: Sequence[Outcome]) -> str:
    stopped = sum(not one.came_through for one in tries if one.bad)
    if name in GOOD:
        stopped = sum(not one.right for one in tries)
    by = Counter(_by(one) for one in tries)
    also = sum(bool(set(one.held) - set(one.bad)) for one in tries)
    kept, good = sum(len(one.kept_out) for one in tries), sum(one.good for one in tries)
    lost, seconds = sum(len(one.lost) for one in tries), sum(one.seconds for one in tries) / len(tries)
    counts = f"{len(tries)} | {stopped} | {by['brake']} | {by['questions']} | {by['itself']} | {by['whole']} | {also}"
    return f"| {name} | {counts} | {good - kept} of {good} | {lost} | {seconds:.1f} |"


def _by(one: Outcome) -> str:
    causes = {one.held[source] for source in one.bad if source in one.held}
    if causes:
        return "questions" if "questions" in causes else "brake"
    if set(one.bad) & set(one.stopped):
        return "itself"
    return "whole" if one.refused else ""


def days_told(days: Sequence[Day]) -> str:
    """Say how many of the normal days were alarms."""
    alarms = [day for day in days if day.alarm]
    lines = [f"{len(alarms)} false alarms in {len(days)} normal days."]
    return "\n".join([*lines, *(f"- day {day.number} ({', '.join(day.done)}): {day.alarm}" for day in alarms)]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
