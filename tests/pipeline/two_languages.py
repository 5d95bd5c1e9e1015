"""A workspace whose model reads English, and whose multilingual model reads German too."""

from copy import copy
from dataclasses import replace
from pathlib import Path

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline import three_sources

ENGLISH = (
    "The ferry runs from six in the morning until dusk, and on Sundays it begins an hour later.",
    "A gauge is calibrated every spring by two wardens who write down what they have read.",
    "The boathouse closes at nine, and whoever has a key brings it back to the warden.",
    "Herons nest in the reeds below the old mill from the beginning of March.",
)
GERMAN = (
    "Die Fähre verkehrt von sechs Uhr morgens bis zur Dämmerung, sonntags beginnt sie eine Stunde später.",
    "Jeden Frühling wird der Pegel von zwei Wärtern geeicht, die aufschreiben, was sie abgelesen haben.",
    "Das Bootshaus schließt um neun, und wer einen Schlüssel hat, bringt ihn dem Wärter zurück.",
    "Reiher nisten seit Anfang März im Schilf unterhalb der alten Mühle.",
)
GREEK = "Το πλοίο φεύγει από το λιμάνι στις έξι το πρωί και επιστρέφει αργά το βράδυ με τους επιβάτες."
"""A language that neither model reads."""


def reading(embedder: OnnxEmbedder, *languages: str) -> OnnxEmbedder:
    """Return the same model with a card that states languages."""
    other = copy(embedder)
    other.card = replace(embedder.card, languages=languages)
    return other


def open_two(home: Path, embedder: OnnxEmbedder, other: OnnxEmbedder | None, **model: object) -> Workspace:
    """Open a workspace of the sources `docs` and `more`; without `other`, its multilingual model cannot be had."""
    sources = [
        f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\nmin_words = 1' for name in ("docs", "more")
    ]
    keys = [f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in model.items()]
    missing = f"[models.other]\nname = 'other'\nfolder = '{home / 'nowhere'}'"
    table = "\n".join(["[model]", "multilingual = 'other'", *keys])
    (home / "rag.toml").write_text("\n\n".join([*sources, table, missing, "[chunks]\nsize = 200\noverlap = 0"]))
    workspace = open_workspace(home)
    workspace.embedder = reading(embedder, "en")
    if other:
        workspace.embedders._opened[workspace.settings.multilingual] = reading(other, "en", "de")
    return workspace


def write(workspace: Workspace, texts: dict[str, str], source: str = "docs") -> None:
    """Put documents in the place of those of a source."""
    three_sources.write(workspace, source, texts)


def synced(workspace: Workspace, *sources: str) -> tuple[str, int]:
    """Bring sources up to date, publish, and return the version and how many texts were embedded at home."""
    pipeline, embedded = Pipeline(workspace), 0
    for source in sources or ("docs",):
        pipeline.fetch(source, allow_mass_delete=True)
        pipeline.extract(source)
        pipeline.chunk(source)
        embedded += pipeline.embed(source).embedded
    version = pipeline.build({}).version
    workspace.versions.promote(version, why="test")
    return version, embedded
