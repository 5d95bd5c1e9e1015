"""What an engine of versions promises, whichever it is; the folder is the first of them."""

import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.core.hits import Filters
from rag_platform.index.build.redaction import redact
from rag_platform.index.releases.version_diff import difference
from rag_platform.index.releases.versions import Versions
from tests.index.corpora import WordEmbedder, document
from tests.index.stores.answers import QUESTIONS, answers, hits, some_document
from tests.index.stores.conftest import ENGINES, Shared

pytestmark = pytest.mark.scale

_step = st.tuples(st.sampled_from(["edit", "drop", "add", "restrict", "revert"]), st.integers(0, 15))


def changed(documents: dict[int, dict], number: int, steps: list[tuple[str, int]]) -> None:
    for action, place in steps:
        if action == "drop" and len(documents) > 4:
            documents.pop(place, None)
        elif action == "revert":
            documents[place] = some_document(place)
        elif action == "restrict":
            documents[place] = some_document(place, principals=["ann"])
        else:
            documents[place] = some_document(place, number)


def same(one: list, other: list) -> None:
    assert len(one) == len(other)
    for number, (left, right) in enumerate(zip(one, other, strict=True)):
        assert left == right, number


def test_a_reader_elsewhere_is_told_what_the_builder_is(shared: Shared) -> None:
    documents = {place: some_document(place) for place in range(24)}
    shared.publish(documents)
    documents |= {3: some_document(3, 1), 4: some_document(4, 1), 30: some_document(30)}
    documents.pop(7)
    version = shared.publish(documents)
    reader = shared.reader()
    opened = reader.live()
    assert (opened.id, opened.verify(), len(shared.built(version).segments)) == (version, [], 2)
    same(answers(opened), answers(shared.built(version)))
    first, same_first = (one.catalog.keys_in([0]).tolist() for one in (opened, shared.built(version)))
    assert first == same_first and 0 < len(first) < len(opened.catalog.keys)
    for question in QUESTIONS:
        for who in ((), ("ann",)):
            assert hits(reader, question, who) == hits(shared.builder.built_here(version), question, who)


@pytest.mark.parametrize("shared", ENGINES, indirect=True)  # of folders, tests/index/test_segments.py says it
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(st.lists(_step, min_size=1, max_size=4), min_size=1, max_size=3))
def test_what_grew_by_changes_answers_like_a_build_from_nothing(shared: Shared, tmp_path_factory, history) -> None:
    documents = {place: some_document(place) for place in range(12)}
    shared.publish(documents)
    for number, steps in enumerate(history, 1):
        changed(documents, number, steps)
        version = shared.publish(documents)
    rebuilt = Shared(tmp_path_factory.mktemp("rebuilt"), None)
    anew = rebuilt.publish(documents)
    grown = shared.reader().open(version)
    assert grown.verify() == []
    same(answers(grown), answers(rebuilt.built(anew)))


def test_the_pointer_moves_for_every_reader_and_back(shared: Shared) -> None:
    readers = [shared.reader(), shared.reader()]
    with pytest.raises(NothingPublished):
        readers[0].live()
    documents = {place: some_document(place) for place in range(8)}
    first = shared.publish(documents)
    second = shared.publish(documents | {1: some_document(1, 1)})
    _until_live(readers, second)
    assert shared.builder.rollback(why="test") == first
    _until_live(readers, first)
    assert hits(readers[0], "edited")[:-1] == hits(shared.builder.built_here(first), "edited", version=first)[:-1]
    assert [reader.ids() for reader in readers] == [[first, second]] * 2
    assert readers[0].manifest(second)["id"] == second
    assert readers[1].resolve("live") == first
    with pytest.raises(VersionError, match="there is no version"):
        readers[0].open("v000009-00000000")


def test_two_versions_in_an_engine_are_compared(shared: Shared) -> None:
    documents = {place: some_document(place) for place in range(8)}
    first = shared.publish(documents)
    documents.pop(2)
    second = shared.publish(documents | {1: some_document(1, 1), 9: some_document(9)})
    reader = shared.reader()
    found = difference(reader.open(first), reader.open(second))
    wanted = difference(shared.built(first), shared.built(second))
    assert found.document_counts == wanted.document_counts
    assert found.chunk_counts == wanted.chunk_counts
    assert found.document_counts["removed"] == 1 and found.sizes["bytes"][0] > 0
    assert difference(reader.open(first), shared.built(second)).document_counts == wanted.document_counts


def test_who_holds_a_version_is_answered_from_it_whatever_is_published(shared: Shared) -> None:
    documents = {place: some_document(place) for place in range(12)}
    shared.publish(documents)
    held = shared.reader().live()
    before = answers(held)
    for edit in range(1, 4):
        documents[edit] = some_document(edit, edit)
        shared.publish(documents)
    same(answers(held), before)


def test_old_versions_go_and_readers_of_them_go_on_with_the_live_one(shared: Shared) -> None:
    documents = {place: some_document(place) for place in range(12)}
    reader = shared.reader()
    first = shared.publish(documents)
    hits(reader, "tide")
    for edit in range(1, 5):
        documents[edit] = some_document(edit, edit)
        live = shared.publish(documents)
    assert first in shared.builder.gc(keep=2)
    assert first not in shared.reader().ids()
    _until_live([reader], live)
    assert hits(reader, "tide") == hits(shared.builder.built_here(live), "tide")
    assert shared.reader().live().verify() == []


def test_what_is_forgotten_is_in_no_version(shared: Shared) -> None:
    documents = {place: some_document(place) for place in range(12)}
    documents[5] = document("d5", "zanzibar river flood")
    first = shared.publish(documents)
    live = shared.publish(documents | {1: some_document(1, 1)})
    reader = shared.reader()
    assert len(hits(reader, "zanzibar")) > 2
    forms = redact(shared.builder, [documents[5]["doc_id"]], why="test", scrub=lambda scores: scores)
    assert {*forms} == {first, live}
    _until_live([reader], str(forms[live]))
    left = {form for form in forms.values() if form}
    assert {*reader.ids()} == left
    for form in left:
        opened = reader.open(form)
        assert opened.verify() == []
        assert not opened.catalog.holds(documents[5]["doc_id"])
        assert [*opened.lexical.words("zan", opened.whole_view.statistics)] == []


def test_no_query_fails_while_the_pointer_moves(shared: Shared) -> None:
    documents = {place: some_document(place) for place in range(12)}
    versions = [shared.publish(documents | {edit: some_document(edit, edit)}) for edit in range(1, 4)]
    expected = {
        version: hits(shared.builder.built_here(version), "tide river", version=version) for version in versions
    }
    readers, ended, wrong, seen = [shared.reader() for _ in range(2)], threading.Event(), [], set()

    def ask(reader: Versions) -> None:
        while not ended.is_set():
            try:
                found = hits(reader, "tide river")
            except Exception as error:  # noqa: BLE001  whatever it is, it is one too many
                wrong.append(repr(error))
                return
            seen.add(found[-1])
            if found != expected[found[-1]]:
                wrong.append(found)

    threads = [threading.Thread(target=ask, args=(reader,)) for reader in readers * 2]
    for thread in threads:
        thread.start()
    for _ in range(3):
        for version in versions:
            shared.builder.promote(version, why="test")
            _until_live(readers, version)
            _until(lambda version=version: version in seen or wrong, f"nobody has asked {version}")
    ended.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert seen == {*versions}


def test_many_chunks_are_found_by_graph_and_filters_count_before_the_depth(shared: Shared, monkeypatch) -> None:
    for place in ("postgres.postgres_writing", "lance.lance_writing", "stored_version"):
        monkeypatch.setattr(f"rag_platform.index.stores.{place}.EXACT_BELOW", 100)
    for engine in ("postgres", "lance"):
        monkeypatch.setattr(f"rag_platform.index.stores.{engine}.{engine}_segments._FEW", 50)
    for place in ("lance_writing", "lance_segments"):
        monkeypatch.setattr(f"rag_platform.index.stores.lance.{place}.PARTITION", 200)
    documents = {place: some_document(place, collection=f"c{place % 3}") for place in range(300)}
    shared.publish(documents, words=6)
    version = shared.publish(documents | {place: some_document(place, 1) for place in range(6)}, words=6)
    opened, built = shared.reader().open(version), shared.built(version)
    assert opened.measured_recall() > 0.95
    for filters in (Filters(), Filters(collections=("c1",)), Filters(collections=("c0",), documents=("none",))):
        allowed, asked = opened.catalog.allowed(filters), WordEmbedder().embed_query("river tide boat")
        found, wanted = (one.vectors.search(asked, 20, allowed) for one in (opened, built))
        assert len(found[0]) == len(wanted[0])
        assert np.mean(np.isclose(found[1], wanted[1])) >= 0.9 if len(wanted[1]) else True
        assert allowed is None or np.isin(found[0], allowed).all()


def _until_live(readers: list[Versions], version: str) -> None:
    _until(lambda: all(reader.live().id == version for reader in readers), f"{version} is not live for all")


def _until(true: Callable[[], object], else_: str) -> None:
    for _ in range(1200):
        if true():
            return
        threading.Event().wait(0.05)
    pytest.fail(else_)
