"""The list of what is not read again: robust, undoable, honoured by every source."""

from pathlib import Path

import pytest

from rag_platform.core.errors import FetchError, NotFound, StorageError
from rag_platform.core.ids import document_id
from rag_platform.core.ports import Item, Listing
from rag_platform.raw.suppression import Entry, Rule, SuppressingSource, Suppression, target_hash
from rag_platform.sources.files.folder import FolderSource


@pytest.fixture
def suppression(tmp_path: Path) -> Suppression:
    return Suppression(tmp_path / "forgotten.jsonl")


def _entry(name: str, kind: str = "uri", *doc_ids: str) -> Entry:
    return Entry(name, kind, target_hash(kind, name), doc_ids, "2026-05-01T00:00:00+00:00", "ann", "")


def _source(source_id: str, *principals: str) -> FolderSource:
    return FolderSource(id=source_id, kind="folder", path=Path(), principals=principals or ("*",))


def test_entries_are_kept_finished_and_undone(suppression: Suppression) -> None:
    assert suppression.entries() == []
    assert not suppression.rule()
    one, two = _entry("one", "uri", "d1", "d2"), _entry("two", "source")
    suppression.add(one)
    suppression.add(two)
    assert suppression.entries() == suppression.unfinished() == [one, two]
    suppression.finish(one)
    assert suppression.unfinished() == [two]
    assert suppression.rule() == Rule(frozenset(["d1", "d2"]), frozenset([two.target]), frozenset())
    suppression.undo(suppression.find("on"))
    assert suppression.rule().doc_ids == frozenset()
    with pytest.raises(NotFound, match="0 entries"):
        suppression.find("three")


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}', "null"])
def test_a_damaged_list_stops_everything(suppression: Suppression, line: str) -> None:
    suppression.add(_entry("one"))
    suppression.path.write_text(suppression.path.read_text() + line + "\n")
    with pytest.raises(StorageError, match=r"forgotten.jsonl is damaged: 1 of its lines .*would be read again"):
        suppression.rule()


def test_the_rule_knows_documents_sources_and_people(suppression: Suppression) -> None:
    suppression.add(_entry("x", "uri", document_id("a", "one.md")))
    suppression.add(_entry("b", "source"))
    suppression.add(_entry("ilse", "principal"))
    rule = suppression.rule()
    of_a, of_b = rule.forgotten(_source("a")), rule.forgotten(_source("b"))
    assert (of_a("one.md"), of_a("two.md"), of_b("anything")) == (True, False, True)
    assert rule.forgotten(_source("c", "ilse"))("anything")
    assert not rule.forgotten(_source("c", "ilse", "otto"))("anything")
    assert of_a("two.md", ["ilse"]) and not of_a("two.md", ["ilse", "otto"])
    assert not rule.forgotten(_source("c", "ilse"))("anything", ["otto"])
    suppression.add(_entry("otto", "principal"))
    assert suppression.rule().forgotten(_source("c", "ilse", "otto"))("anything")


class Three:
    """Lists three things, one of them twice, and fails to read a fourth."""

    def list(self) -> Listing:
        return Listing([Item(uri) for uri in ("a", "b", "b", "c")], True, 2, [("d", "why"), ("e", "why")])

    def fetch(self, item, validators):
        raise FetchError(item.uri)


def test_a_source_is_listed_without_what_was_forgotten() -> None:
    source = SuppressingSource(Three(), lambda uri, _readers=(): uri in "bd")
    listing = source.list()
    assert [item.uri for item in listing.items] == ["a", "c"]
    assert (listing.complete, listing.confirmations, listing.failed) == (True, 2, [("e", "why")])
    assert source.left_out == 1
    with pytest.raises(FetchError):
        source.fetch(Item("a"), None)
