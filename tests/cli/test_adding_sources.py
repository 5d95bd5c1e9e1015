"""`rag source add`: a source, or parts of it, that the next sync reads."""

import json
from pathlib import Path

from typer.testing import CliRunner

from rag_platform.cli import app
from rag_platform.config.settings_file import load_settings
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace


def test_a_folder_is_added_in_parts_that_read_each_file_once(tmp_path: Path) -> None:
    def rag(*words: str) -> str:
        done = CliRunner().invoke(app, ["--home", str(tmp_path), *words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    (tmp_path / "docs").mkdir()
    for number in range(12):
        (tmp_path / "docs" / f"{number}.md").write_text(f"Weir {number} is open.", encoding="utf-8")
    (tmp_path / "rag.toml").touch()
    table = tmp_path / "table.toml"
    table.write_text('id = "weirs"\nkind = "folder"\npath = "docs"\n', encoding="utf-8")
    assert "`rag sync weirs-1 weirs-2`" in rag("source", "add", str(table), "--parts", "2")
    pipeline = Pipeline(open_workspace(tmp_path))
    read = [pipeline.fetch(source.id).tally.seen for source in load_settings(tmp_path).sources]
    assert len(read) == 2 and all(read) and sum(read) == 12
    table.write_text('id = "more"\nkind = "folder"\npath = "docs"\n', encoding="utf-8")
    assert json.loads(rag("source", "add", str(table), "--json"))["part"] is None
    table.write_text('id = "most"\nkind = "folder"\npath = "docs"\n', encoding="utf-8")
    assert [one["id"] for one in json.loads(rag("source", "add", str(table), "--parts", "1", "--json"))] == ["most-1"]
