"""Ranking quality (nDCG@10) of every way of searching, with one set of defaults, on all development sets.

    RAG_SHARED_DATA=DIRECTORY python -m benchmarks.retrieval [FOLDER...] [--only NAME...] [--before COMMIT] [--parts]

Without a FOLDER: the collections in that directory, in English, in other languages, across languages, mixed, and of odd
shapes (see `development_sets.py`, `made.py` and `odd.py`). A FOLDER is BEIR-like: corpus.jsonl, queries.jsonl,
qrels/test.tsv. Of each collection one half was there to tune by, the other is what counts. Beside our modes stands the
plain hybrid that most systems offer: the same two retrievers, joined by reciprocal ranks (`RRF`). `less better` is what
a mode has more than the better of the two retrievers, `of better` their ratio; intervals are 95 % of paired bootstraps
over the questions.

`--before` scores an earlier commit too, in a worktree of its own. `--parts` switches off one part at a time. What is
indexed in `--home` is used again by the next run.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.retrieval.development_sets import Collection, development
from benchmarks.retrieval.made import made
from benchmarks.retrieval.odd import odd
from benchmarks.retrieval.tables import Scored, changes, modes, parts
from benchmarks.retrieval.trees import ROOT, Run, Tree

WAYS: dict[str, Run] = {
    "words": ("lexical", {}),
    "meaning": ("vector", {}),
    "RRF": ("hybrid", {"retrieval": {"fusion": "rrf", "lexical_weight": 0.5, "feedback": 0}}),
    "hybrid": ("hybrid", {}),
    "rerank": ("rerank", {}),
}
PARTS: dict[str, Run] = {
    "feedback": ("rerank", {"retrieval": {"feedback": 0}}),
    "spelling": ("rerank", {"retrieval": {"spelling": False}}),
    "exclusions": ("rerank", {"retrieval": {"exclusions": False}}),
    "collapsing": ("rerank", {"retrieval": {"collapse": False}}),
    "merging": ("rerank", {"retrieval": {"merge": False}}),
    "a multilingual model": ("rerank", {"model": {"multilingual": ""}}),
    "across languages": ("rerank", {"model": {"cross_language": False}}),
}
"""What is left without each part."""
SAMPLE = {"across": 50, "mixed": 50}
"""Questions of each half of a group's collections."""


def chosen(arguments: argparse.Namespace, home: Path) -> list[Collection]:
    """Return the collections that were asked for."""
    if arguments.folders:
        return [Collection(folder.name, "given", folder) for folder in arguments.folders]
    shared = os.environ.get("RAG_SHARED_DATA")
    if not shared:
        raise SystemExit("give a folder in the layout of BEIR, or set RAG_SHARED_DATA to the folder of shared data")
    found = [*development(Path(shared)), *made(Path(shared), home / "made"), *odd(ROOT / "docs", home / "made")]
    wanted = set(arguments.only or {one.name for one in found})
    if unknown := wanted - {name for one in found for name in (one.name, one.group)}:
        known = ", ".join(dict.fromkeys(name for one in found for name in (one.group, one.name)))
        raise SystemExit(f"--only: no collection or group is called {', '.join(sorted(unknown))}; expected of: {known}")
    return [one for one in found if {one.name, one.group} & wanted]


def scored(collection: Collection, arguments: argparse.Namespace, trees: Iterable[Tree]) -> Scored:
    """Score a collection with each tree; the parts are those of the first, this one."""
    print(f"{collection.group}: {collection.name} …", file=sys.stderr, flush=True)
    halves = collection.questions(min(arguments.most, SAMPLE.get(collection.group, arguments.most)))
    asked = [key for keys in halves.values() for key in keys]
    wanted, made = WAYS | (PARTS if arguments.parts else {}), []
    for tree in trees:
        made.append(tree.score(collection, asked, wanted, arguments.documents))
        wanted = WAYS
    return Scored(collection, halves, made)


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="collections or groups of them")
    parser.add_argument("--most", type=int, default=300, help="questions of each half (default 300)")
    parser.add_argument("--documents", type=int, default=0, help="sample larger corpora to so many (default: all)")
    parser.add_argument("--before", metavar="COMMIT")
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--home", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = (arguments.home or Path(temporary)).resolve()
        trees = [Tree.here(home), *([Tree.of(arguments.before, home)] if arguments.before else [])]
        rows = [scored(one, arguments, trees) for one in chosen(arguments, home)]
    print(modes(rows))
    if arguments.before:
        print(changes(rows))
    if arguments.parts:
        print(parts(rows, list(PARTS)))


if __name__ == "__main__":
    main()
