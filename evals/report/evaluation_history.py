"""Every evaluation that was ever made, one line of JSON each: it outlives the versions themselves.

A line that was torn by a crash is skipped when read, and the next one begins on a line of its own.
"""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from evals.gate.verdict import Verdict
from evals.measures.intervals import interval
from evals.measures.scoring import MEASURES, Scores

_CONTEXT = ("at", "ledger")
"""Keys that do not tell one evaluation from another."""


def record(
    path: Path,
    scores: Scores,
    verdict: Verdict | None,
    *,
    counts: Mapping[str, int],
    conditions: str = "",
    ledger: Mapping[str, Any] | None = None,
) -> bool:
    """Append an evaluation, unless the last one of this version was equal; returns whether it did.

    Args:
        path: The history; made when it is not there.
        scores: What was measured.
        verdict: The gate's; None for scores that were taken for comparison only.
        counts: Documents and chunks of the version.
        conditions: Hash of the settings that scores depend on.
        ledger: What making the version cost, when known.
    """
    entry = _entry(scores, verdict, counts, conditions)
    same = [known for known in read(path) if known["version"] == scores.version]
    if same and _equal(entry, same[-1], verdict is None):
        return False
    _append(path, entry | {"at": datetime.now(UTC).isoformat(timespec="seconds"), "ledger": dict(ledger or {})})
    return True


def read(path: Path) -> list[dict[str, Any]]:
    """Return the evaluations, oldest first; a torn line is left out."""
    if not path.exists():
        return []
    entries = []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(entry, dict) and {"version", "fingerprint", "means"} <= entry.keys():
            entries.append(entry)
    return entries


def _entry(scores: Scores, verdict: Verdict | None, counts: Mapping[str, int], conditions: str) -> dict[str, Any]:
    means = {name: round(value, 6) for name, value in scores.means.items()}
    intervals = {name: interval(scores.deciding[name].drop_nulls().to_numpy()) for name in MEASURES if name in means}
    return {
        "version": scores.version,
        "fingerprint": scores.fingerprint,
        "conditions": conditions,
        "questions": scores.deciding.height,
        "means": means,
        "intervals": {name: [round(end, 6) for end in ends] for name, ends in intervals.items() if ends},
        "outcome": verdict.outcome if verdict else None,
        "reasons": list(verdict.reasons) if verdict else [],
        "live": verdict.live if verdict else None,
        "counts": dict(counts),
    }


def _equal(entry: Mapping[str, Any], known: Mapping[str, Any], only_scores: bool) -> bool:
    """Return whether two evaluations say the same; how long a search took never counts."""
    keys = entry.keys() - {*_CONTEXT, "means", *(("outcome", "reasons", "live") if only_scores else ())}
    return all(entry[key] == known.get(key) for key in keys) and _quality(entry) == _quality(known)


def _quality(entry: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in entry["means"].items() if not name.startswith("ms_")}


def _append(path: Path, entry: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(entry, ensure_ascii=False) + "\n"
    with path.open("ab+") as file:
        if file.tell() and _last_byte(file) != b"\n":
            line = "\n" + line
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())


def _last_byte(file: BinaryIO) -> bytes:
    file.seek(-1, os.SEEK_END)
    return file.read(1)
