"""Make the pictures of the page in docs/images anew, over a small workspace of its own.

    python -m scripts.pictures

Needs Chromium, as the tests of the page do.
"""

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from rag_platform.workspace import open_workspace
from tests.app.browsing import CHROMIUM, FLAGS, ROOT, page_over, settled, tab_of
from tests.app.first_minutes import empty_workspace, first_minutes

IMAGES = ROOT / "docs" / "images"
COLOURS = 128
"""Of a picture: texts on plain grounds need no more, and it is a fifth as large."""
SEEN = {"width": 1280, "height": 720}
FIRST = ("adding", "reading", "answered", "source")
"""Of the steps of the first minutes, those that docs/page.md shows."""
LEAVE = "How many days of paid leave do employees get?"
SETTINGS = """
[[sources]]
id = "handbook"
kind = "folder"
path = "handbook"
[[sources]]
id = "wiki"
kind = "folder"
path = "wiki"
[[sources]]
id = "news"
kind = "folder"
path = "news"
[[sources]]
id = "uploads"
kind = "upload"
"""
TEXTS = {
    "handbook/leave.md": """# Leave policy

Employees get 25 days of paid leave per year. Unused days expire on 31 March of the following year. They can be carried
over once, if the team lead agrees in writing.

## How to ask

Ask your team lead two weeks before the first day, and write the days into the calendar of the team. Leave of more than
three weeks at once is agreed with the personnel office.
""",
    "handbook/travel.md": """# Travel

Journeys of less than six hours are made by train. Receipts are handed in within thirty days after the end of the
journey; the personnel office pays them with the next salary.
""",
    "wiki/questions.md": """# Questions of new colleagues

Employees get 25 days of paid leave per year, and one more for each child below three. The personnel office answers all
else about leave on Mondays.
""",
    "news/new.md": """---
date: 2024-01-08
---
# What is new in 2024

Employees get 22 days of paid leave per year. The canteen opens at eleven, and the bicycle shed has a roof.
""",
    "handbook/locks.md": """# The lock house

The lock house was built in 1848 by the canal company. Boats pass the locks from April to October between seven and
nineteen o'clock. Paddling from Oster to Aldern takes two days.
""",
}
EARLIER = ("When was the lock house built?", "Until when are receipts handed in?")
HANDOUTS = {
    "scan of the blackboard.png": b"\x89PNG cut off" * 180,
    "entropy.md": b"# Entropy\n\nIn a closed system entropy never gets less: heat flows from warm to cold by itself.\n",
    "optics and waves, lecture notes of the second term.html": (
        b"<h1>Optics and waves</h1><p>Light bends at the surface of water because it is slower there than in air.</p>"
    ),
}


def main() -> None:
    """Make them all."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        home = Path(folder)
        _fill(home)
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with page_over(home) as address:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(120_000)
            _asked(page, address)
            page.goto(f"{address}/collections?collection=physics")
            _picture(page, "collections", "Could not be read")
            page.emulate_media(color_scheme="dark")
            page.goto(f"{address}/search?q=days+of+leave")
            _picture(page, "search", "Leave policy")
        _first_minutes(browser)
        browser.close()


def _fill(home: Path) -> None:
    (home / "rag.toml").write_text(SETTINGS)
    for name, text in TEXTS.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text)
    workspace = open_workspace(home)
    collections = workspace.collections()
    collections.create(
        "Physics, first year", id="physics", description="Handouts and lecture notes, as given in class."
    )
    for name, content in HANDOUTS.items():
        collections.add("physics", name, [content])
    subprocess.run([sys.executable, "-m", "rag_platform", "--home", home, "sync"], check=True)


def _first_minutes(browser: Browser) -> None:
    """Go a person's first way over the page, and picture what it leads to, each step when it stands there."""
    with (
        tempfile.TemporaryDirectory() as folder,
        page_over(empty_workspace(Path(folder))) as address,
        tab_of(browser, address, viewport=SEEN) as tab,
    ):
        for step in first_minutes(tab, address):
            if step in FIRST:
                tab.evaluate("document.querySelector('.preview')?.scrollIntoView({ block: 'end' })")
                _shoot(tab, f"first-{step}")


def _asked(page: Page, address: str) -> None:
    for question in (*EARLIER, LEAVE):
        page.goto(address)
        page.get_by_placeholder("Ask about your documents").fill(question)
        page.keyboard.press("Enter")
        page.locator("details.trace:not(.live)").wait_for()  # the answer is whole
        page.get_by_test_id("stFeedback").wait_for()
    page.get_by_text("Ask next").wait_for()  # what comes last, and moves what is shown
    page.wait_for_function("() => document.querySelector('h2.question').getBoundingClientRect().top > 0")
    _picture(page, "page", "Sources")


def _picture(page: Page, name: str, shown: str) -> None:
    page.get_by_text(shown).filter(visible=True).first.wait_for()
    settled(page)
    _shoot(page, name)


def _shoot(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    with Image.open(BytesIO(page.screenshot())) as taken:
        few = taken.convert("RGB").quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
