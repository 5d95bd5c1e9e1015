"""How fast the page's search is: in a real browser, and for many sessions at once.

    python -m benchmarks.page DOCS --home DIR [--sizes 100000] [--queries 100] [--sessions 50] [--seconds 60]

See benchmarks/large.py for the corpora. In the browser (Chromium, by Playwright): loading the page, and from Enter, or
from the last key, to the first result standing in the DOM. Then sessions without browsers speak Streamlit's own
protocol; each types a question (two pauses), presses Enter, and thinks before the next. Beside it stands the search
that the page shows first, by the library alone: reranked where the index has token vectors. Questions differ, so that
no cache answers.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from benchmarks.large import arguments_of, questions, versions_of, workspace
from benchmarks.sessions import Session, Took
from rag_platform.access.access_rules import AccessRules
from rag_platform.access.rule_tables import FileTables
from rag_platform.core.hits import Filters
from rag_platform.core.schemas import ACCESS
from rag_platform.index.releases.versions import Versions
from rag_platform.models.onnx_runtime import cores
from rag_platform.workspace import Workspace, open_workspace
from tests.app.browsing import CHROMIUM, FLAGS, page_over

THINK = (3.0, 9.0)
"""Seconds between the end of a search and the next key, evenly."""
TYPING = 0.4
"""Seconds between two pauses while typing."""
DONE = """(question) => [...document.querySelectorAll(".search .bar a")].some(
    (link) => new URL(link.href).searchParams.get("q") === question)
  && !!document.querySelector(".search .hits .open, .search .empty")"""
WATCH = f"""(question) => {{
  window.took = null;
  const done = {DONE}, box = document.querySelector(".st-key-q input");
  let start = null;
  const key = (event) => {{ start = event.timeStamp; }};
  box.addEventListener("keydown", key, true);
  const watch = new MutationObserver(() => {{
    if (start === null || !done(question)) return;
    window.took = performance.now() - start;
    watch.disconnect();
    box.removeEventListener("keydown", key, true);
  }});
  watch.observe(document.body, {{ childList: true, subtree: true }});
}}"""


def home_of(versions: Versions, folder: Path) -> Path:
    """Write a workspace that serves that index, without limits of searches: all sessions are one visitor's."""
    (folder / "data" / "access").mkdir(parents=True)
    (folder / "data" / "index").symlink_to(versions.folder)
    AccessRules(FileTables(folder / "data" / "access.sqlite")).join(
        "group:some", ["user:one"], who=""
    )  # without it all is closed
    documents = versions.live().documents()
    said = documents.select(
        *("doc_id", "revision"),
        *(pl.lit(None, ACCESS["principals"]).alias("principals"), pl.lit(value=False).alias("private")),
        pl.lit(None, pl.String).alias("owner"),
    )
    said.write_parquet(folder / "data" / "access" / "docs.parquet")
    (folder / "rag.toml").write_text(
        '[[sources]]\nid = "docs"\nkind = "folder"\npath = "docs"\n[access]\nsearches_per_minute = 0\n'
    )
    (folder / "docs").mkdir()
    return folder


def in_browser(address: str, asked: Sequence[str]) -> dict[str, list[float]]:
    """Return milliseconds: of loading the page, from Enter, and from the last key, to the first result."""
    from playwright.sync_api import sync_playwright

    took: dict[str, list[float]] = {"page load": [], "Enter to first result": [], "last key to first result": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for _ in range(10):
            tab = browser.new_context().new_page()
            start = time.perf_counter()
            tab.goto(f"{address}/search")
            tab.locator(".search .welcome").wait_for()
            took["page load"].append(1000 * (time.perf_counter() - start))
            tab.context.close()
        tab = browser.new_context().new_page()
        tab.goto(f"{address}/search")
        tab.locator(".search .welcome").wait_for()
        for number, question in enumerate(asked):
            box, entered = tab.locator(".st-key-q input"), number % 2 == 0
            box.fill("")
            tab.locator(".search .welcome").wait_for()
            tab.evaluate(WATCH, question)
            box.focus()
            if entered:
                tab.keyboard.insert_text(question)
                tab.keyboard.press("Enter")
            else:
                tab.keyboard.type(question, delay=60)
            tab.wait_for_function("window.took !== null")
            took["Enter to first result" if entered else "last key to first result"].append(tab.evaluate("took"))
            tab.wait_for_timeout(300)
        browser.close()
    return took


async def many(address: str, asked: Sequence[str], sessions: int, seconds: float) -> dict:
    """Let so many sessions search for so long; returns what they saw."""
    seen: dict = {"open": [], "typing": [], "entered": [], "errors": []}
    end = time.perf_counter() + seconds
    await asyncio.gather(*(_visit(address, asked, number, end, seen) for number in range(sessions)))
    return seen


async def _visit(address: str, asked: Sequence[str], number: int, end: float, seen: dict) -> None:
    chance = random.Random(number)
    await asyncio.sleep(chance.uniform(0, THINK[1]))
    try:
        async with connect(
            f"{address.replace('http', 'ws')}/_stcore/stream", max_size=None, compression=None
        ) as socket:
            session = Session(socket)
            seen["open"].append(await session.open())
            while time.perf_counter() < end:
                await _ask(session, chance.choice(asked), seen)
                await asyncio.sleep(chance.uniform(*THINK))
    except (WebSocketException, OSError, RuntimeError) as error:
        seen["errors"].append(str(error))


async def _ask(session: Session, question: str, seen: dict) -> None:
    words = question.split()
    for part in (words[: -(-len(words) // 2)], words):
        await asyncio.sleep(TYPING)
        _note(await session.search(" ".join(part), entered=False), "typing", seen)
    _note(await session.search(" ".join(words), entered=True), "entered", seen)


def _note(took: Took, kind: str, seen: dict) -> None:
    if took.first is None:
        seen["errors"].append(f"no results of a search ({kind})")
    else:
        seen[kind].append(took)


def alone(home: Path, asked: Sequence[str]) -> dict[str, list[float]]:
    """Return milliseconds of the library's search for the same questions, one at a time, asked as the page does."""
    retriever, filters = open_workspace(home).retriever, Filters(match="any")
    took: dict[str, list[float]] = {}
    for mode in ("hybrid", "rerank"):
        retriever.search("warm", mode=mode)
        found = (retriever.search(question, k=11, mode=mode, filters=filters) for question in asked)
        took[mode] = [one.took_ms["total"] for one in found]
    return took


def show(name: str, values: Sequence[float], beside: float | None = None) -> None:
    """Print the spread of some milliseconds, and their p95 against another's."""
    if not len(values):
        print(f"  {name:38} none")
        return
    median, slow = np.percentile(values, (50, 95))
    ratio = f"   {slow / beside:5.2f} × the library alone" if beside else ""
    print(
        f"  {name:38} p50 {median:7.0f} ms   p95 {slow:7.0f} ms   most {max(values):7.0f} ms   n {len(values)}{ratio}"
    )


def main() -> None:
    """Measure and print."""
    parser = arguments_of(__doc__)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.set_defaults(queries=200)
    arguments = parser.parse_args()
    work = workspace(arguments.home, arguments.docs)
    for size in arguments.sizes:
        _measure(work, size, arguments)


def _measure(work: Workspace, size: int, arguments: argparse.Namespace) -> None:
    versions = versions_of(work, size)
    asked = [" ".join(question.split()) for question in questions(versions, 3 * arguments.queries)]
    random.Random(7).shuffle(asked)
    load = os.getloadavg()[0]
    print(f"{size:,} chunks, {cores()} cores, load {load:.1f} before; {arguments.queries} questions in the browser")
    with tempfile.TemporaryDirectory() as folder:
        home = home_of(versions, Path(folder))
        peer = alone(home, asked[: arguments.queries])
        for mode, took in peer.items():
            show(f"the library alone, {mode}", took)
        shown = "rerank" if open_workspace(home).retriever.reranks_at_once() else "hybrid"
        quick = float(np.percentile(peer[shown], 95))
        others = asked[arguments.queries :]
        with page_over(home) as address:
            for name, took in in_browser(address, others[: arguments.queries]).items():
                show(f"browser: {name}", took, None if name == "page load" else quick)
            _crowd(address, asked, arguments, quick)


def _crowd(address: str, asked: Sequence[str], arguments: argparse.Namespace, quick: float) -> None:
    seen = asyncio.run(many(address, asked, arguments.sessions, arguments.seconds))
    searches = len(seen["typing"]) + len(seen["entered"])
    habit = f"two pauses while typing, {TYPING} s apart, Enter, {THINK[0]:.0f} to {THINK[1]:.0f} s of thought"
    often = f"{searches / arguments.seconds:.1f} searches a second"
    print(f"{arguments.sessions} sessions for {arguments.seconds:.0f} s; each: {habit}: {often}")
    show("opening the view", seen["open"])
    for kind, said in (("typing", "while typing"), ("entered", "Enter")):
        show(f"{said}: send to first result", [took.first for took in seen[kind]], quick)
        show(f"{said}: send to end of run", [took.last for took in seen[kind]])
    print(f"  errors: {len(seen['errors'])} {sorted(set(seen['errors']))[:3] or ''}")


if __name__ == "__main__":
    main()
