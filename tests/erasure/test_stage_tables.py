"""What was forgotten leaves no address behind in the tables."""

from pathlib import Path

import polars as pl

from rag_platform.core.ids import document_id
from rag_platform.core.schemas import RAW
from rag_platform.erasure.stage_tables import erase_tables
from rag_platform.storage.tables import Store


def test_an_earlier_name_that_is_forgotten_is_named_by_no_later_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    rows = [{"uri": "docs/ann.md"}, {"uri": "docs/b.md", "renamed_from": "docs/ann.md"}]
    rows.append({"uri": "docs/d.md", "renamed_from": "docs/c.md"})
    store.write("raw", "docs", pl.DataFrame(rows, schema=RAW))
    assert erase_tables(store, {document_id("docs", "docs/ann.md")})["raw"] == 1
    left = store.read("raw", "docs").select("uri", "renamed_from").rows()
    assert left == [("docs/b.md", None), ("docs/d.md", "docs/c.md")]
