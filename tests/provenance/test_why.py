"""Where a document is that no search finds: each stage from its source to the hits, and nothing to others."""

import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest

from rag_platform.core.errors import NotFound
from rag_platform.core.hits import Filters
from rag_platform.erasure import forget
from rag_platform.erasure.targets import recognise
from rag_platform.operations.status.source_status import source_states
from rag_platform.pipeline.stages import Pipeline
from rag_platform.provenance.why import Why, why
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SETTINGS = """
[model]
name = "tiny"
folder = "{model}"

[[sources]]
id = "river"
kind = "folder"
path = "files"
collection = "association"
archive_after_days = 365

[[sources]]
id = "board"
kind = "folder"
path = "secret"
principals = ["group:board"]
"""
FILES = {
    "files/ferry.md": "# Ferry\n\nThe ferry at Alder Lock runs from six in the morning until dusk.\n",
    "files/weir.md": "# Weir\n\nThe weir holds the river back, and two wardens look after it.\n",
    "files/old.md": "---\ndate: 2020-01-01\n---\n# Ferry of old\n\nThe ferry once ran until midnight, every day.\n",
    "files/broken.pdf": "no pdf at all",
    "files/thin.md": "short\n",
    "files/own.md": "---\nprivate: true\nowner: alice\n---\n# Diary\n\nThe ferry was late again, writes alice.\n",
    "files/north/rota.md": "# Rota of the north\n\nWardens in the north meet on Monday.\n",
    "files/south/rota.md": "# Rota of the south\n\nWardens in the south meet on Friday.\n",
    "secret/plan.md": "# Plan\n\nThe ferry is to be sold in spring, says the board.\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory, tiny_model_folder):
    """A workspace that was synced and published once, then changed without a new version."""
    folder = tmp_path_factory.mktemp("why")
    (folder / "rag.toml").write_text(SETTINGS.format(model=tiny_model_folder))
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    workspace = open_workspace(folder)
    pipeline = Pipeline(workspace)
    for source in ("river", "board"):
        pipeline.sync_source(source)
    workspace.versions.promote(pipeline.build().version, "test")
    return folder


@pytest.fixture
def workspace(home, tmp_path, tiny_embedder) -> Workspace:
    opened = open_workspace(copy_of(home, tmp_path / "home"))
    opened.embedder = tiny_embedder
    return opened


def _why(workspace: Workspace, name: str, **options: object) -> Why:
    principals = options.pop("principals", ())
    filters = options.pop("filters", Filters(principals=principals))
    return why(workspace, "until when does the ferry run?", name, filters=filters, now=NOW, **options)


def test_what_is_found_is_told_with_the_rank_that_search_gives_it(workspace):
    hits = workspace.retriever.search("until when does the ferry run?", k=3, now=NOW).hits
    for hit in hits:
        told = _why(workspace, hit.uri, k=3)
        assert (told.returned, told.explanation.rank, told.explanation.stage) == (True, hit.rank, "returned")
        assert told.chunks[0].chunk_id == hit.chunk_id
    assert _why(workspace, hits[0].doc_id).document.uri == hits[0].uri


@pytest.mark.parametrize(
    ("name", "stage", "said"),
    [
        ("old.md", "archived", "2020-01-01"),
        ("broken.pdf", "reading", "could not be read"),
        ("thin.md", "excluded", "not indexed"),
        ("nowhere.md", "unknown", "nowhere.md"),
    ],
)
def test_what_is_not_searched_is_told_with_its_recorded_reason(workspace, name, stage, said):
    told = _why(workspace, name)
    assert (told.returned, told.explanation.rank, told.explanation.stage) == (False, None, stage)
    assert said in told.explanation.reason
    assert "archive_after_days" in told.explanation.remedy if stage == "archived" else True
    assert (
        workspace.retriever.search("ferry midnight", now=datetime(2020, 6, 1, tzinfo=UTC))
        .hits[0]
        .uri.endswith("old.md")
    )


def test_only_what_is_archived_is_found_where_that_is_asked_for(workspace):
    archived, board = Filters(archived=True), Filters(archived=True, principals=("group:board",))
    for filters in (archived, board):
        hits = workspace.retriever.search("until when does the ferry run?", filters=filters, now=NOW).hits
        assert [hit.uri.rpartition("/")[2] for hit in hits] == ["old.md"]
    told = _why(workspace, "ferry.md", filters=archived)
    assert (told.returned, told.explanation.stage) == (False, "filtered") and "not archived" in told.explanation.reason
    before = datetime(2020, 6, 1, tzinfo=UTC)
    assert workspace.retriever.search("ferry", filters=archived, now=before).hits == ()
    counted = {one.source.id: (one.documents, one.archived) for one in source_states(workspace, (), NOW)}
    assert counted["river"][1] == 1 < counted["river"][0]
    assert {one.archived for one in source_states(workspace, (), before)} == {0}


def test_the_filter_that_leaves_it_out_is_named(workspace):
    filters = Filters(collections=("other",), types=("markdown",), since=NOW)
    told = _why(workspace, "ferry.md", filters=filters)
    assert told.explanation.stage == "filtered"
    assert "collections = other, it has association" in told.explanation.reason and "since" in told.explanation.reason
    assert "types" not in told.explanation.reason


def test_what_the_question_itself_leaves_out_is_told(workspace):
    told = why(workspace, "until when does the ferry run -dusk", "river/ferry.md", now=NOW)
    assert told.explanation.stage == "filtered"
    assert "without dusk" in told.explanation.reason


def test_to_whom_it_is_not_for_it_is_as_unknown_as_what_is_not_there(workspace):
    for name, reader in (("board/plan.md", "group:board"), ("river/own.md", "alice")):
        missing = asdict(_why(workspace, "board/plam.md"))
        hidden = json.dumps(asdict(_why(workspace, name))).replace(name, "board/plam.md")
        assert json.loads(hidden) == json.loads(json.dumps(missing)), "told in the same words"
        assert _why(workspace, name, principals=(reader,)).returned
        told = _why(workspace, name, operator=True)
        assert (told.explanation.stage, told.document.uri) == ("permission", name)
        assert reader in told.explanation.reason
    for name, reader in (("river/own.md", "alice"),):
        (workspace.settings.home / "files" / "own.md").unlink()
        Pipeline(workspace).sync_source("river")
        workspace.versions.promote(Pipeline(workspace).build().version, "test")
        assert _why(workspace, name).explanation.stage == "unknown", "nor that it was there once"
        assert _why(workspace, name, principals=(reader,)).explanation.stage == "earlier"


def test_a_name_of_several_lists_only_those_the_asker_may_read(workspace):
    with pytest.raises(NotFound, match="2 documents"):
        _why(workspace, "rota.md")
    assert _why(workspace, "north/rota.md").document.uri == "river/north/rota.md"


def test_what_was_read_later_is_not_in_this_version_and_then_only_in_the_candidate(workspace):
    (workspace.settings.home / "files" / "new.md").write_text(
        "# New\n\nA new ferry runs until midnight from June on.\n"
    )
    pipeline, live = Pipeline(workspace), workspace.versions.live_id()
    pipeline.fetch("river")
    assert _why(workspace, "new.md", operator=True).explanation.stage == "unread"
    assert _why(workspace, "new.md").explanation.stage == "unknown", "who may read it is not known before it is read"
    pipeline.sync_source("river")
    told = _why(workspace, "new.md")
    assert (told.explanation.stage, told.version) == ("unpublished", live)
    assert "`rag sync`" in told.explanation.remedy
    candidate = pipeline.build().version
    workspace.versions.nominate(candidate)
    told = _why(workspace, "new.md")
    assert (
        told.explanation.stage == "unpublished"
        and candidate in told.explanation.reason
        and "has not been judged" in told.explanation.reason
    )
    workspace.versions.promote(candidate, "test")
    assert _why(workspace, "new.md").returned
    told = _why(workspace, "new.md", retriever=workspace.retriever.as_of(live))
    assert told.explanation.stage == "unpublished" and "the live one" in told.explanation.reason


def test_what_was_restricted_since_is_not_told_of_the_past(workspace):
    past = workspace.versions.live_id()
    path = workspace.settings.home / "files" / "ferry.md"
    path.write_text("---\nprivate: true\nowner: alice\n---\n" + FILES["files/ferry.md"])
    pipeline = Pipeline(workspace)
    pipeline.sync_source("river")
    workspace.versions.promote(pipeline.build().version, "test")
    then = workspace.retriever.as_of(past)
    assert _why(workspace, "river/ferry.md", retriever=then).explanation.stage == "unknown"
    assert _why(workspace, "river/ferry.md", retriever=then, principals=("alice",)).returned
    assert _why(workspace, "river/ferry.md", retriever=then, operator=True).explanation.stage == "permission"


def test_what_was_forgotten_is_told_to_operators_only(workspace):
    forget.forget(workspace, recognise(workspace, "river/weir.md", "uri"), why="test")
    assert _why(workspace, "river/weir.md").explanation.stage == "unknown"
    assert _why(workspace, "river/weir.md", operator=True).explanation.stage == "forgotten"


def test_what_is_too_old_makes_way_before_hits_are_counted(workspace):
    for mode in ("lexical", "vector", "hybrid", "rerank"):
        search = workspace.retriever.search
        young = search("ferry", k=2, mode=mode, now=NOW).hits
        assert young and not any(hit.uri.endswith("old.md") for hit in young)
        born = datetime(2020, 1, 1, tzinfo=UTC)
        for days, found in ((364, True), (365, True), (366, False)):
            hits = search("ferry", k=10, mode=mode, now=born + timedelta(days=days)).hits
            assert any(hit.uri.endswith("old.md") for hit in hits) is found
            assert any(hit.uri.endswith("ferry.md") for hit in hits), "what has no date stays"
