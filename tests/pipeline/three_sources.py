"""A workspace of three folders, of which any may change, be held, or be behind."""

from datetime import UTC, datetime
from pathlib import Path

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.holds import Hold
from rag_platform.pipeline.screening import newest_state
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace

SOURCES = ("desk", "news", "rules")
SENTENCES = (
    "The ferry runs from six in the morning until dusk.",
    "A gauge is calibrated every spring by two wardens.",
    "The boathouse closes at nine and keys go back to the warden.",
    "Herons nest in the reeds below the old mill from March on.",
    "Service unavailable.",
)


def open_three(home: Path, embedder: OnnxEmbedder, other: OnnxEmbedder | None = None, moved: str = "") -> Workspace:
    """Open a workspace of three folders; the source `moved` has the other model."""
    tables = [
        f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\nmin_words = 1'
        + ('\nmodel = "other"' if name == moved else "")
        for name in SOURCES
    ]
    (home / "rag.toml").write_text(
        "\n\n".join([*tables, '[models.other]\nname = "other"', "[chunks]\nsize = 16\noverlap = 0"])
    )
    workspace = open_workspace(home)
    workspace.embedder = embedder
    if other:
        workspace.embedders._opened[workspace.settings.models["other"]] = other
    return workspace


def write(workspace: Workspace, source: str, texts: dict[str, str]) -> None:
    folder = workspace.settings.home / source
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text)


def stages(workspace: Workspace, *sources: str) -> Pipeline:
    pipeline = Pipeline(workspace)
    for source in sources:
        pipeline.fetch(source, allow_mass_delete=True)
        pipeline.extract(source)
        pipeline.chunk(source)
        pipeline.embed(source)
    return pipeline


def hold(workspace: Workspace, source: str, cause: str = "person") -> Hold:
    state = newest_state(workspace, source)
    return workspace.holds.hold(Hold(source, cause, "as given", datetime.now(UTC), state, who="ada"))
