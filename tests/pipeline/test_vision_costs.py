"""What a plan says of the pages that a vision model would be shown."""

from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.documents.formats.pdf.test_reader import make_pdf

TOML = """
[vision]
base_url = "http://127.0.0.1:9/v1"
max_pages = 3
[[sources]]
id = "farm"
kind = "folder"
path = "papers"
include = ["**/*"]
page_text = "{way}"
"""


def planned(home, way: str) -> dict:
    (home / "rag.toml").write_text(TOML.format(way=way))
    return Pipeline(open_workspace(home)).plan("farm").to_dict()


def test_a_plan_counts_the_pages_that_would_be_shown(tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "one.pdf").write_bytes(make_pdf([["A page about the water of the river."]]))
    (papers / "five.pdf").write_bytes(make_pdf([[f"Page {n} about the water."] for n in range(5)]))
    (papers / "map.png").write_bytes(b"no image")
    (papers / "notes.md").write_text("Notes of the office about the water.")
    assert planned(tmp_path, "auto")["vision_pages"] == 3 + 3 + 1  # what is not fetched may have as many as are shown
    assert "vision_pages" not in planned(tmp_path, "layer")

    pipeline = Pipeline(open_workspace(tmp_path))
    pipeline.fetch("farm")
    pipeline.extract("farm")
    assert "vision_pages" not in planned(tmp_path, "layer")
    assert planned(tmp_path, "vision")["vision_pages"] == 1 + 3  # what could not be read is not shown
    (papers / "one.pdf").write_bytes(make_pdf([["Two pages"], ["about the water of the river."]]))
    assert "vision_pages" not in planned(tmp_path, "layer")
    assert planned(tmp_path, "vision")["vision_pages"] == 1 + 3


def test_what_was_deleted_costs_nothing(tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in ("one.pdf", "two.pdf"):
        (papers / name).write_bytes(make_pdf([[f"A page of {name} about the water of the river."]]))
    planned(tmp_path, "layer")
    Pipeline(open_workspace(tmp_path)).fetch("farm")
    (papers / "two.pdf").unlink()
    Pipeline(open_workspace(tmp_path)).fetch("farm")
    assert planned(tmp_path, "vision")["vision_pages"] == 3


def test_a_plan_counts_the_recordings_that_would_be_sent(tmp_path):
    (tmp_path / "papers").mkdir()
    for name in ("talk.mp3", "walk.wav", "notes.md"):
        (tmp_path / "papers" / name).write_bytes(b"about the water of the river")
    assert "recordings" not in planned(tmp_path, "auto")
    speech = '[transcription]\nbase_url = "http://127.0.0.1:9/v1"\n'
    (tmp_path / "rag.toml").write_text(speech + TOML.format(way="auto"))
    assert Pipeline(open_workspace(tmp_path)).plan("farm").to_dict()["recordings"] == 2
