"""What the sync after some edits costs, against the build of everything.

    python -m benchmarks.incremental DOCS [--home DIR] [--count N] [--edits N]

DOCS is a folder of documents, or JSON lines with `_id` and `text` (also .zst). The workspace is made in --home and
kept, so that a second call measures only the edits, against the full build of the first. One document is edited, or
--edits of all lengths, each by one sentence in its middle. Prints the seconds of each stage and their ratio, that ratio
against the edited documents' share of all, the processor's seconds, and how many chunks the edits made and embedded;
also where the gate refuses them. RAG_GATE__SYNTHETIC=0 leaves out the questions.
"""

import argparse
import io
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import zstandard

REFUSED = 3
"""Exit code of `rag sync` when the gate refused what was built."""
STAGES = ("fetch", "extract", "chunk", "embed", "index", "evaluate", "publish")


def documents(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each document."""
    if path.is_dir():
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            yield file.relative_to(path).as_posix(), file.read_text(encoding="utf-8", errors="replace")
        return
    with path.open("rb") as file:
        stream = zstandard.ZstdDecompressor().stream_reader(file) if path.suffix == ".zst" else file
        for line in io.TextIOWrapper(stream, encoding="utf-8"):
            row = json.loads(line)
            yield f"{row['_id'].replace('/', '_')}.md", row["text"]


def prepare(home: Path, path: Path, count: int | None) -> int:
    """Write the workspace and its documents; returns how many."""
    (home / "rag.toml").write_text('[[sources]]\nid = "docs"\nkind = "folder"\npath = "docs"\n')
    written = 0
    for name, text in itertools.islice(documents(path), count):
        target = home / "docs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        written += 1
    return written


def sync(home: Path) -> dict:
    """Run the real command; returns its ledger, with the seconds by the clock and of the processor."""
    start, before = time.perf_counter(), _processor()
    command = [sys.executable, "-m", "rag_platform", "--home", str(home), "sync", "--json"]
    allowed = os.environ | {"RAG_SYNC__MAX_CHANGED_SHARE": "1"}  # many edits alike are what is measured
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=allowed)
    if done.returncode not in (0, REFUSED):
        sys.exit(f"rag sync ended with {done.returncode}: {done.stdout}")
    return json.loads(done.stdout) | {"wall": time.perf_counter() - start, "processor": _processor() - before}


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def edit(home: Path, count: int = 1) -> tuple[list[Path], float]:
    """Add a sentence in the middle of so many documents, evenly by length; one: that of median length.

    Returns them, and their share of all documents.
    """
    paths = sorted((path for path in (home / "docs").rglob("*") if path.is_file()), key=_size)
    if not 0 < count <= len(paths):
        sys.exit(f"--edits {count}: expected 1 to {len(paths)}, the number of documents")
    edited = [paths[len(paths) * (2 * place + 1) // (2 * count)] for place in range(count)]
    for path in edited:
        lines = path.read_text(encoding="utf-8").split("\n")
        lines.insert(len(lines) // 2, f"\nThis sentence was added at {time.time_ns()}.\n")
        path.write_text("\n".join(lines), encoding="utf-8")
    return edited, count / len(paths)


def _size(path: Path) -> tuple[int, Path]:
    return path.stat().st_size, path


def _built(home: Path) -> dict | None:
    """Return what a full build in that folder took, if there was one."""
    kept = home / "full-build.json"
    return json.loads(kept.read_text()) if kept.exists() else None


def _show(full: dict, after: dict, edited: int, share: float) -> None:
    print(f"{'':10}{'everything':>12}{f'{edited:,} edited':>14}")
    for stage in STAGES:
        print(f"{stage:10}{full['seconds'].get(stage, 0):11.1f}s{after['seconds'].get(stage, 0):13.1f}s")
    print(f"{'process':10}{full['wall']:11.1f}s{after['wall']:13.1f}s")
    print(f"{'processor':10}{full.get('processor', 0):11.1f}s{after['processor']:13.1f}s")
    print(f"chunks: {after['chunks']['total']} in all, {after['chunks']['embedded']} embedded after it")
    ratio = after["wall"] / full["wall"]
    print(f"ratio: {ratio:.2%} of the full build, {ratio / share:.2f} times the edited documents' share ({share:.2%})")
    if not after["published"]:
        print(f"the gate refused it: {' '.join(after['gate']['reasons']) if after['gate'] else 'not judged'}")


def main() -> None:
    """Build, edit, sync, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("docs", type=Path)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--count", type=int, help="how many documents; default: all")
    parser.add_argument("--edits", type=int, default=1, help="how many documents are edited; default: one")
    arguments = parser.parse_args()
    home = arguments.home or Path(tempfile.mkdtemp())
    home.mkdir(parents=True, exist_ok=True)
    try:
        full = _built(home)
        if full is None:
            print(f"{prepare(home, arguments.docs, arguments.count)} documents; building …", flush=True)
            full = sync(home)
            (home / "full-build.json").write_text(json.dumps(full))
        edited, share = edit(home, arguments.edits)
        print(f"edited {len(edited):,}: {edited[0].relative_to(home).as_posix()} …", flush=True)
        _show(full, sync(home), len(edited), share)
    finally:
        if not arguments.home:
            shutil.rmtree(home)


if __name__ == "__main__":
    main()
