"""A table of other columns is brought to those of today, or refused; it is never taken for an empty one."""

from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.errors import StorageError
from rag_platform.core.schemas import CHUNKS, EMBEDDINGS, RAW
from rag_platform.storage import migrations
from rag_platform.storage.tables import Store


def _raw(*uris: str) -> pl.DataFrame:
    return pl.DataFrame([{"uri": uri, "status": "ok"} for uri in uris], schema=RAW)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (_raw("a").with_columns(plugin=pl.lit(1)), r"unknown columns \(plugin\)"),
        (_raw("a").drop("renamed_from", "sha256"), r"missing columns \(renamed_from, sha256\)"),
        (_raw("a").with_columns(missing=pl.lit("no")), r"columns of another type \(missing\)"),
        (_raw("a").select(pl.col("run_id"), pl.exclude("run_id")), "its columns in another order"),
    ],
    ids=["unknown", "missing", "type", "order"],
)
def test_a_raw_table_of_other_columns_is_refused_and_left_alone(tmp_path: Path, frame: pl.DataFrame, why: str) -> None:
    stored = Store(tmp_path)
    stored.write("raw", "docs", frame)
    content = stored.path("raw", "docs").read_bytes()
    for read in (
        lambda: stored.read("raw", "docs"),
        lambda: stored.table("raw", "docs"),
        lambda: stored.select("raw", "docs", ["uri"], pl.lit(value=True)),
    ):
        with pytest.raises(StorageError, match=rf"docs\.parquet has {why}.*restore it from a backup"):
            read()
    assert stored.path("raw", "docs").read_bytes() == content


@pytest.mark.parametrize(("stage", "schema"), [("chunks", CHUNKS), ("embeddings/abcd", EMBEDDINGS)])
def test_a_derived_table_of_other_columns_says_that_it_can_be_rebuilt(
    tmp_path: Path, stage: str, schema: pl.Schema
) -> None:
    stored = Store(tmp_path)
    stored.write(stage, "docs", pl.DataFrame(schema=schema).with_columns(plugin=pl.lit(1)))
    with pytest.raises(StorageError, match=r"unknown columns \(plugin\)"):
        stored.read(stage, "docs", schema)


def test_an_older_table_is_migrated_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Store(tmp_path)
    stored.write("raw", "docs", _raw("a", "b").drop("renamed_from").rename({"uri": "address"}))
    with monkeypatch.context() as patched:
        patched.setitem(
            migrations.STEPS,
            "raw",
            (
                lambda frame: frame.rename({"address": "uri"}),
                lambda frame: frame.with_columns(pl.lit(None, pl.String).alias("renamed_from")),
            ),
        )
        assert stored.read("raw", "docs").equals(_raw("a", "b"))
        assert stored.select("raw", "docs", ["uri"], pl.col("uri") == "b")["uri"].to_list() == ["b"]
        stored.table("raw", "docs").replace(_raw("c"))
        assert migrations.schema_version(stored.path("raw", "docs")) == 3
        assert stored.read("raw", "docs").equals(_raw("c"))
    for read in (stored.read, lambda *table: stored.select(*table, ["uri"], pl.lit(value=True))):
        with pytest.raises(StorageError, match=r"newer release: version 3 .* at most 1.*update this installation"):
            read("raw", "docs")
