"""What was forgotten is gone of a held source too: from its live state, and from what is shown of its change."""

import zlib
from dataclasses import replace

from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
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


def _log(workspace: Workspace) -> bytes:
    log = workspace.holds.path.with_name("holds.sqlite-wal")
    return log.read_bytes() if log.exists() else b""
