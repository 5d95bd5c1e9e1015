"""Score collections with this checkout, or with an earlier commit of it, on the same machine in the same way."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.retrieval.development_sets import Collection
from rag_platform.core.ids import digest

ROOT = Path(__file__).resolve().parents[2]
SCORING = Path(__file__).with_name("scoring.py")

Run = tuple[str, Mapping[str, Mapping[str, Any]]]
"""A mode of searching, and settings that differ from the defaults: section -> key -> value."""
Runs = Mapping[str, Run]
Scores = dict[str, dict[str, Any]]
"""Run -> `ndcg` (question -> nDCG@10) and `ms`, or `failed`."""


class Tree:
    """A checkout, and the workspace that it indexes in."""

    def __init__(self, root: Path, home: Path, kept: Path | None) -> None:
        """`kept`: where scores are kept, of a tree that never changes; None: nothing is kept."""
        self._root, self._home, self._kept = root, home, kept

    @classmethod
    def here(cls, home: Path) -> "Tree":
        """This checkout; what it has indexed is used again, and scores are kept where nothing was edited."""
        edited = git("status", "--porcelain", "--untracked-files=no", "--", "rag_platform", "evals", "benchmarks")
        kept = None if edited else home / "scores" / git("rev-parse", "HEAD")
        return cls(ROOT, home / "here", kept)

    @classmethod
    def of(cls, treeish: str, home: Path) -> "Tree":
        """Check a commit out below `home`, once."""
        commit = git("rev-parse", "--verify", f"{treeish}^{{commit}}")
        root = home / "trees" / commit
        if not root.exists():
            git("worktree", "add", "--detach", str(root), commit)  # `git worktree prune` forgets it when it is gone
        return cls(root, home / commit, home / "scores" / commit)

    def score(self, collection: Collection, questions: list[str], runs: Runs, most: int = 0) -> Scores:
        """Score what is not known yet, in a process that knows this tree's product alone.

        `most`: documents that a corpus is sampled to; 0: all.
        """
        path = self._path(collection, questions, most)
        known = json.loads(path.read_text(encoding="utf-8")) if path and path.exists() else {}
        missing = {name: run for name, run in runs.items() if _key(name, run) not in known}
        if missing:
            made = self._run(collection, questions, missing, most)
            known |= {_key(name, missing[name]): scores for name, scores in made.items()}
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(known), encoding="utf-8")
        return {name: known[_key(name, run)] for name, run in runs.items()}

    def _run(self, collection: Collection, questions: list[str], runs: Runs, most: int) -> Scores:
        self._home.mkdir(parents=True, exist_ok=True)
        request, answer = (self._home / f"{name}-{os.getpid()}.json" for name in ("request", "answer"))
        splits = list(collection.splits.values()) or ["test"]
        wanted = {"home": str(self._home), "folder": str(collection.folder), "splits": splits, "questions": questions}
        request.write_text(json.dumps(wanted | {"most": most, "runs": runs}), encoding="utf-8")
        command = [sys.executable, "-P", str(SCORING), str(request), str(answer)]
        subprocess.run(command, cwd=self._root, env=os.environ | {"PYTHONPATH": str(self._root)}, check=True)
        made = json.loads(answer.read_text(encoding="utf-8"))["runs"]
        request.unlink()
        answer.unlink()
        return made

    def _path(self, collection: Collection, questions: list[str], most: int) -> Path | None:
        name = "-".join(collection.name.replace(",", "").split())
        return self._kept and self._kept / f"{name}-{most}-{digest('questions', *questions)}.json"


def _key(name: str, run: object) -> str:
    return f"{name} {digest(json.dumps(run, sort_keys=True))}"


def git(*arguments: str) -> str:
    """Return what git says of this checkout."""
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()
