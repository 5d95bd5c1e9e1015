"""Twenty files on the page, brought into the index by a real Dagster, and what remains when that is killed."""

import base64
import re
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress

import pytest

from rag_platform.monitoring.progress import running_stages
from rag_platform.operations.dagster_client import Orchestrator
from rag_platform.workspace import open_workspace
from tests.app.browsing import ROOT, becomes, expect, in_browser, page_over, tab_of, violations
from tests.app.held_site import PAGES, held_site
from tests.app.twenty_files import FERRY, twenty_files
from tests.dagster_server import Dagster

pytestmark = [*in_browser, pytest.mark.slow, pytest.mark.timeout(900)]

SETTINGS = '[[sources]]\nid = "uploads"\nkind = "upload"\n\n[documents]\nocr = "off"\n'
HARBOURS = ("north", "south", "west")
DROP = """(files) => {
    const carried = new DataTransfer();
    for (const [name, content] of Object.entries(files))
        carried.items.add(new File([Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))], name));
    return carried;
}"""


@pytest.fixture(scope="module")
def site():
    with held_site() as running:
        yield running


@pytest.fixture(scope="module")
def home(tmp_path_factory, model_folder, site):
    folder = tmp_path_factory.mktemp("excursion")
    (folder / "rag.toml").write_text(SETTINGS + "".join(map(site.source, HARBOURS)))
    yaml = (ROOT / "rag_platform" / "workspace" / "template" / "dagster.yaml").read_text()
    (folder / "dagster.yaml").write_text(yaml.replace("STATE", str(folder / "data" / "dagster")))
    (folder / "data" / "dagster").mkdir(parents=True)
    return folder


@pytest.fixture(scope="module")
def dagster(home):
    running = Dagster(home)
    yield running
    running.kill()


@pytest.fixture(scope="module")
def address(home, dagster):
    with page_over(home, RAG_DAGSTER__URL=dagster.url) as running:
        dagster.wait()
        yield running


@pytest.fixture
def tab(browser, address):
    with tab_of(browser, f"{address}/collections") as page:
        yield page


def drop(tab, files):
    """Drop files on the page, all at once."""
    content = {name: base64.b64encode(content).decode() for name, content in files.items()}
    carried = tab.evaluate_handle(DROP, content)
    tab.get_by_test_id("stFileUploaderDropzone").dispatch_event("drop", {"dataTransfer": carried})


def start(tab):
    """Start a sync, unless Dagster has noticed the new files and begun one by itself."""
    from playwright.sync_api import TimeoutError as TooLate

    stages = tab.locator("ol.stages")
    while not stages.is_visible():  # the button may go while it is aimed at
        with suppress(TooLate):
            tab.get_by_role("button", name="Sync now").click(timeout=10_000)
            stages.wait_for(timeout=30_000)


def test_twenty_files_are_dropped_read_by_dagster_and_cited(tab, address, dagster):
    tab.get_by_role("button", name="New collection").click()
    tab.get_by_label("Title").fill("Excursion")
    tab.get_by_role("button", name="Create").click()
    tab.get_by_test_id("stFileUploaderDropzone").wait_for()
    drop(tab, twenty_files())
    expect(tab.locator(".states")).to_have_text(re.compile("20 "))
    start(tab)
    leads = tab.get_by_role("link", name="See the run in Dagster").get_attribute("href")
    assert re.fullmatch(rf"{dagster.url}/runs/[0-9a-f-]{{36}}", leads)
    tab.locator("ol.stages li.now").wait_for()  # without a click and without a reload
    expect(tab.locator(".states")).to_have_text(re.compile("18 live.*2 could not be read"))
    failed = tab.locator(".file", has_text="could not be read")
    assert all(reason.strip() for reason in failed.locator(".reason").all_inner_texts())
    expect(tab.locator("ol.stages")).to_have_count(0)
    assert violations(tab) == []
    tab.goto(address)
    tab.get_by_placeholder("Ask about your documents").fill("When does the ferry to Aldern island leave?")
    tab.keyboard.press("Enter")
    tab.locator("a.cite").first.click()
    expect(tab.locator("mark#cited")).to_have_text(FERRY)
    expect(tab.get_by_text("ferry.docx").first).to_be_visible()
    assert tab.trouble == []


def far(tab):
    """Return how much of a sync a tab shows as done, in percent; None: it shows none."""
    shown = tab.locator(".track").evaluate_all("(all) => all.map((one) => one.getAttribute('aria-valuenow'))")
    return int(shown[0]) if shown else None


def test_two_visitors_who_sync_at_once_follow_one_run_that_never_goes_back(browser, address, dagster, home):
    collections, runs = open_workspace(home).collections(), Orchestrator(dagster.url, home)
    dagster.stop_sensor("changed_files")  # it would begin a run as well, where the looks at it fall so
    harbour = collections.create("Harbour", id=f"harbour-{len(collections.list())}").id  # where it is repeated as well
    before = {run.id for run in runs.latest("uploads", most=50)}
    at = f"{address}/collections?source=uploads"
    with tab_of(browser, at) as one, tab_of(browser, at) as other:
        starters = [tab.get_by_role("button", name="Sync now") for tab in (one, other)]
        for starter in starters:
            starter.wait_for()
        collections.add(harbour, "crane.md", [b"# Crane\n\nThe crane of the harbour lifts forty tons.\n"])
        for starter in (*starters, starters[0]):  # at once, and again before anybody sees what came of it
            starter.dispatch_event("click")
        leads = {tab.get_by_role("link", name="See the run in Dagster").get_attribute("href") for tab in (one, other)}
        seen = {one: [], other: []}
        while any(far(tab) is not None for tab in seen):
            for tab, shares in seen.items():
                shares += [share for share in [far(tab)] if share is not None]
            one.wait_for_timeout(100)
        for tab, shares in seen.items():
            assert shares and shares == sorted(shares), "it went back"
            assert tab.trouble == []
    begun = {run.id for run in runs.latest("uploads", most=50)} - before
    assert leads == {runs.address_of(run) for run in begun} and len(begun) == 1


@contextmanager
def synced_in_a_terminal(home, source):
    """Sync a source beside Dagster, until somebody kills it."""
    command = [sys.executable, "-m", "rag_platform", "--home", str(home), "sync", source]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def told(tab):
    """Return how many pages are read, as a tab tells it together with how long all of it takes still."""
    found = OWN.match(tab.locator(".doing").inner_text())
    return int(found[1]) if found else 0


def reads(tab, site, source, stages, pages):
    """Give a source pages until that many more are noted, and wait until its own page tells of them."""

    def noted():
        if site.waits(source):
            site.give(source, 1)
        return any(one.source == source and one.done >= before + pages for one in running_stages(stages))

    before = told(tab)
    becomes(tab, noted)
    becomes(tab, lambda: told(tab) >= before + pages)


OWN = re.compile(rf"Fetching: (\d+) of {PAGES}(?: · [\d.]+ a second)? · about \d+ (?:s|min) left in all$")
SAID = """
() => {
  window.said = [];
  const look = () => {
    for (const one of document.querySelectorAll(".running .doing, ol.stages .now"))
      if (!window.said.includes(one.innerText)) window.said.push(one.innerText);
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Notes in each frame what is said of a sync that goes on."""


def test_each_sync_tells_its_own_step_rate_and_time_left_and_nothing_of_anothers(browser, address, home, site):
    activity, stages = open_workspace(home).activity, home / "data" / "progress"
    site.close(HARBOURS)
    with ExitStack() as opened:
        at = f"{address}/collections?source="
        north, south, west = tabs = [opened.enter_context(tab_of(browser, at + source)) for source in HARBOURS]
        start(north)
        reads(north, site, "north", stages, 20)
        expect(north.locator(".doing")).to_contain_text(" a second · ")
        start(south)
        with synced_in_a_terminal(home, "west"):
            reads(west, site, "west", stages, 60)
            for tab in tabs:
                tab.evaluate(SAID)
            with activity.running("index"):  # of a release that nobody here asked for
                reads(north, site, "north", stages, 1)
                reads(west, site, "west", stages, 1)
        expect(west.locator("ol.stages")).to_have_count(0)
        assert south.evaluate("said") == ["Waiting in Dagster for its turn …"]
        shares = {}
        for tab in (north, west):
            said = {*tab.evaluate("said")} - {"Fetching"}
            shares[tab] = [int(OWN.match(one)[1]) for one in said]  # each of them is of its own sync
        assert max(shares[north]) < 60 <= min(shares[west])
        for tab in (south, north):
            tab.get_by_role("button", name="Cancel", exact=True).click()
            site.give("north")
            expect(tab.locator("ol.stages")).to_have_count(0)
        assert [tab.trouble for tab in tabs] == [[], [], []]


def test_a_killed_dagster_is_told_and_the_page_goes_on_without_it(tab, dagster):
    tab.get_by_role("button", name="Excursion").click()
    drop(tab, {"late.md": b"# Late\n\nThe museum by the harbour opens its doors at ten on Sundays.\n"})
    expect(tab.get_by_text("late.md")).to_be_visible()
    start(tab)
    tab.locator("ol.stages li.now").wait_for()
    dagster.kill()
    expect(tab.get_by_text("Dagster cannot be reached")).to_be_visible()
    expect(tab.locator("ol.stages")).to_have_count(0)  # nothing is shown as running for ever
    assert violations(tab) == []
    tab.get_by_role("button", name="Sync without Dagster").click()
    expect(tab.locator(".states")).to_have_text(re.compile("19 live"))
    tab.get_by_role("button", name="All collections").click()
    expect(tab.get_by_role("button", name="Excursion")).to_be_visible()
    assert tab.trouble == []
