"""What the sync after one edit costs, against the build of everything.

    python -m benchmarks.incremental DOCS [--home DIR] [--count N]

DOCS is a folder of documents, or JSON lines with `_id` and `text` (also .zst). The workspace is made in --home and
kept, so that a second call measures only the edit, against the full build of the first. Prints the seconds of each
stage and their ratio, the processor's seconds, and how many chunks the edit made and embedded; also where the gate
refuses the edit. RAG_GATE__SYNTHETIC=0 leaves out the questions.
"""

import argparse
import io
import itertools
import json
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
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, REFUSED):
        sys.exit(f"rag sync ended with {done.returncode}: {done.stdout}")
    return json.loads(done.stdout) | {"wall": time.perf_counter() - start, "processor": _processor() - before}


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def edit(home: Path) -> str:
    """Change one sentence in the middle of the document of median length."""
    paths = sorted((home / "docs").rglob("*.*"), key=lambda path: (path.stat().st_size, path))
    path = paths[len(paths) // 2]
    lines = path.read_text(encoding="utf-8").split("\n")
    lines.insert(len(lines) // 2, f"\nThis sentence was added at {time.time_ns()}.\n")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path.relative_to(home).as_posix()


def _built(home: Path) -> dict | None:
    """Return what a full build in that folder took, if there was one."""
    kept = home / "full-build.json"
    return json.loads(kept.read_text()) if kept.exists() else None


def _show(full: dict, after: dict) -> None:
    print(f"{'':10}{'everything':>12}{'one edit':>12}")
    for stage in STAGES:
        print(f"{stage:10}{full['seconds'].get(stage, 0):11.1f}s{after['seconds'].get(stage, 0):11.1f}s")
    print(f"{'process':10}{full['wall']:11.1f}s{after['wall']:11.1f}s")
    print(f"{'processor':10}{full.get('processor', 0):11.1f}s{after['processor']:11.1f}s")
    print(f"chunks: {after['chunks']['total']} in all, {after['chunks']['embedded']} embedded after the edit")
    print(f"ratio: {after['wall'] / full['wall']:.2%} of the full build")
    if not after["published"]:
        print(f"the gate refused the edit: {' '.join(after['gate']['reasons']) if after['gate'] else 'not judged'}")


def main() -> None:
    """Build, edit, sync, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("docs", type=Path)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--count", type=int, help="how many documents; default: all")
    arguments = parser.parse_args()
    home = arguments.home or Path(tempfile.mkdtemp())
    home.mkdir(parents=True, exist_ok=True)
    try:
        full = _built(home)
        if full is None:
            print(f"{prepare(home, arguments.docs, arguments.count)} documents; building …", flush=True)
            full = sync(home)
            (home / "full-build.json").write_text(json.dumps(full))
        print(f"edited {edit(home)}", flush=True)
        _show(full, sync(home))
    finally:
        if not arguments.home:
            shutil.rmtree(home)


if __name__ == "__main__":
    main()
