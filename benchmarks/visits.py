"""What a visit to the page costs in a real browser: each view loaded, cold and warm, switched to, and on a slow line.

    python -m benchmarks.visits HOME [--times 10]

HOME is a published workspace. Cold is a browser that was never there, warm one that was; a view is there when its
heading is. A switch is a click on a link of the page, and ends when the run has ended that draws the view. On the slow
line (50 kB/s, 40 ms) a cold visit is measured once for each view. Bytes are what came, compressed, by HTTP and by the
websocket.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.app.browsing import CHROMIUM, FLAGS, PATIENCE, RUNS, page_over, settled

VIEWS = ("", "search", "grids", "collections", "quality", "operate", "admin")
THERE = ".hero, .welcome, h2.title"
SLOW = {"offline": False, "latency": 40, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


def visit(context: BrowserContext, address: str, *, slow: bool = False) -> tuple[Page, float, int]:
    """Open a view in a new tab; returns the tab, the milliseconds until it is there, and the bytes that came."""
    page, came = context.new_page(), [0]
    page.set_default_timeout(PATIENCE)
    page.add_init_script(RUNS)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    if slow:
        session.send("Network.emulateNetworkConditions", SLOW)

    def add(event: dict[str, Any]) -> None:
        sent = event.get("response")  # of the websocket, in base64
        came[0] += len(sent["payloadData"]) * 3 // 4 if sent else event["encodedDataLength"]

    session.on("Network.loadingFinished", add)
    session.on("Network.webSocketFrameReceived", add)
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(THERE).first.wait_for()
    took = 1000 * (time.perf_counter() - start)
    settled(page)
    return page, took, came[0]


def loads(browser: Browser, address: str, times: int) -> None:
    """Print what each view costs who was never there, and who was."""
    for view in VIEWS:
        cold, warm, whole = [], [], 0
        for _ in range(times):
            context = browser.new_context()
            page, took, whole = visit(context, f"{address}/{view}")
            cold.append(took)
            page.close()
            warm.append(visit(context, f"{address}/{view}")[1])
            context.close()
        show(f"{view or 'ask'}, cold ({whole:,} bytes)", cold)
        show(f"{view or 'ask'}, warm", warm)


def switches(browser: Browser, address: str, times: int) -> None:
    """Print how long it takes to go from view to view."""
    page = visit(browser.new_context(), address)[0]
    took: dict[str, list[float]] = {view: [] for view in VIEWS}
    for _ in range(times):
        for view in (*VIEWS[1:], ""):
            link = page.get_by_test_id("stHeader").locator("a").nth(VIEWS.index(view))
            start = time.perf_counter()
            link.click()
            page.wait_for_url(f"{address}/{view}*")
            settled(page)
            took[view].append(1000 * (time.perf_counter() - start))
    for view, values in took.items():
        show(f"switch to {view or 'ask'}", values)


def slow_line(browser: Browser, address: str) -> None:
    """Print what each view costs on a slow line who was never there."""
    for view in VIEWS:
        context = browser.new_context()
        _, took, came = visit(context, f"{address}/{view}", slow=True)
        print(f"  {view or 'ask':38} at 50 kB/s {took / 1000:6.1f} s   {came:,} bytes", flush=True)
        context.close()


def show(name: str, values: list[float]) -> None:
    """Print the spread of some milliseconds."""
    median, slow = np.percentile(values, (50, 95))
    print(f"  {name:38} p50 {median:7.0f} ms   p95 {slow:7.0f} ms   n {len(values)}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--times", type=int, default=10)
    given = parser.parse_args()
    with page_over(given.home.resolve()) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        steps: tuple[Callable[[], None], ...] = (
            lambda: loads(browser, address, given.times),
            lambda: switches(browser, address, given.times),
            lambda: slow_line(browser, address),
        )
        for step in steps:
            print(f"load of the machine {os.getloadavg()[0]:.1f}")
            step()
        browser.close()


if __name__ == "__main__":
    main()
