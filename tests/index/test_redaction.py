"""A version without a document: the same as one built without it, and nobody can open the old one again."""

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.index.build.builder import build
from rag_platform.index.build.redaction import redact
from rag_platform.index.catalog.stored_rows import Rows
from rag_platform.index.releases.versions import Versions
from tests.index.corpora import WordEmbedder, corpus, document, file_of

TEXTS = {f"d{number}": f"warden number {number} reads gauge {number} every morning" for number in range(12)}
DOCUMENTS = [document(uri, text) for uri, text in TEXTS.items()]
SECRET = document("secret", "the zebra sleeps under quartz")


def _forget(versions: Versions, *documents: dict) -> dict:
    return redact(versions, {row["doc_id"] for row in documents}, why="test", scrub=lambda evaluation: evaluation)


def test_a_redacted_version_equals_one_built_without_the_document(tmp_path, versions, publish) -> None:
    old = publish(*DOCUMENTS, SECRET)
    forms = _forget(versions, SECRET)
    clean = Versions(tmp_path / "clean")
    built = build(corpus(*DOCUMENTS), clean, partitions={}).version
    assert forms == {old: built}
    assert versions.live_id() == versions.candidate_id() == built
    assert versions.ids() == [built]
    one, two = versions.live(), clean.open(built)
    assert one.verify() == two.verify() == []
    assert (one.folder / "manifest.json").read_bytes() == (two.folder / "manifest.json").read_bytes()
    assert one.lexical.search("zebra quartz", 10, one.whole_view.statistics)[0].size == 0
    asked = WordEmbedder().embed_query("gauge 3")
    found = [dict(zip(*map(np.ndarray.tolist, form.vectors.search(asked, 50)), strict=True)) for form in (one, two)]
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_what_was_judged_is_told_of_the_form(versions, publish) -> None:
    old = publish(*DOCUMENTS, SECRET)
    versions.record_evaluation(old, {"version": old, "means": {"nDCG@10": 1.0}}, {"version": old, "outcome": "passed"})
    form = _forget(versions, SECRET)[old]
    manifest = versions.manifest(form)
    assert form != old and manifest["scores"] == {"version": form, "means": {"nDCG@10": 1.0}}
    assert manifest["verdict"] == {"version": form, "outcome": "passed"}


def _unpacked(path: Path) -> bytes:
    """Read a file, with the rows that it holds packed."""
    content = path.read_bytes()
    if path.suffix in (".chunks", ".documents") and path.name.startswith("catalog"):
        rows = Rows(path)
        content += json.dumps([rows[place] for place in range(len(rows))]).encode()
    return content


def test_neither_text_nor_vector_is_left_in_any_file(versions, publish) -> None:
    publish(*DOCUMENTS, SECRET)
    vector = WordEmbedder().embed_query(SECRET["text"])
    forms = (vector.astype(np.float16).tobytes(), np.rint(vector * 127 / vector.max()).astype(np.int8).tobytes())
    key = int(versions.live().vectors.search(vector, 1)[0][0]).to_bytes(8, "little")
    files = [path for path in versions.folder.rglob("*") if path.is_file()]
    for trace in (*forms, key):
        assert any(trace in path.read_bytes() for path in files)
    _forget(versions, SECRET)
    for path in (path for path in versions.folder.rglob("*") if path.is_file()):
        assert not any(trace in path.read_bytes() for trace in forms)
        assert b"quartz" not in _unpacked(path)


def test_a_small_version_after_one_with_the_document_has_no_vector_of_it(versions, publish) -> None:
    publish(*DOCUMENTS, SECRET)
    publish(*DOCUMENTS)
    vector = WordEmbedder().embed_query(SECRET["text"])
    folder = versions.live().folder
    graph, rows = (file_of(folder, name).read_bytes() for name in ("vectors.usearch", "vectors.rows.npy"))
    assert np.rint(vector * 127 / vector.max()).astype(np.int8).tobytes() not in graph
    assert vector.astype(np.float16).tobytes() not in rows


def test_the_old_id_leads_to_the_new_form(versions, publish) -> None:
    first = publish(*DOCUMENTS[:6], SECRET)
    held = versions.live()
    between = datetime.now(UTC)
    second = publish(*DOCUMENTS, SECRET)
    versions.pin(first, why="audit")
    forms = _forget(versions, SECRET)
    assert versions.resolve(first) == versions.open(first).id == forms[first]
    assert versions.at(between) == forms[first]
    assert versions.previous() == forms[first]
    assert [*versions.pins()] == [forms[first]]
    again = _forget(versions, DOCUMENTS[0])
    assert versions.resolve(first) == again[forms[first]]  # over two steps
    assert versions.live_id() == again[forms[second]]
    assert [move["kind"] for move in versions.moves()] == ["promote", "promote", "redact", "redact"]
    assert versions.rollback(why="test") == again[forms[first]]
    assert held.id == first  # whoever holds it reads to the end; nobody opens it again
    assert first not in versions.ids()


def test_an_index_left_empty_is_unpublished(versions, publish) -> None:
    old = publish(SECRET)
    assert _forget(versions, SECRET) == {old: None}
    assert (versions.live_id(), versions.candidate_id(), versions.ids()) == (None, None, [])
    with pytest.raises(NothingPublished):
        versions.live()
    with pytest.raises(VersionError):
        versions.resolve(old)
    with pytest.raises(VersionError, match="no version was live"):
        versions.at(datetime.now(UTC))
    publish(*DOCUMENTS)
    assert versions.previous() is None


def test_a_damaged_version_that_may_hold_it_is_removed(versions, publish) -> None:
    old = publish(*DOCUMENTS, SECRET)
    publish(*DOCUMENTS)
    path = file_of(versions.path(old), "vectors.usearch")
    path.unlink()
    path.write_bytes(b"damaged")
    fresh = Versions(versions.folder)
    assert _forget(fresh, SECRET) == {old: None}
    assert old not in fresh.ids()


def test_a_planted_document_goes_with_the_last_document_of_its_reader(versions, publish) -> None:
    own = document("own", "for ilse alone", principals=["ilse"])
    planted = document("canary:ilse", "bado fimu", principals=["ilse"], type="canary", source="canary")
    publish(*DOCUMENTS, own, planted)
    _forget(versions, own)
    assert set(versions.live().documents()["uri"]) == set(TEXTS)
    publish(own, planted)
    _forget(versions, own)
    assert versions.live_id() is None


def test_a_form_that_a_killed_process_wrote_is_used(versions, publish, monkeypatch) -> None:
    old = publish(*DOCUMENTS, SECRET)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(versions, "replace", killed)
        _forget(versions, SECRET)
    (written,) = set(versions.ids()) - {old}
    (versions.path(f".{old}.gone") / "lexical").mkdir(parents=True)
    assert _forget(versions, SECRET) == {old: written}
    assert [path.name for path in (versions.folder / "versions").iterdir()] == [written]
