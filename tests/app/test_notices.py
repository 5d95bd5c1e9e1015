"""A held source and a refused version on the page: the same words on every view, and what each may do about it."""

from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import frame, notices
from rag_platform.config.sections.access import Role
from rag_platform.core.errors import OrchestratorError
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.operations.status.release_status import Notice
from rag_platform.people.identity import Person
from rag_platform.workspace import Workspace
from tests.app.viewing import html_of, view_of
from tests.copies import copy_of
from tests.held_source import hold, opened, publish, refuse

REFUSED = "26 of your 89 questions lost their answer, 24 of them to documents of `desk`."
HELD = "is held at its live state since 2026-11-02 09:30"
VIEWS = (
    ("views/quality.py", {"part": "overview"}),
    ("views/operate.py", {"part": "now"}),
    ("views/operate.py", {"part": "sources"}),
    ("views/collections.py", {"source": "desk"}),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    home = publish(tmp_path_factory.mktemp("notices"), tiny_embedder)
    workspace = opened(home, tiny_embedder)
    refuse(workspace, reasons=[REFUSED, "nDCG@10 fell by 0.3."], sources={"desk": {"passed": False}})
    hold(workspace, "desk", why="1 of 1 documents is an error page: <script>")
    hold(workspace, "salaries")
    return home


def look(
    monkeypatch: pytest.MonkeyPatch, embedder: OnnxEmbedder, home: Path, role: Role, at: tuple[str, dict[str, str]],
    *principals: str,
) -> AppTest:  # fmt: skip
    monkeypatch.setattr(frame, "person", lambda: Person("user:carl", "Carl", role, principals))
    view, query = at
    return view_of(monkeypatch, embedder, home, view, **query)


@pytest.mark.parametrize("at", VIEWS, ids=lambda at: "-".join([at[0][6:-3], *at[1].values()]))
def test_every_view_says_the_same(
    home: Path, tiny_embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch, at: tuple[str, dict[str, str]]
) -> None:
    test = look(monkeypatch, tiny_embedder, home, "admin", at, "group:board")
    assert not test.exception
    html = html_of(test)
    assert HELD in html and "<code>desk</code>" in html and "&lt;script&gt;" in html and "page: <script>" not in html
    assert "The ferry runs at six." in html and "Service unavailable" in html
    assert "Nothing is wrong" not in html and "as they should be" not in html and "asset check" not in html
    assert "Not published: 26 of your 89 questions lost their answer" in unescape(html)


def test_what_a_person_may_not_read_is_not_on_the_page(
    home: Path, tiny_embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = html_of(look(monkeypatch, tiny_embedder, home, "admin", VIEWS[1]))
    assert "salaries" not in html and "26 of your 89" not in html and HELD in html


def test_a_version_is_called_as_people_call_it() -> None:
    waiting = Notice("waiting", "v000002-bf369786 was built by <who>.", None, version="v000002-bf369786")
    assert '<span title="v000002-bf369786">v2</span> was built by &lt;who&gt;.' in notices.notice_html(waiting)


def test_editors_see_and_hold_and_admins_publish(
    home: Path, tiny_embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = {}
    for role in ("editor", "admin"):
        test = look(monkeypatch, tiny_embedder, home, role, VIEWS[3], "group:board")
        labels[role] = {button.label for button in test.button}
    assert "Hold desk until somebody releases it" in labels["editor"]
    assert {"Publish desk nevertheless"} == {one for one in labels["admin"] - labels["editor"] if "desk" in one}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is built after a decision, where there is no Dagster; nothing is built."""
    begun: list[object] = []

    def absent(*_: object, **__: object) -> str:
        raise OrchestratorError("there is none")

    monkeypatch.setattr(notices, "launch", absent)
    monkeypatch.setattr(notices, "start_sync", lambda workspace, sources: begun.append(sources))
    return begun


def confirm(test: AppTest, why: str = "") -> None:
    """Press a button and that of its dialog, which is there only in the run that opened it."""

    def pressed() -> None:
        next(one for one in test.button if one.label == "Publish desk nevertheless").click()

    pressed()
    test.run()
    pressed()
    test.text_input("notice-reason").set_value(why)
    test.button("notice-now").click().run()


def test_publishing_nevertheless_is_confirmed_with_a_reason(
    home: Path, tmp_path: Path, tiny_embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch, started: list[object]
) -> None:
    copy = copy_of(home, tmp_path / "home")
    test = look(monkeypatch, tiny_embedder, copy, "admin", VIEWS[3], "group:board")
    confirm(test)
    assert "whatever the checks say of it" in html_of(test)
    workspace: Workspace = frame.workspace()
    assert "desk" in workspace.holds.active() and not started, "without a reason nothing is done"
    confirm(test, "it is meant so")
    assert "desk" not in workspace.holds.active() and workspace.holds.permitted("desk", "s") and started == [[]]
    assert workspace.holds.history("desk")[0].who == "user:carl"
