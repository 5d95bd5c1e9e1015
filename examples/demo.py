"""The demo: a workspace of three sources, filled, scored, published and asked. `make demo` and `make up` run it.

Serve examples/feed on loopback -> make demo.sqlite -> `rag sync` -> `rag ask` -> (with --serve) Dagster and page.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from examples.feed_server import serving
from rag_platform.cli.operations.up import services
from rag_platform.core.errors import RagError
from rag_platform.operations.services import Service, refuse_used, run
from rag_platform.workspace import open_workspace

ROOT = Path(__file__).resolve().parent.parent
QUESTION = "What happens when a new version is worse than the live one?"
REFUSED = 3
"""Exit code of `rag sync` when the gate has refused the new version: the live one still answers."""


def main() -> None:
    """Run the demo, and with --serve keep it running."""
    options = _options()
    os.chdir(ROOT)
    os.environ.update(RAG_HOME=str(ROOT), DAGSTER_HOME=str(ROOT))
    try:
        chosen = (
            services(open_workspace(ROOT), options.host, options.page_port, options.ui_port) if options.serve else []
        )
        for service in chosen:  # before the demo takes its time
            refuse_used(service)
        _demo(chosen)
    except RagError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print("\nStopped. Everything that was made is kept in data/.")


def _demo(chosen: list[Service]) -> None:
    port = feed_port()
    try:
        with serving(ROOT / "examples" / "feed", port):
            make_database(ROOT / "demo.sqlite", ROOT / "examples" / "desk.sql")
            rag("sync", accepted=(0, REFUSED))
            rag("ask", QUESTION)
            if chosen:
                run(chosen)
            else:
                say_next()
    except OSError as error:
        sys.exit(
            f"error: the demo's feed cannot be served at 127.0.0.1:{port} ({error.strerror}). End what uses "
            f"port {port}, or write another in its place in rag.toml and examples/feed/feed.xml."
        )


def feed_port() -> int:
    """Return the port at which rag.toml expects the feed."""
    sources = tomllib.loads((ROOT / "rag.toml").read_text(encoding="utf-8"))["sources"]
    return next(urlsplit(source["urls"][0]).port for source in sources if source["id"] == "news")


def make_database(path: Path, script: Path) -> None:
    """Make the database of the help desk, unless it is there."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with closing(sqlite3.connect(beside)) as connection:
        connection.executescript(script.read_text(encoding="utf-8"))
        connection.commit()
    beside.replace(path)


def rag(*arguments: str, accepted: tuple[int, ...] = (0,)) -> None:
    """Run a command as one would type it; end with its exit code unless that is accepted."""
    shown = " ".join(f'"{argument}"' if " " in argument else argument for argument in arguments)
    print(f"\n$ rag {shown}", flush=True)
    done = subprocess.run([sys.executable, "-m", "rag_platform", *arguments], check=False)
    if done.returncode not in accepted:
        sys.exit(done.returncode)


def say_next() -> None:
    """Tell what one can do now."""
    print(f"""
What next:
  make up                       the page on http://127.0.0.1:8501 and Dagster on http://127.0.0.1:3000
  .venv/bin/rag ask "At what level does the flood alarm sound?" --collection news
  .venv/bin/rag search "volunteers" --explain
  .venv/bin/rag index show      the live version: its sources, scores and verdict
  Change a file in docs/, then make demo again: only what changed is done again.

The workspace is {ROOT}
rag.toml says what it reads, data/ holds what was made; docs/getting-started.md goes on from here.""")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--serve", action="store_true", help="then run Dagster and the page until Ctrl-C")
    parser.add_argument("--host", default="127.0.0.1", help="address that the page listens on (default: %(default)s)")
    parser.add_argument("--ui-port", type=int, default=3000, help="Dagster's port (default: %(default)s)")
    parser.add_argument("--page-port", type=int, default=8501, help="the page's port (default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
