"""The parts of a source hold all of it between them, each address in one, and notice only their own changes."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.raw.source_part import SourcePart

URIS = [f"{number}.md" for number in range(400)]


class _Shelf:
    """A source that counts how often it is listed."""

    def __init__(self, beginning: str = "") -> None:
        self.items = [Item(beginning + uri, fingerprint="a") for uri in URIS]
        self.mark, self.lists = "first", 0

    def list(self) -> Listing:
        self.lists += 1
        return Listing(self.items, complete=True, failed=[(uri, "torn") for uri in URIS[:40]])

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        return Fetched(item.uri.encode())

    def fingerprint(self) -> str:
        return self.mark


def test_each_address_is_in_one_part_and_stays_there() -> None:
    shelf = _Shelf()
    parts = [SourcePart(shelf, "notes", f"{number}/8").list() for number in range(1, 9)]
    assert sorted(item.uri for part in parts for item in part.items) == sorted(URIS)
    assert sorted(uri for part in parts for uri, _ in part.failed) == sorted(URIS[:40])
    assert all(20 < len(part.items) < 80 for part in parts)
    shelf.items = shelf.items[::-1]
    again = SourcePart(shelf, "notes", "3/8").list()
    assert {item.uri for item in again.items} == {item.uri for item in parts[2].items} and again.complete


@pytest.mark.parametrize("form", ["{}/", "sql://{}/"])
def test_addresses_that_begin_with_the_id_of_a_part_are_told_apart_by_the_rest(form: str) -> None:
    found = []
    for number in range(1, 5):
        source_id = f"notes-{number}"
        beginning = form.format(source_id)
        items = SourcePart(_Shelf(beginning), source_id, f"{number}/4").list().items
        found += [item.uri.removeprefix(beginning) for item in items]
    assert sorted(found) == sorted(URIS)


def test_a_change_is_noticed_by_its_part_alone_and_a_quiet_source_is_not_listed() -> None:
    shelf = _Shelf()
    parts = [SourcePart(shelf, "notes", f"{number}/8") for number in range(1, 9)]
    before = [part.fingerprint() for part in parts]
    assert [part.fingerprint() for part in parts] == before and shelf.lists == 8
    shelf.items[7], shelf.mark = replace(shelf.items[7], fingerprint="b"), "second"
    changed = [part for part, mark in zip(parts, before, strict=True) if part.fingerprint() != mark]
    (one,) = changed
    assert URIS[7] in {item.uri for item in one.list().items}


@pytest.mark.parametrize("part", ["0/4", "5/4", "1", "a/b", "1/0"])
def test_a_part_that_there_is_not_is_refused(part: str) -> None:
    with pytest.raises(ValidationError, match="part"):
        SourceSettings(kind="folder", id="notes", part=part)
