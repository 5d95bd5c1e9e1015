"""Damage every file of a workspace in turn; after each, what is noticed, answered, mended and kept is compared.

A small workspace is synced twice, so that there are two versions, and copied for each try. A try flips a byte of one
file, cuts it, empties it, removes it or puts another file in its place. Then, each in a process of its own: `doctor`
must notice, `rag search` must answer or end in one line, `rag repair` must mend, and a search must find what it found.
"""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.attack.commands import run_rag
from benchmarks.attack.outcome import Budget, Outcome

QUESTION = "When is the gauge calibrated?"
_SETTINGS = '[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\nmin_words = 1\n[gate]\nsynthetic = 0\n'
_HARMLESS = ("checked.json", ".gitignore", "ledger.jsonl", "history.jsonl", ".lock", ".md", ".html", "-shm", "-wal")
"""How files end whose damage mends itself, or that hold nothing but reports and costs.

Of `-wal`, what SQLite has not yet copied into its file, nothing is promised: a cut one is not told from a shorter one.
"""
_SKIPPED = ("locks", "progress", "dagster", "logs", "evals", ".sums", ".previous", "damaged")


def run(chance: Random, budget: Budget) -> list[Outcome]:
    """Damage files until the time is over, in an order that the seed decides."""
    end = time.monotonic() + 60 * budget.minutes
    home = budget.scratch / "whole"
    _start(home)
    tries, unnoticed, traced, unmended, within, notes = 0, 0, 0, 0, 0, []
    plan = [(path, damage) for path in _files(home) for damage in _DAMAGES]
    chance.shuffle(plan)
    for path, damage in plan:
        if time.monotonic() > end:
            break
        copy = budget.scratch / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy)
        _DAMAGES[damage](copy / path, chance)
        if damage == "flipped" and _within_a_row(copy / path):
            within += 1
            continue
        tries += 1
        wrong = _complaints(copy, path)
        unnoticed += "not noticed" in wrong
        traced += "a traceback" in wrong
        unmended += "not mended" in wrong
        notes += [f"{path}, {damage}: {', '.join(wrong)}"] if wrong else []
    rows = [("damage: noticed by doctor", unnoticed, 0), ("damage: one line or an answer", traced, 0)]
    rows += [("damage: mended by repair, and nothing gone", 0, unmended)]
    notes = notes[:10] + ([f"left out: {within} flips that SQLite finds no fault with"] if within else [])
    return [Outcome(name, tries, failures, lost, tuple(notes)) for name, failures, lost in rows]


class Ended(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def rag(home: Path, *words: str) -> Ended:
    """Run a command in a process of its own."""
    return Ended(*run_rag(home, words))


def _start(home: Path) -> None:
    (home / "notes").mkdir(parents=True)
    (home / "rag.toml").write_text(_SETTINGS)
    for number, text in enumerate(("The gauge is calibrated every spring.", "The ferry runs from six.")):
        (home / "notes" / f"{number}.md").write_text(f"# Note {number}\n\n{text}\n")
        if rag(home, "sync").returncode:
            raise RuntimeError("the first syncs failed")
    rag(home, "ask", QUESTION)
    rag(home, "index", "pin")


def _files(home: Path) -> list[str]:
    named = (path.relative_to(home) for path in sorted((home / "data").rglob("*")) if path.is_file())
    kept = [path for path in named if not set(_SKIPPED) & set(path.parts) and not path.name.endswith(_HARMLESS)]
    return [path.as_posix() for path in kept]


def _within_a_row(path: Path) -> bool:
    """Return whether a byte of a SQLite file was flipped that its structure does not hang on: nobody promises those."""
    if path.suffix != ".sqlite":
        return False
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return bool(connection.execute("pragma integrity_check").fetchall() == [("ok",)])
    except sqlite3.Error:
        return False
    finally:
        connection.close()


def _complaints(home: Path, path: str) -> list[str]:
    """Return what went wrong after a file was damaged."""
    wrong = []
    blob, version = "/blobs/" in path, path.startswith("data/index/versions")
    doctor = rag(home, "doctor", *(["--deep"] if blob else []), "--json")
    searched = rag(home, "search", QUESTION, "--mode", "lexical", "--json")
    if not any(finding["what"] == "damage" and finding["level"] == "wrong" for finding in _json(doctor, [])):
        wrong.append("not noticed")
    if any("Traceback" in one.stderr + one.stdout for one in (doctor, searched)):
        wrong.append("a traceback")
    mended = rag(home, "repair", *(["--deep"] if blob else []))
    again = rag(home, "search", QUESTION, "--mode", "lexical", "--json")
    refused = path.endswith("access.sqlite") and "rag restore" in mended.stdout  # closed rather than opened
    found = _json(again, {}).get("hits") or [{}]
    sound = "calibrated" in str(found[0].get("text", "")) and "Traceback" not in mended.stderr
    if not (sound or refused or (version and not found)):
        wrong.append("not mended")
    return wrong


def _json(done: Ended, default: object) -> object:
    try:
        return json.loads(done.stdout)
    except ValueError:
        return default


def _flip(path: Path, chance: Random) -> None:
    content = bytearray(path.read_bytes() or b"\0")
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def _swap(path: Path, chance: Random) -> None:
    others: Sequence[Path] = [one for one in path.parent.iterdir() if one.is_file() and one != path]
    path.write_bytes(chance.choice(others).read_bytes() if others else b"something else")


_DAMAGES: dict[str, Callable[[Path, Random], object]] = {
    "flipped": _flip,
    "cut": lambda path, chance: os.truncate(path, chance.randrange(max(1, path.stat().st_size))),
    "emptied": lambda path, _: path.write_bytes(b""),
    "removed": lambda path, _: path.unlink(),
    "swapped": _swap,
}
