"""The command `rag` in processes of its own, forked from one that has imported everything.

Importing takes most of the time of a small command, and nothing is written in it: started this way a command is at its
work almost at once, and most kills hit it there.
"""

import importlib
import itertools
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_NUMBERS = itertools.count(1)


def _modules() -> list[str]:
    """Return the names of all modules of the library and of the evaluation."""
    paths = [path for name in ("rag_platform", "evals") for path in sorted((_ROOT / name).rglob("*.py"))]
    names = (path.relative_to(_ROOT).with_suffix("") for path in paths if not path.stem.startswith("__"))
    return [".".join(name.parts) for name in names]


_forking = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
_forking.set_forkserver_preload(_modules())


class Running:
    """A `rag` that runs; what it prints goes to two files beside the workspace."""

    def __init__(self, home: Path, words: Sequence[str], variables: dict[str, str]) -> None:
        self._said = [home.parent / f".said-{next(_NUMBERS)}.{name}" for name in ("out", "err")]
        arguments = ["rag", "--home", str(home), *words]
        self._process = _forking.Process(target=_rag, args=(arguments, variables, self._said))
        self._process.start()

    def kill(self, after: float) -> bool:
        """Kill it once so many seconds have passed; returns whether it still ran."""
        self._process.join(after)
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        return (self._process.exitcode or 0) < 0

    def ended(self) -> tuple[int, str, str]:
        """Wait for its end; returns its exit code, less than 0 for a signal, and what it printed."""
        self._process.join()
        out, err = (path.read_text(errors="replace") if path.exists() else "" for path in self._said)
        for path in self._said:
            path.unlink(missing_ok=True)
        return self._process.exitcode or 0, out, err


def run_rag(home: Path, words: Sequence[str], **variables: str) -> tuple[int, str, str]:
    """Run a command to its end."""
    return Running(home, words, variables).ended()


def _rag(arguments: list[str], variables: dict[str, str], said: Sequence[Path]) -> None:
    """Be the command."""
    for number, path in enumerate(said, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.environ |= variables
    sys.argv = arguments
    importlib.import_module("rag_platform.__main__").main()
