"""What was forgotten is gone of a held source too: from its live state, and from what is shown of its change."""

import gzip
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from rag_platform.erasure.erasure_report import markdown
from rag_platform.erasure.forget import finish, forget
from rag_platform.erasure.packed_files import PackedFiles
from rag_platform.erasure.targets import recognise
from rag_platform.index.build import segment_plan
from rag_platform.workspace import Workspace
from tests.pipeline.three_sources import hold, stages, write

SECRET = "Die Schlüssel der Mühle liegen unter dem dritten Stein am Wehr."


def test_a_forgotten_document_is_in_no_state_of_a_held_source(three: Workspace) -> None:
    write(three, "desk", {"a.md": f"# A\n\n{SECRET}", "b.md": "# B\n\nThe lock is shut."})
    three.versions.promote(stages(three, "desk").build().version, why="test")
    write(three, "desk", {"a.md": "Service unavailable.", "b.md": "# B\n\nThe lock is shut."})
    pipeline = stages(three, "desk")
    example = {"uri": "a.md", "before": SECRET, "after": "Service unavailable."}
    three.holds.hold(
        replace(hold(three, "desk"), about={"anomalies": [{"examples": [example]}]}, why=f"it lost {SECRET}")
    )
    assert SECRET.encode() in three.holds.path.read_bytes() + _log(three)

    known = three.versions.live().catalog.documents("doc_id", "text", source="desk")
    (doc_id,) = (row["doc_id"] for row in known.to_dicts() if SECRET in row["text"])
    clone = three.settings.data / "caches" / "desk" / "pack"
    clone.parent.mkdir(parents=True)
    clone.write_bytes(zlib.compress(SECRET.encode()))
    assert forget(three, recognise(three, doc_id))["proven"]
    assert not clone.exists()
    (held,) = three.holds.active().values()
    assert SECRET not in str(held) + str(three.holds.history())
    assert SECRET.encode() not in three.holds.path.read_bytes() + _log(three)
    live = three.versions.open(pipeline.build().version).catalog.documents("text", source="desk")
    assert len(live) == 1 and "lock" in live["text"][0]


def test_what_cannot_be_removed_is_told_and_tried_again(three: Workspace, tmp_path: Path) -> None:
    write(three, "desk", {"ann.md": f"# A\n\n{SECRET}"})
    stages(three, "desk")
    elsewhere, caches = tmp_path / "other-disk", three.settings.data / "caches"
    elsewhere.mkdir()
    caches.symlink_to(elsewhere)
    report = forget(three, recognise(three, "ann.md"))
    assert not report["proven"] and "symbolic link" in report["removed"]["unremoved"][0]
    assert "**Not proven:** 1 files or folders that may hold it could not be removed" in markdown(report)
    assert [entry.id for entry in three.suppression.unfinished()] == [report["id"]]
    caches.unlink()
    (again,) = finish(three)
    assert again["proven"] and not three.suppression.unfinished()


def test_what_only_a_shared_segment_holds_is_known_and_forgotten(
    three: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_plan, "SMALL", 0)
    write(three, "desk", {f"{place}.md": f"# {place}\n\nThe lock {place} is shut." for place in range(9)})
    archive = three.settings.home / "desk" / "kept.zip"
    for texts in ({"a.md": f"# A\n\n{SECRET}", "b.md": "# B\n\nThe weir."}, {"b.md": "# B\n\nThe weir."}):
        with zipfile.ZipFile(archive, "w") as packed:
            for name, text in texts.items():
                packed.writestr(name, text)
        three.versions.promote(stages(three, "desk").build().version, why="test")
    live = three.versions.live()
    for version in three.versions.ids():
        if version != live.id:
            three.versions.remove(version)
    assert any(segment["shared"] for segment in live.manifest["segments"])
    target = recognise(three, "kept.zip!/a.md")
    assert len(target.doc_ids) == 1 and target.doc_ids.isdisjoint(live.catalog.documents("doc_id")["doc_id"])
    report = forget(three, target)
    assert report["proven"] and report["proof"]["passages"]
    (form,) = report["removed"]["versions"].values()
    assert three.versions.live_id() == form and not three.versions.open(form).catalog.segments_with(target.doc_ids)


def test_the_proof_reads_what_is_compressed(three: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    write(three, "desk", {"b.md": "# B\n\nThe lock is shut."})
    (three.settings.home / "desk" / "notes.md.gz").write_bytes(gzip.compress(f"# A\n\n{SECRET}".encode()))
    stages(three, "desk")
    monkeypatch.setattr("rag_platform.erasure.forget.erase_blobs", lambda *_: 0)
    proof = forget(three, recognise(three, "notes.md.gz"))["proof"]
    (found,) = proof["found_in_files"]
    assert found.startswith("raw/blobs/")


def _log(workspace: Workspace) -> bytes:
    log = workspace.holds.path.with_name("holds.sqlite-wal")
    return log.read_bytes() if log.exists() else b""


def test_an_archive_of_which_a_part_was_not_read_is_looked_through(three: Workspace) -> None:
    archive = three.settings.home / "desk" / "kept.zip"
    write(three, "desk", {"c.md": "# C\n\nThe lock is shut."})
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.md", "# A\n\nThe weir is shut.")
        packed.writestr("b.pdf", "%PDF-1.4 and no more")
    three.versions.promote(stages(three, "desk").build().version, why="test")
    files = PackedFiles(three)
    blobs = {path.name: "".join(files.texts(path)) for path in three.store.blobs.folder.rglob("*.zst")}
    assert [("weir is shut" in text, "lock" in text) for text in blobs.values() if text] == [(True, False)]
    assert files.notes()
