"""Run the campaign, or some of its attacks, and print tries / failures / lost of each.

    python -m benchmarks.attack [NAME ...] [--seed N] [--minutes 28] [--markdown FILE]

Ends with status 1 when anything failed or was lost. The seed is printed: the same seed makes the same choices.
"""

import argparse
import importlib
import random
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.attack.outcome import SCRATCH, Budget, Outcome

ATTACKS: dict[str, float] = {
    "leaks": 4,
    "poison": 2,
    "documents": 4,
    "damage": 5,
    "disks": 2,
    "kills": 4,
    "writers": 3,
    "api": 3,
    "clients": 2,
    "databases": 2,
    "clocks": 2,
}
"""The module of each attack, with its share of the time. Each has `run(chance: Random, budget: Budget)`."""


def main() -> int:
    """Run the attacks that were asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks.attack")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ATTACKS)}; default: all")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--minutes", type=float, default=28.0)
    parser.add_argument("--markdown", type=Path, help="also write the table here")
    given = parser.parse_args()
    unknown = set(given.names) - ATTACKS.keys()
    if unknown:
        parser.error(f"no attack {', '.join(sorted(unknown))}; known: {', '.join(ATTACKS)}")
    print(f"seed {given.seed}", flush=True)
    chosen = given.names or list(ATTACKS)
    whole = sum(ATTACKS[name] for name in chosen)
    rows = [row for name in chosen for row in _run(name, given.seed, given.minutes * ATTACKS[name] / whole)]
    if given.markdown:
        given.markdown.write_text(table(rows), encoding="utf-8")
    print(table(rows))
    return int(any(row.failures or row.lost for row in rows))


def _run(name: str, seed: int, minutes: float) -> list[Outcome]:
    """Run one attack; one that cannot go on is a failure itself."""
    start = time.monotonic()
    print(f"{name}: up to {minutes:.1f} minutes …", flush=True)
    try:
        with tempfile.TemporaryDirectory(prefix=SCRATCH, ignore_cleanup_errors=True) as scratch:
            module = importlib.import_module(f"benchmarks.attack.{name}")
            rows: list[Outcome] = module.run(random.Random(f"{seed}:{name}"), Budget(minutes, Path(scratch)))
    except Exception as error:  # noqa: BLE001 (the other attacks go on)
        rows = [Outcome(name, 1, 1, notes=(f"the attack itself stopped: {error!r}",))]
    print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    for row in rows:
        print(f"  {row.attack}: {row.tries} tries, {row.failures} failures, {row.lost} lost", flush=True)
        for note in row.notes:
            print(f"    {note}", flush=True)
    return rows


def table(rows: list[Outcome]) -> str:
    """Return the outcomes as a table in Markdown."""
    lines = ["| attack | tries | failures | lost |", "|---|--:|--:|--:|"]
    lines += [f"| {row.attack} | {row.tries:,} | {row.failures:,} | {row.lost:,} |" for row in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
