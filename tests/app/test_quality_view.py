"""Quality, without a browser: what is shown to whom, and moving the live version."""

import json
import re
import time
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import clock, frame, undo
from app.quality.promotion import make_live
from rag_platform.access.decisions import Target
from rag_platform.core.errors import VersionError, WorkspaceBusy
from rag_platform.operations.asking.feedback_report import feedback_report
from rag_platform.operations.background_jobs import evaluation_state, start_evaluation
from rag_platform.people.identity import Person
from rag_platform.workspace import open_workspace
from tests.app.judged import write_judged
from tests.copies import copy_of

ROOT = Path(__file__).resolve().parents[2]
ILSE = Person("user:ilse@example.org", "Ilse", "admin")


@pytest.fixture(scope="module")
def judged(tmp_path_factory, published, embedder):
    """The folder of a workspace of two judged versions, and their ids."""
    home = copy_of(published, tmp_path_factory.mktemp("judged") / "home")
    return home, write_judged(home, embedder)


@pytest.fixture
def home(tmp_path, judged):
    return copy_of(judged[0], tmp_path / "home")


@pytest.fixture
def page(home, embedder, monkeypatch):
    """The view over a workspace, at an address."""
    return lambda folder=home, **query: _page(monkeypatch, embedder, folder, query)


def _page(monkeypatch, embedder, folder, query):
    workspace = open_workspace(folder)
    workspace.embedder = embedder  # loaded once for all tests
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    test = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    test.query_params.update(query)
    test.switch_page("views/quality.py")
    test.run()
    assert not test.exception
    return test


def shown(test):
    """Return all that is on the page, as text and HTML."""
    parts = [element.proto.body for element in test.get("html")]
    parts += [one.label for kind in ("button", "expander", "selectbox", "checkbox") for one in test.get(kind)]
    parts += [one.value or "" for kind in ("text_area", "text_input", "error", "warning") for one in test.get(kind)]
    return unescape("\n".join(map(str, parts)))


def press(test, label):
    return next(one for one in test.button if label in one.label).click().run()


def as_role(home, role, *principals):
    with (home / "rag.toml").open("a") as file:
        file.write(f'[access]\nlocal_role = "{role}"\nlocal_principals = {json.dumps(principals)}\n')


def test_the_verdict_the_scores_and_what_was_lost_are_shown(page, judged):
    text = shown(page())
    assert "Refused" in text and judged[1][1] in text
    assert "v3 beside v2" in text and "nDCG@10" in text and "95 % sure" in text
    assert "How many days of paid leave do employees get" in text.replace("\\", "")


@pytest.mark.parametrize("part", ["overview", "versions", "questions", "proposed", "report", "compare"])
def test_nothing_of_a_document_that_one_may_not_read_is_on_any_part(page, home, judged, part, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2200, 1, 1, tzinfo=UTC))  # all is years ago: no "3 minutes ago"
    address = {"part": part, "version": judged[1][1], "a": judged[1][0], "b": judged[1][1]}
    test = page(**address)
    frames = "".join(str(element.proto) for element in test.get("iframe"))
    text = shown(test) + frames
    assert not [word for word in ("merger", "Northwind", "minutes") if word in text]
    if part in ("overview", "questions", "report"):
        assert "about documents that you may not read" in text
    as_role(home, "admin", "group:board")
    if part == "questions":
        assert "Northwind" in shown(page(**address))


def test_a_question_of_others_cannot_be_opened_by_its_address(page):
    assert "This question is not here" in shown(page(part="edit", id="merger"))


def test_readers_are_told_and_editors_cannot_publish(page, home, monkeypatch):
    as_role(home, "editor")
    text = shown(page(part="versions"))
    assert "Publish …" not in text and "Roll back" not in text and "Admins publish versions" in text
    (home / "rag.toml").write_text((home / "rag.toml").read_text().replace('"editor"', '"reader"'))
    workspace = open_workspace(home)
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    test = AppTest.from_file(ROOT / "app" / "views" / "quality.py", default_timeout=30).run()
    assert "This is for editors" in shown(test) and "v2" not in shown(test)


def test_a_version_is_published_in_the_admins_name_with_a_reason(home, judged, monkeypatch):
    workspace = open_workspace(home)
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    first, second = judged[1]
    with pytest.raises(VersionError, match="refused by the gate"):
        make_live(second, "promote", "a try", ILSE, before=first)
    with pytest.raises(VersionError, match="Meanwhile"):
        make_live(second, "promote", "a try", ILSE, before=None, override=True)
    assert workspace.versions.live_id() == first
    make_live(second, "promote", "the boss says so", ILSE, before=first, override=True)
    make_live(first, "rollback", "prices are wrong", ILSE, before=second)
    moves = [(move["who"], move["kind"], move["why"]) for move in workspace.versions.moves()[-2:]]
    assert moves == [
        (ILSE.id, "promote", "the boss says so (although the gate had not passed it)"),
        (ILSE.id, "rollback", "prices are wrong"),
    ]
    assert workspace.versions.held()["who"] == ILSE.id


def test_a_refused_version_asks_for_an_override(page):
    test = press(page(part="versions"), "Publish …")
    assert "Override the gate" in shown(test) and test.button(key="move-now").disabled
    assert "the log keeps with your" in shown(test) and "Documents: 0 come" in shown(test)


def test_a_question_is_written_on_the_page_with_a_quote_picked_from_a_passage(page, home):
    test = page(part="edit", id="")
    test.text_area(key="new-question").set_value("How long may a sabbatical be?").run()
    test.text_input(key="new-0-search").set_value("sabbatical after seven years").run()
    picked = next(one for one in test.radio if "sentence" in one.key)
    place = next(place for place, option in enumerate(picked.options) if "sabbatical" in option)
    picked.set_value(place).run()
    press(test, "Use this quote")
    press(test, "Save")
    (line,) = (home / "questions" / "page.jsonl").read_text().splitlines()
    row = json.loads(line)
    assert row["question"] == "How long may a sabbatical be?" and "sabbatical" in row["relevant"][0]["quote"]
    assert "How long may a sabbatical be?" in shown(test)


def test_a_question_that_lacks_a_quote_says_what_to_do(page, home):
    test = page(part="edit", id="")
    test.text_area(key="new-question").set_value("Why?").run()
    press(test, "Save")
    assert "at least one quote" in re.sub(r"\\", "", shown(test))
    assert not (home / "questions" / "page.jsonl").exists()


def test_a_proposed_question_is_taken_up_or_dismissed(page, home, embedder):
    workspace = open_workspace(home)
    workspace.embedder = embedder
    answers = [
        workspace.answerer.ask(one) for one in ("How many days of paid leave do employees get?", "How far is the sun?")
    ]
    workspace.feedback.give(answers[0].receipt_id, good=False, comment="not <b>quite</b>", reason="wrong")
    workspace.feedback.give(answers[1].receipt_id, good=True)
    test = page(part="proposed")
    assert "not <b>quite</b>" in shown(test) and "Declining was right" in shown(test)
    test.button(key=f"dismiss-{answers[1].receipt_id}").click().run()
    assert "Declining was right" not in shown(test) and len(workspace.proposals.list()) == 2, "it can be taken back"
    undo.do_all()  # its time has come
    test.button(key=f"accept-{answers[0].receipt_id}").click().run()
    press(test, "Save")
    row = json.loads((home / "questions" / "feedback.jsonl").read_text())
    assert row["question"].startswith("How many days") and "25 days" in row["relevant"][0]["quote"]
    assert workspace.proposals.list() == []


def test_feedback_is_counted_grouped_and_made_a_question_of_the_gate_by_a_click(page, home, embedder):
    assert "Nobody judged an answer" in shown(page(part="feedback"))
    workspace = open_workspace(home)
    workspace.embedder = embedder
    asked = ("How many days of paid leave do employees get?", "how many days of paid leave does an employee get?")
    receipts = [workspace.answerer.ask(one).receipt_id for one in asked]
    lost = workspace.answerer.ask("How far is <b>the sun</b>?").receipt_id
    for receipt in (*receipts, lost):
        workspace.feedback.give(receipt, good=False, reason="wrong", principal="user:ilse")
    workspace.feedback.give(receipts[0], good=True, principal="user:asha")
    test = page(part="feedback")
    text = shown(test)
    assert "25%" in text and "found bad 2 times" in text and "Wrong 3" in text and "user:ilse" not in text
    assert "<b>the sun</b>" not in "".join(element.proto.body for element in test.get("html"))
    made = next(one.key for one in test.button if one.key in {f"make-{receipt}" for receipt in receipts})
    test.button(key=made).click().run()
    row = json.loads((home / "questions" / "feedback.jsonl").read_text())
    assert "25 days" in row["relevant"][0]["quote"] and row["id"].endswith(made.removeprefix("make-"))
    test = page(part="feedback")
    test.button(key=f"make-{lost}").click().run()
    assert "edit" in test.query_params["part"], "what has no place that answers it is opened in the editor"


def test_feedback_on_answers_that_may_not_be_read_is_counted_nowhere(page, home, embedder):
    workspace = open_workspace(home)
    workspace.embedder = embedder
    receipt = workspace.answerer.ask("How many days of paid leave do employees get?").receipt_id
    workspace.feedback.give(receipt, good=False, comment="x")
    workspace.access.rules.set(Target("source", "handbook"), allow=["group:board"], who="boss", why="")
    hidden = feedback_report(open_workspace(home), 30, ("user:otto",))
    assert (hidden.hidden, hidden.worst, hidden.collections) == (True, (), ())
    assert sum(one.bad for one in hidden.days) == 0 and len(hidden.days) == 30
    board = feedback_report(open_workspace(home), 30, ("group:board",))
    assert [(one.name, one.bad) for one in board.collections] == [("default", 1)]
    assert board.worst[0].questions[0].receipt_id == receipt


def test_before_there_is_anything_each_part_teaches(page, tmp_path):
    teaching = {
        "overview": "rag sync",
        "versions": "rag sync",
        "questions": "Add a question",
        "proposed": "Nothing is proposed",
        "compare": "It takes two versions",
        "report": "did not work",
    }
    for part, said in teaching.items():
        assert said in shown(page(tmp_path / "empty", part=part, version="v1")), part


def test_a_version_that_was_never_judged_and_one_without_questions(page, published):
    assert "has not been judged yet" in shown(page(published))


@pytest.mark.parametrize(
    ("path", "content", "part", "said"),
    [
        ("evaluation.json", '{"scores": {"means": {}}, "verdict": {"outcome": "passed"}}', "overview", "is damaged"),
        ("evaluation.json", "{", "overview", "is damaged"),
        ("manifest.json", "{", "versions", "1 version cannot be read"),
    ],
)
def test_damage_is_told_and_never_a_trace(page, home, judged, path, content, part, said):
    (home / "data" / "index" / "versions" / judged[1][1] / path).write_text(content)
    assert said in shown(page(part=part))


def test_a_damaged_history_is_read_as_far_as_it_can_be(page, home):
    path = home / "data" / "evals" / "history.jsonl"
    good = len(path.read_text().splitlines())
    path.write_text(path.read_text() + '{"version": "v9", "fingerprint": "x", "means": {"nDCG@10": "many"}}\n{"torn\n')
    assert f"All {good} evaluations" in shown(page())
    (home / "questions" / "set.jsonl").write_text("nonsense")
    assert "did not work" in shown(page()) and "not valid JSON" in shown(page())


def test_an_evaluation_runs_beside_and_its_end_is_told(home, judged):
    (home / "questions" / "more.jsonl").write_text(
        '{"id": "sun", "question": "How far is the sun?", "answerable": false}\n'
    )
    workspace = open_workspace(home)
    before = len((home / "data" / "evals" / "history.jsonl").read_text().splitlines())
    start_evaluation(workspace, judged[1][0])
    with pytest.raises(WorkspaceBusy):
        start_evaluation(workspace, judged[1][0])
    for _ in range(2400):
        if not (state := evaluation_state(workspace))["running"]:
            break
        time.sleep(0.1)
    assert state["last"].get("errors") is None and state["last"]["questions"] == 6
    assert len((home / "data" / "evals" / "history.jsonl").read_text().splitlines()) == before + 1
    with pytest.raises(VersionError):
        start_evaluation(workspace, "v999")
