"""A person's first minutes on the page, from an empty workspace to a shared chat; docs/page.md tells the same way."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.app.browsing import expect, settled

TEXTS = {
    "leave.md": """# Leave policy

Employees get 25 days of paid leave per year. Unused days expire on 31 March of the following year. They can be carried
over once, if the team lead agrees in writing.
""",
    "travel.md": """# Travel

Journeys of less than six hours are made by train. Receipts are handed in within thirty days after the end of the
journey; the personnel office pays them with the next salary.
""",
    "locks.md": """# The lock house

The lock house was built in 1848 by the canal company. Boats pass the locks from April to October between seven and
nineteen o'clock.
""",
}
FIRST, SECOND = "How many days of paid leave do employees get?", "And when do they expire?"


def empty_workspace(folder: Path) -> Path:
    """Return the folder of a workspace that reads nothing yet, with a folder of texts beside its settings."""
    (folder / "handbook").mkdir()
    for name, text in TEXTS.items():
        (folder / "handbook" / name).write_text(text)
    (folder / "rag.toml").write_text("# Nothing is read yet.\n")
    return folder


def first_minutes(tab, address: str) -> Iterator[str]:
    """Go the way, and name each step once it stands on the page."""
    tab.goto(address)
    tab.get_by_role("heading", name="Nothing to ask yet").wait_for()
    yield "empty"
    tab.get_by_role("link", name="a folder").click()
    tab.get_by_label("Name", exact=True).fill("handbook")
    tab.get_by_label("Folder", exact=True).last.fill("handbook")
    tab.get_by_role("button", name="Preview what would be read").click()
    expect(tab.locator(".preview")).to_contain_text("3 documents would be read")
    yield "adding"
    tab.get_by_role("button", name="Add the source").click()
    tab.get_by_role("button", name="Sync now").click()
    tab.locator("ol.stages li.now").wait_for()
    yield "reading"
    expect(tab.get_by_text("3 documents ·")).to_be_visible()
    expect(tab.locator("ol.stages")).to_have_count(0)
    tab.get_by_test_id("stHeader").get_by_role("link", name="Ask").click()
    ask(tab, FIRST, "25 days")
    yield "answered"
    tab.locator("a.cite").first.click()
    source = tab.get_by_role("complementary", name="The source")
    expect(source.frame_locator("iframe").locator("mark#cited")).to_contain_text("25 days")
    yield "source"
    tab.keyboard.press("Escape")
    expect(source).to_have_count(0)
    tab.locator("[class*=st-key-judge-] button").first.click()
    expect(tab.locator("[class*=st-key-judge-] button").first).to_have_attribute("data-testid", re.compile("Active"))
    yield "judged"
    ask(tab, SECOND, "31 March")
    yield "followed"
    tab.get_by_role("button", name="Share", exact=True).click()
    tab.get_by_role("dialog").get_by_role("button", name="Make a link").click()
    expect(tab.get_by_role("dialog").locator("code")).to_contain_text("?shared=")
    yield "shared"


def ask(tab, question: str, told: str) -> None:
    """Ask, and wait for the whole answer."""
    tab.get_by_placeholder("Ask about your documents").fill(question)
    tab.keyboard.press("Enter")
    tab.locator("h2.question", has_text=re.compile(re.escape(question))).wait_for()
    expect(tab.locator(".answer").last).to_contain_text(told)
    settled(tab)
