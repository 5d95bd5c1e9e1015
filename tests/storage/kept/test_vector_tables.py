"""A table of vectors in two files: one edit writes little, and whoever reads sees one table."""

import numpy as np
import polars as pl
import pytest

from rag_platform.core.errors import StorageError
from rag_platform.core.schemas import embeddings_schema
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.storage.migrations import packed_vectors, schema_version
from rag_platform.storage.tables import Store

DIMENSION = 8


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def table_of(store, count):
    table = VectorTable(store, "model", "notes", DIMENSION)
    table.add(rows(range(count)))
    return table


def rows(numbers):
    vectors = np.array([[number] * DIMENSION for number in numbers], np.float32).reshape(-1, DIMENSION)
    return pl.DataFrame(
        {"text_hash": [f"{number:08}" for number in numbers], "vector": vectors}, schema=embeddings_schema(DIMENSION)
    )


def test_an_edit_writes_what_is_new_and_not_what_was_there(store):
    table = table_of(store, 1000)
    path = store.path("embeddings/model", "notes")
    before, written = path.stat(), store.written
    table.add(rows([2000]))
    table.keep(rows([*range(1, 1000), 2000])["text_hash"])
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert store.written - written < 0.1 * before.st_size
    assert table.read()["text_hash"].to_list()[-1] == "00002000" and len(table.hashes()) == 1001


def test_many_small_additions_write_a_few_times_what_there_is(store):
    table = table_of(store, 40)
    for start in range(40, 1000, 20):
        table.add(rows(range(start, start + 20)))
    assert table.read().sort("text_hash").equals(rows(range(1000)))
    assert store.written < 12 * store.path("embeddings/model", "notes").stat().st_size


def test_what_is_new_goes_at_once_and_what_is_old_when_it_is_much(store):
    table = table_of(store, 100)
    table.add(rows([200, 201]))
    table.keep(rows([*range(80), 201])["text_hash"])
    assert "00000200" not in table.hashes() and len(table.hashes()) == 101
    table.keep(rows(range(10))["text_hash"])
    assert table.read().equals(rows(range(10)))


def test_a_text_in_both_files_counts_once(store):
    """As after a crash between writing the large file and removing the small one."""
    table = table_of(store, 10)
    store.write("embeddings/model.recent", "notes", packed_vectors(rows([3, 50])))
    assert table.read().equals(rows([*range(10), 50])) and len(table.hashes()) == 11


def test_vectors_of_another_dimension_are_refused(store):
    table_of(store, 3)
    with pytest.raises(StorageError, match="not 4 numbers"):
        VectorTable(store, "model", "notes", 4).read()


def test_vectors_of_an_earlier_release_are_read_and_written_anew_once(store):
    path = store.path("embeddings/model", "notes")
    path.parent.mkdir(parents=True)
    rows(range(10)).write_parquet(path)  # a list of numbers each
    table = VectorTable(store, "model", "notes", DIMENSION)
    assert table.read().equals(rows(range(10))) and table.read(rows([3])["text_hash"]).equals(rows([3]))
    table.mend()
    assert table.read().equals(rows(range(10))) and schema_version(path) == 2
    before = path.stat().st_mtime_ns
    table.mend()
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("stage", ["embeddings/model", "embeddings/model.recent"])
def test_a_damaged_file_is_set_aside(store, stage):
    table = table_of(store, 10)
    table.add(rows([50]))
    path = store.path(stage, "notes")
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(StorageError):
        table.read()
    table.mend()
    assert len(table.hashes()) in (1, 10)


@pytest.mark.parametrize("wanted", [[3], [3, 2000, 5], [*range(0, 1000, 2)], [2000], [7, 5000], []])
def test_of_some_texts_the_vectors_are_those_of_the_whole_table(store, wanted):
    table = table_of(store, 1000)
    table.add(rows([2000]))
    hashes = pl.Series("text_hash", [f"{number:08}" for number in wanted], dtype=pl.String)
    whole = table.read().filter(pl.col("text_hash").is_in(hashes.implode())).sort("text_hash")
    assert table.read(hashes).sort("text_hash").equals(whole)
    assert whole.height == len([number for number in wanted if number != 5000])


def test_a_damaged_table_gives_no_vector_of_any_text(store):
    table = table_of(store, 1000)
    path = store.path("embeddings/model", "notes")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(StorageError, match="not what was written"):
        table.read(rows([3])["text_hash"])
