"""A source cut into parts by the hash of the address: one change costs its part, by the real job over real files."""

from pathlib import Path

import dagster as dg
import pytest

from assets.automation import changed_files, sync_partitions
from assets.definitions import defs
from assets.names import Names
from rag_platform.workspace import open_workspace

PARTS = 4
STAGES = ("raw", "documents", "chunks", "access", "embeddings")


def table(part: int) -> str:
    return (
        f'[[sources]]\nid = "gauges-{part}"\nkind = "folder"\npath = "gauges"\npart = "{part}/{PARTS}"\n'
        'collection = "gauges"\nmin_words = 1\n'
    )


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_folder: Path) -> Path:
    (tmp_path / "rag.toml").write_text("\n".join(table(part) for part in range(1, PARTS + 1)))
    (tmp_path / "gauges").mkdir()
    for number in range(24):
        text = f"# Gauge {number}\n\nThe gauge at weir {number} is read by warden {number} each morning.\n"
        (tmp_path / "gauges" / f"{number}.md").write_text(text)
    monkeypatch.setenv("RAG_HOME", str(tmp_path))
    return tmp_path


def written(home: Path) -> dict[str, int]:
    """Return when each table of a stage was written."""
    paths = (path for stage in STAGES for path in (home / "data" / stage).rglob("*.parquet"))
    return {path.relative_to(home).as_posix(): path.stat().st_mtime_ns for path in paths}


def test_one_change_is_a_run_of_its_part_and_writes_its_tables_alone(home: Path) -> None:
    workspace, names = open_workspace(home), [f"gauges-{part}" for part in range(1, PARTS + 1)]
    with dg.DagsterInstance.ephemeral() as instance:

        def requested(cursor: str | None) -> tuple[list[str], str | None]:
            with dg.build_sensor_context(instance, cursor, resources={"workspace": workspace}) as context:
                result = changed_files(context)
            return sorted(request.partition_key for request in result.run_requests), result.cursor

        def run(job: str, source: str) -> None:
            assert defs().resolve_job_def(job).execute_in_process(instance=instance, partition_key=source).success

        sync_partitions(instance, Names.of(workspace.settings), names)
        sources, cursor = requested(None)
        assert sources == names
        for source in names[:-1]:
            run("source", source)
        run("sync", names[-1])
        uris = {source: workspace.store.read("documents", source)["raw_uri"] for source in names}
        held = {source: {Path(uri).name for uri in found} for source, found in uris.items()}
        assert sum(map(len, held.values())) == len(set.union(*held.values())) == 24 and all(held.values())
        assert requested(cursor)[0] == []

        before = written(home)
        (home / "new.md").write_text("# Gauge 7\n\nThe gauge at weir 7 was carried to the mill by a flood.\n")
        (home / "new.md").replace(home / "gauges" / "7.md")  # as editors save: what is overwritten in place shows later
        (own,) = (source for source, files in held.items() if "7.md" in files)
        assert requested(cursor)[0] == [own]
        run("sync", own)
        changed = {path for path, when in written(home).items() if before.get(path) != when}
        assert {Path(path).stem for path in changed} == {own}
    hits = open_workspace(home).retriever.search("Which gauge was carried to the mill?").hits
    assert hits[0].collection == "gauges" and "carried to the mill" in hits[0].text
