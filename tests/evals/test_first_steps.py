"""What a newcomer does first: a workspace without questions whose documents are replaced by others."""

from pathlib import Path

import pytest

from evals.questions.question import load_questions
from rag_platform.operations.status.release_status import release_status
from rag_platform.workspace import Workspace, open_workspace
from tests.evals.river import NOTES, write_river
from tests.evals.syncing import sync

pytestmark = pytest.mark.slow
OWN = {
    "tea": "Black tea is brewed for four minutes with water of ninety degrees. The kettle stands in the small kitchen.",
    "keys": "The archive key hangs behind the door of the office. Ask Mira before you take it home over the weekend.",
}


@pytest.fixture(autouse=True)
def _questions_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_GATE__SYNTHETIC", "14")


def test_documents_replaced_with_leave_are_published_and_guarded_anew(tmp_path: Path, model_folder: Path) -> None:
    home = write_river(tmp_path / "home")
    assert sync(open_workspace(home)).exit_code == 0
    path = home / "questions" / "synthetic.jsonl"
    first = load_questions([path])
    for name in NOTES:
        (home / "notes" / f"{name}.md").unlink()
    for name, text in OWN.items():
        (home / "notes" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    with path.open("a") as file:
        file.write('{"id": "mine", "question": "Is there a moon?", "answerable": false, "tags": ["own"]}\n')

    ledger = sync(open_workspace(home), allow_mass_delete=True)
    assert ledger.exit_code == 0, ledger.gate
    assert ledger.published
    gone = {question.id for question in first if any(name in question.relevant[0].uri for name in NOTES)}
    assert set(ledger.gate["stale"]) >= gone != set()

    assert sync(open_workspace(home)).exit_code == 0
    renewed = load_questions([path])
    assert len(renewed) <= len(first) + 1 + 5  # of each source there are five at least
    assert not gone & {question.id for question in renewed}
    assert any(question.relevant and "tea.md" in question.relevant[0].uri for question in renewed)
    (own,) = [question for question in renewed if question.id == "mine"]
    assert own.answerable is False


def test_a_site_whose_pages_all_turned_into_something_else_is_held_as_it_is_live(
    tmp_path: Path, model_folder: Path
) -> None:
    home = write_river(tmp_path / "home")
    first = sync(open_workspace(home))
    assert first.exit_code == 0
    for number, page in enumerate(sorted((home / "pages").iterdir())):
        page.write_text(f"<html><body><p>Please log in to go on reading. Request number {number}.</p></body></html>")
    (home / "notes" / "keys.md").write_text(f"# Keys\n\n{OWN['keys']}\n")
    workspace = open_workspace(home)
    ledger = sync(workspace)
    assert ledger.exit_code == 3
    assert {source: hold.cause for source, hold in ledger.held_sources.items()} == {"pages": "change"}
    (notice,) = release_status(workspace).held()
    assert notice.said.startswith("Source `pages` is held at its live state since ")
    assert "10 of 10 documents are error, log-in, maintenance or cookie pages now" in notice.said
    assert all("Please log in" in one.after and "Please log in" not in one.before for one in notice.examples)
    assert len(notice.examples) == 3
    assert ledger.moved and workspace.versions.live_id() == ledger.version != first.version
    before, after = (_texts(workspace, version) for version in (first.version, ledger.version))
    assert before.items() <= after.items(), "pages answers as it did"
    assert after.keys() - before.keys() == {"notes/keys.md"}, "the rest goes on"


def _texts(workspace: Workspace, version: str | None) -> dict[str, str]:
    """Return address -> text of a version's documents."""
    assert version
    documents = workspace.versions.open(version).catalog.documents("uri", "text")
    return dict(documents.iter_rows())
