"""Collections and sources on the page: what each role sees, what is typed, and the whole way in a real browser."""

import re
import tomllib
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from app import frame, undo
from app.collecting.forms import check, kinds_for
from app.collecting.running import ended_html, progress, running_html, stages
from app.collecting.showing import file_html, settings_html, until
from app.collecting.syncing import begin
from rag_platform.config.settings_file import load_settings
from rag_platform.config.source_kinds import kind_names
from rag_platform.monitoring.progress import ProgressNotes, Running
from rag_platform.monitoring.whole_progress import TYPICAL, WholeProgress
from rag_platform.operations import source_gallery as extras_gallery
from rag_platform.operations.background_jobs import sync_state
from rag_platform.operations.dagster_client import Run, Step
from rag_platform.operations.runs import SyncStatus
from rag_platform.operations.status.source_status import source_states
from rag_platform.operations.status.upload_status import FileStatus
from rag_platform.people.identity import Person
from rag_platform.workspace import open_workspace
from tests.app.browsing import ROOT, becomes, expect, fits, in_browser, page_over, tab_of, violations

UPLOADS = '[[sources]]\nid = "uploads"\nkind = "upload"\n'
ADMIN = Person("", "ada", "admin", ("group:staff",))
EDITOR = Person("user:ed", "Ed", "editor")
NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """A workspace with uploads, and what shows the view over it to somebody."""
    (tmp_path / "rag.toml").write_text(UPLOADS)
    workspace = open_workspace(tmp_path)
    monkeypatch.setattr(frame, "workspace", lambda: workspace)

    def view(person=ADMIN, **query):
        monkeypatch.setattr(frame, "person", lambda: person)
        test = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
        test.query_params.update(query)
        test.switch_page("views/collections.py").run()
        assert not test.exception
        return test

    return workspace, view


def html(test):
    return "\n".join(element.proto.body for element in test.get("html"))


def labels(test):
    return [button.label for button in test.button]


# --- collections ----------------------------------------------------------------------------------------


def test_the_view_teaches_until_there_is_a_collection(opened):
    workspace, view = opened
    assert "Put your own material here" in html(view())
    workspace.collections().create("Physics <b>", description="Hand<i>outs", language="de")
    test = view()
    assert "Hand&lt;i&gt;outs" in html(test) and "0 files · German" in html(test)
    assert r"Physics \<b\>" in labels(test)


def test_without_a_place_for_them_an_admin_makes_one_with_a_click(tmp_path, monkeypatch, opened):
    _, view = opened
    (tmp_path / "rag.toml").write_text("# mine\n")
    workspace = open_workspace(tmp_path)
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    assert "An admin makes room" in html(view(EDITOR)) and "Make room for files" not in labels(view(EDITOR))
    test = view()
    next(button for button in test.button if button.label == "Make room for files").click().run()
    assert "Put your own material here" in html(test)
    assert (tmp_path / "rag.toml").read_text().startswith("# mine\n")


def test_only_what_somebody_may_read_is_shown(opened):
    workspace, view = opened
    workspace.collections().create("Exams", principals=["group:staff"])
    workspace.collections().create("Open")
    assert "Exams" in labels(view()) and "Exams" not in labels(view(EDITOR))
    test = view(EDITOR, collection="exams")
    assert "Exams" not in html(test) and "no collection" in test.warning[0].value


def test_a_reader_sees_files_and_no_way_to_change_anything(opened):
    workspace, view = opened
    collections = workspace.collections()
    collections.create("Open")
    collections.add("open", "a.md", [b"text"], who="user:ed")
    reader = Person("user:rita", "Rita", "reader")
    assert labels(view(reader)) == ["Open"]
    for query in ({"show": "sources"}, {"add": "feed"}, {"source": "uploads"}):
        test = view(reader, **query)
        assert labels(test) == ["Open"]
    test = view(reader, collection="open")
    assert "a.md" in html(test) and "by user:ed" in html(test)
    assert labels(test) == ["All collections"]
    assert not test.get("file_uploader")


def test_two_hundred_collections_are_paged_and_found_by_a_word(opened):
    workspace, view = opened
    for number in range(200):
        workspace.collections().create(f"Course {number:03}")
    test = view()
    assert sum(label.startswith("Course") for label in labels(test)) == 20
    test.text_input(key="find-collection").set_value("course 17").run()
    assert sum(label.startswith("Course") for label in labels(test)) == 12  # 017, 117 and 170 to 179
    test.text_input(key="find-collection").set_value("no such").run()
    assert "Nothing here is called" in html(test)


def test_files_are_listed_with_their_state_and_who_removed_one_is_kept(opened):
    workspace, view = opened
    collections = workspace.collections()
    collections.create("Open")
    for number in range(30):
        collections.add("open", f"{number:02}<i>.md", [b"text"])
    test = view(EDITOR, collection="open")
    assert "30 uploaded" in html(test) and html(test).count('class="file"') == 25
    assert "00&lt;i&gt;.md" in html(test)
    test.button(key="remove-00<i>.md").click().run()
    assert "<b>00&lt;i&gt;.md</b> is removed" in html(test) and len(collections.files("open")) == 30
    assert "29 uploaded" in html(test), "it is listed no more"
    test.button(key="keep-file-uploads-open-00<i>.md").click().run()
    assert "30 uploaded" in html(test) and not undo._LEAVING, "it was taken back"
    test.button(key="remove-00<i>.md").click().run()
    undo.do_all()  # its time has come
    assert "29 uploaded" in html(test.run()) and "is removed" not in html(test)
    assert collections.removed()[0][:2] == ("uploads/open/00<i>.md", "user:ed")
    test.text_input(key="find-file-open").set_value("07").run()
    assert html(test).count('class="file"') == 1


def test_a_file_opens_as_soon_as_its_document_is_live(opened):
    collections = opened[0].collections()
    collections.create("Open")
    file = collections.add("open", "a<i>.md", [b"1"])
    assert "<a" not in file_html(FileStatus(file, "embedded", None, 1))
    shown = file_html(FileStatus(file, "live", None, 1, 'd"1'))
    assert '<a class="inner" href="document?doc=d%221" target="_self">a&lt;i&gt;.md</a>' in shown


def test_a_file_is_shown_with_its_reason_escaped(opened):
    collections = opened[0].collections()
    collections.create("Open")
    file = collections.add("open", "a.md", [b"1"], who="<u>me")
    shown = file_html(FileStatus(file, "failed", "no reader for <script>", 0))
    assert "could not be read" in shown and "&lt;script&gt;" in shown and "&lt;u&gt;me" in shown
    assert file_html(FileStatus(file, "chunked", None, 3)).count('class="on"') == 4


# --- a sync as it goes on -------------------------------------------------------------------------------


def following(**given):
    empty = {"running": False, "stages": (), "run": None, "address": None, "unreachable": None}
    return SyncStatus(**empty | {"idle_daemons": (), "interrupted": None, "last": None} | given)


def run(status, **given):
    return Run("r", "sync", status, "uploads", NOW, NOW, given.pop("ended", None), **given)


def test_progress_tells_the_stage_the_count_the_rate_and_the_time_left():
    assert progress(following())[0] == "Getting ready …"
    stage = Running(1, "embed", "uploads", 30, 120, 15.0, 2.0, 45.0)
    text, share = progress(following(stages=(stage,), whole=WholeProgress(0.3, 70.0)))
    assert text == "Embedding: 30 of 120 · 2 a second · about 70 s left in all" and share == 0.3
    assert progress(following(stages=(stage,)))[0] == "Embedding: 30 of 120 · 2 a second"
    joined = following(running=True, joined=True, whole=WholeProgress(0.2, 100.0))
    assert progress(joined) == ("Other sources of this sync are being read … · about 2 min left in all", 0.2)
    assert progress(following(run=run("QUEUED")))[0] == "Waiting in Dagster for its turn …"


def test_the_steps_are_those_of_dagster():
    steps = (Step("raw", "SUCCESS", NOW, NOW), Step("documents", "IN_PROGRESS", NOW, None))
    looks = stages(run("STARTED", steps=steps), ())
    assert (looks["fetch"], looks["extract"], looks["publish"]) == ("done", "now", "")
    assert 'aria-current="step"' in running_html(following(run=run("STARTED", steps=steps)))


def test_progress_never_goes_back_and_shows_nothing_of_another_run():
    between = running_html(following(running=True), 0.79)
    assert 'aria-valuenow="79"' in between and between.count('class="done"') == 4
    steps = (Step("raw", "SUCCESS", NOW, NOW), Step("documents", "IN_PROGRESS", NOW, None))
    others = Running(2, "index", None, 3, 4, 1.0, 3.0, 9.0)
    text, share = progress(following(run=run("STARTED", steps=steps), stages=(others,)))
    assert text == "Reading …" and share == TYPICAL["fetch"]


def test_who_starts_what_runs_joins_it(opened):
    workspace, _ = opened
    with ProgressNotes(workspace.settings.data / "progress").running("fetch", "uploads"):
        begin("uploads", EDITOR)
    with ProgressNotes(workspace.settings.data / "progress").running("sync", of=["uploads"]):
        begin("uploads", EDITOR)


def test_the_end_of_a_sync_is_told_in_plain_words():
    later = NOW + timedelta(minutes=1)
    failed = following(run=run("FAILURE", ended=later, problems=("disk <full>",)))
    assert "disk &lt;full&gt;" in ended_html(failed, waiting=False)
    assert "was cancelled" in ended_html(following(run=run("CANCELED", ended=later)), waiting=False)
    assert "has died" in ended_html(following(run=run("STARTED", lost=True)), waiting=False)
    here = {
        "ended_at": later.isoformat(),
        "errors": [],
        "published": False,
        "gate": {"passed": False, "reasons": ["Worse."]},
    }
    assert "was not published: Worse." in ended_html(following(last=here), waiting=False)
    good = here | {"published": True, "gate": {"passed": True}}
    assert "Last sync" in ended_html(following(last=good), waiting=False, read_at=NOW)


# --- sources --------------------------------------------------------------------------------------------


def looked(kind, person=ADMIN, home=ROOT, **values):
    return check(kind, values, person, home=home, ids={"uploads"}, secret="kept")


def test_how_pages_are_read_is_chosen():
    chosen = looked("folder", id="n", path="docs", page_text="ocr").table
    assert chosen["page_text"] == "ocr" and "comments" not in chosen
    forum = looked("web", id="n", way="sitemap", sitemap="https://a.example/s", comments=True, page_text="auto").table
    assert forum["comments"] is True and "page_text" not in forum


@pytest.mark.parametrize(
    ("kind", "values", "wrong"),
    [
        ("feed", {"id": "News", "address": "https://a.example/f"}, "id"),
        ("feed", {"id": "uploads", "address": "https://a.example/f"}, "id"),
        ("feed", {"id": "n", "address": "ftp://a.example"}, "address"),
        ("feed", {"id": "n", "address": "https://me:secret@a.example/f"}, "address"),
        ("feed", {"id": "n", "address": "https://a.example/", "schedule": "own", "cron": "61 * * * *"}, "cron"),
        ("feed", {"id": "n", "address": "https://a.example/", "half_life_days": -1}, "half_life_days"),
        ("web", {"id": "n", "way": "crawl", "crawl": ""}, "crawl"),
        ("folder", {"id": "n", "path": "no-such-folder"}, "path"),
        ("portal", {"id": "n", "url": "https://p.example", "user": "${secret:other}", "password": "x"}, "user"),
        ("sql", {"id": "n", "url": "postgresql://me:pw@db/x", "query": "q", "key": "k", "template": "t"}, "url"),
        ("sql", {"id": "n", "url": "mysql://${HOME}@db/x", "query": "q", "key": "k", "template": "t"}, "url"),
        ("sql", {"id": "n", "url": "mysql://db/x", "password": "p", "query": "q", "key": "k", "template": "t"}, "url"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(kind, values, wrong):
    assert list(looked(kind, **values).problems) == [wrong]


@pytest.mark.parametrize(
    ("kind", "values", "own"),
    [
        ("feed", {"address": "https://a.example/f", "others": "https://b.example/g\n"},
         {"urls": ["https://a.example/f", "https://b.example/g"]}),
        ("web", {"way": "sitemap", "sitemap": "https://a.example/s.xml", "exclude": "**/x\n**/y"},
         {"sitemap": "https://a.example/s.xml", "exclude": ["**/x", "**/y"]}),
        ("folder", {"path": "docs"}, {"path": "docs"}),
        ("portal", {"url": "https://p.example", "user": "ada", "password": "pw"},
         {"url": "https://p.example", "user": "ada", "password": "${secret:kept}"}),
        ("sql", {"url": "postgresql://me@db/x", "password": "pw", "query": "q", "key": "k", "template": "{k}"},
         {"url": "postgresql://me:${secret:kept}@db/x", "query": "q", "key": "k", "template": "{k}"}),
    ],
)  # fmt: skip
def test_what_was_typed_becomes_a_table_without_the_password(kind, values, own):
    found = looked(kind, id="n", schedule="day", **values)
    assert found.problems == {}
    rest = {"id": "n", "kind": kind, "collection": "n", "schedule": "0 6 * * *"}
    assert found.table == rest | own
    assert "pw" not in str(found.table)


def test_all_kinds_are_shown_with_a_table_to_begin_with(opened, monkeypatch):
    monkeypatch.setattr(extras_gallery, "PACKAGES", (("no-such-package", "s3", "S3 storage"),))
    view = opened[1]
    assert "All kinds" in view(add="feed").segmented_control[0].options
    test = view(add="more")
    assert not test.exception
    tables = [one.value for one in test.get("code")]
    assert [tomllib.loads(table)["sources"][0]["kind"] for table in tables if "[[sources]]" in table] == kind_names()
    assert any("pip install" in one for one in tables)
    assert any("hundreds of services" in one.label for one in test.expander)
    assert "Not installed: the extras s3" in html(test)
    assert not any("pip install" in one.value for one in view(EDITOR, add="more").get("code"))


def test_what_opens_this_machine_is_for_admins():
    assert {"folder", "sql"} & set(kinds_for(EDITOR)) == set()
    assert "" in looked("folder", EDITOR, id="n", path="docs").problems
    typed = {"id": "n", "address": "https://a.example/f", "allow_private": True}
    assert "fetch" not in looked("feed", EDITOR, **typed).table
    assert looked("feed", **typed).table["fetch"] == {"allow_private": True}


def test_an_editor_pauses_a_source_and_only_an_admin_may_delete_it(opened, tmp_path):
    _, view = opened
    (tmp_path / "docs").mkdir()
    with (tmp_path / "rag.toml").open("a") as file:
        file.write('\n[[sources]]\nid = "docs"   # ours\nkind = "folder"\npath = "docs"\n')
    assert "Delete" not in labels(view(EDITOR, source="docs"))
    test = view(EDITOR, source="docs")
    next(button for button in test.button if button.label == "Pause").click().run()
    assert load_settings(tmp_path).source("docs").paused and "This source is paused" in html(test)
    test = view(source="docs")
    next(button for button in test.button if button.label == "Resume").click().run()
    assert not load_settings(tmp_path).source("docs").paused
    assert "Delete" in labels(test)


def test_settings_are_shown_without_what_is_secret(tmp_path):
    (tmp_path / "rag.toml").write_text(
        '[[sources]]\nid = "a"\nkind = "sql"\nurl = "postgresql://me:hidden@db/x"\nquery = "q"\nkey = "k"\n'
        'template = "t"\n[[sources]]\nid = "b"\nkind = "objects"\nurl = "s3://x"\noptions = { key = "hidden" }\n'
    )
    shown = "".join(settings_html(state) for state in source_states(open_workspace(tmp_path), ()))
    assert "hidden" not in shown and "postgresql://db/x" in shown


def test_the_next_time_is_told_in_fitting_units():
    told = [until(NOW + timedelta(**away), NOW) for away in ({"minutes": 5}, {"hours": 3}, {"days": 9})]
    assert told == ["in 5 min", "in 3 h", "in 9 days"]


# --- in a browser ---------------------------------------------------------------------------------------


@pytest.fixture
def address(tmp_path, model_folder):
    (tmp_path / "rag.toml").write_text("# Nothing yet.\n")
    (tmp_path / "press").mkdir()
    (tmp_path / "press" / "bridge.md").write_text("# Bridge\n\nThe bridge opens in June, the council says.\n")
    with page_over(tmp_path, RAG_GATE__SYNTHETIC="0") as running:
        yield running


@pytest.mark.browser
@in_browser[1]
def test_from_an_empty_page_to_a_source_a_collection_and_a_found_passage(browser, address, tmp_path):
    (tmp_path / "entropy.md").write_text("# Entropy\n\nEntropy of an isolated system never decreases, said Clausius.\n")
    (tmp_path / "scan.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    with tab_of(browser, f"{address}/collections?show=sources") as page:
        page.get_by_role("button", name="Add a source").click()
        page.get_by_role("radio", name="Folder").or_(page.get_by_role("button", name="Folder")).first.click()
        name = page.get_by_label("Name", exact=True)
        name.press_sequentially("Press Cuttings")
        expect(page.locator(".wrong", has_text="Small letters")).to_be_visible()  # while one types
        expect(name).to_have_value("Press Cuttings")
        name.fill("press")
        page.get_by_label("Folder", exact=True).last.fill("press")
        expect(page.locator(".wrong")).to_have_count(0)
        page.get_by_role("button", name="Preview what would be read").click()
        expect(page.locator(".preview")).to_contain_text("One document would be read")
        assert not (tmp_path / "data" / "raw").exists()
        assert violations(page) == []
        page.get_by_role("button", name="Add the source").click()
        page.get_by_role("button", name="Sync now").click()
        page.locator("ol.stages").wait_for()
        expect(page.get_by_text("1 document ·")).to_be_visible()
        page.goto(f"{address}/collections")
        page.get_by_role("button", name="Make room for files").click()
        page.get_by_role("button", name="New collection").click()
        page.get_by_label("Title").fill("Physics")
        page.get_by_role("button", name="Create").click()
        page.locator("input[type=file]").set_input_files([tmp_path / "entropy.md", tmp_path / "scan.png"])
        expect(page.locator(".states")).to_have_text(re.compile("2 uploaded"))
        page.get_by_role("button", name="Sync now").click()
        page.locator("ol.stages").wait_for()
        expect(page.locator(".states")).to_have_text(re.compile("1 live.*1 could not be read"))
        page.set_viewport_size({"width": 390, "height": 844})
        assert fits(page) and violations(page) == []
        page.goto(f"{address}/collections?source=press")
        page.get_by_role("button", name="Delete").click()
        page.get_by_text("One document with").wait_for()
        delete = page.get_by_role("dialog").get_by_role("button", name="Delete")
        expect(delete).to_be_disabled()
        page.get_by_label("Type press to confirm").press_sequentially("press")
        delete.click()
        expect(page.get_by_role("button", name="uploads")).to_be_visible()
        expect(page.get_by_role("button", name="press")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="press")).to_be_visible()  # it is where it was
        assert "press" in (tmp_path / "rag.toml").read_text()
        page.goto(f"{address}/search?q=entropy&collection=physics")
        expect(page.locator("mark", has_text="Entropy").first).to_be_visible()
        assert page.trouble == []


def delete_press(page, address):
    page.goto(f"{address}/collections?source=press")
    page.get_by_role("button", name="Delete").click()
    page.get_by_label("Type press to confirm").press_sequentially("press")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()


@pytest.mark.browser
@in_browser[1]
def test_a_file_and_a_source_are_gone_at_once_and_for_good_unless_taken_back(browser, address, tmp_path):
    with (tmp_path / "rag.toml").open("a") as settings:
        settings.write(f'{UPLOADS}[[sources]]\nid = "press"\nkind = "folder"\npath = "press"\n')
    workspace = open_workspace(tmp_path)
    files = workspace.collections()
    files.create("Physics")
    for name in ("entropy.md", "heat.md"):
        files.add("physics", name, [b"# Heat\n\nHeat flows from hot to cold."])
    with tab_of(browser, f"{address}/collections?collection=physics") as page:
        listed = page.locator(".file", has_text="heat.md")
        undo_it = page.get_by_role("button", name="Undo")
        remove = page.locator(".st-key-files-part").get_by_role("button", name="Remove").nth(1)
        remove.click()
        expect(listed).to_have_count(0)  # long before it goes
        undo_it.click()
        expect(listed).to_have_count(1)  # it is where it was
        expect(undo_it).to_have_count(0)
        remove.click()
        expect(listed).to_have_count(0)
        expect(undo_it).to_have_count(0)  # its time is over
        becomes(page, lambda: [one.name for one in files.files("physics")] == ["entropy.md"])
        expect(listed).to_have_count(0)
        delete_press(page, address)
        expect(page.get_by_role("button", name="uploads")).to_be_visible()
        expect(page.get_by_role("button", name="press")).to_have_count(0)
        undo_it.click()
        expect(page.get_by_role("button", name="press")).to_be_visible()
        delete_press(page, address)
        expect(page.get_by_role("button", name="press")).to_have_count(0)
        expect(undo_it).to_have_count(0)
        becomes(page, lambda: '"press"' not in (tmp_path / "rag.toml").read_text())
        expect(page.get_by_role("button", name="uploads")).to_be_visible()
        expect(page.get_by_role("button", name="press")).to_have_count(0)
        becomes(page, lambda: not sync_state(workspace)["running"])  # which takes it out of the index
        assert page.trouble == []
