"""Whose store lies at a place: told by its files, or by what its server answers."""

from pathlib import Path

from rag_platform.core.errors import SettingsError, SourceError
from rag_platform.core.urls import is_web
from rag_platform.sources.stores.chroma import FILE as CHROMA
from rag_platform.sources.stores.persisted_files import CORPUS, DOCSTORE, FAISS
from rag_platform.sources.stores.qdrant import COLLECTIONS, FILE
from rag_platform.sources.stores.server_answers import ask
from rag_platform.sources.stores.settings import FORMATS, Format
from rag_platform.sources.stores.stored_records import Opening

SIGNS: dict[str, Format] = {
    CHROMA: "chroma",
    f"{COLLECTIONS}/*/{FILE}": "qdrant",
    "*.lance": "lancedb",
    DOCSTORE: "llamaindex",
    FAISS: "faiss",
    CORPUS: "beir",
    "**/*.parquet": "parquet",
    "**/*.jsonl": "jsonl",
}
"""What lies in a folder that is a store, the surest first."""
FILES: dict[str, Format] = {
    ".sqlite3": "chroma",
    ".pkl": "faiss",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".json": "langchain",
}
SERVERS: dict[str, Format] = {"collections": "qdrant", "api/v2/version": "chroma"}
"""What only such a server answers at."""


def format_of(opening: Opening) -> Format:
    """Return whose store it is.

    Raises:
        SettingsError: nothing tells.
        SourceError: there is no such file or folder.
    """
    place = opening.place
    if place.startswith(("postgres://", "postgresql")):
        return "pgvector"
    if place.partition("://")[0] in ("s3", "gs", "az", "db"):
        return "lancedb"
    found = _of_server(opening) if is_web(place) else _of_files(opening.path)
    if found is None:
        raise SettingsError(f"nothing tells whose store {place} is; name it with --format: {', '.join(FORMATS)}")
    return found


def _of_files(path: Path) -> Format | None:
    if path.is_dir():
        return next((found for sign, found in SIGNS.items() if next(path.glob(sign), None)), None)
    return "llamaindex" if path.name == DOCSTORE else FILES.get(path.suffix)


def _of_server(opening: Opening) -> Format | None:
    said: list[str] = []
    for path, found in SERVERS.items():
        try:
            ask(opening, f"{opening.place.rstrip('/')}/{path}")
        except SourceError as error:
            said.append(str(error))
        else:
            return found
    raise SettingsError(f"nothing tells whose store {opening.place} is: {'; '.join(said)}")
