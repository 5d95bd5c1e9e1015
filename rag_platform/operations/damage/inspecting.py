"""What is damaged in a workspace, by comparing each file with what was noted when it was written."""

from collections.abc import Iterator
from pathlib import Path

from rag_platform.core.errors import StorageError, VersionError
from rag_platform.embeddings.token_table import token_folders
from rag_platform.index.releases.release_log import MoveLog
from rag_platform.index.releases.version_files import EVALUATION, damaged_files
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.stored_tokens import TOKENS
from rag_platform.operations.damage.databases import database_problem, databases
from rag_platform.operations.damage.finding import Damage
from rag_platform.operations.damage.scrub_record import BLOBS, read_record
from rag_platform.storage.hashed.row_files import ROWS, open_rows, row_file_problem
from rag_platform.storage.hashed.table_files import noted_tables, table_problem
from rag_platform.storage.tables import Store
from rag_platform.workspace import Workspace

VERSIONS = "index/versions/"
STAGES = ("raw", "access", "documents", "chunks", "embeddings/*")


def inspect(workspace: Workspace, *, deep: bool = False) -> list[Damage]:
    """Return what is damaged; `deep` reads every byte, else only what was written to since it was checked.

    The raw bytes of documents (`data/raw/blobs`) are only looked at when `deep`, or if the scrub found them damaged.
    """
    data = workspace.settings.data
    found = [*_versions(workspace.versions, deep=deep), *_pointers(workspace.versions), *_tables(workspace.store, deep)]
    found += [
        damage
        for path in databases(data, rules=not workspace.settings.scale.database)
        if (damage := _database(data, path, deep=deep))
    ]
    found += _tokens(workspace, deep=deep)
    found += _forgotten(workspace)
    if deep:
        store = workspace.store
        found += (_damaged(f"{stage}/{source}.parquet", problem) for stage, source, problem in store.damages())
        paths = map(store.blobs.path, store.blobs.hashes())
        return found + [damage for path in paths if (damage := _blob(store, path))]
    scrubbed = (inspect_file(workspace, name) for name in read_record(data).found)
    return found + [damage for damage in scrubbed if damage and damage not in found]


def inspect_file(workspace: Workspace, name: str) -> Damage | None:
    """Read a file, by its path below the folder of data; a version's only if it was written to since it was checked."""
    store, path = workspace.store, workspace.settings.data / name
    if not path.exists():
        return None
    if path.suffix == ROWS:
        return _row_damage(workspace, path.parent, row_file_problem(path))
    if name.startswith(VERSIONS):
        version = name.removeprefix(VERSIONS).partition("/")[0]
        return next(inspect_version(workspace.versions, version), None)
    if name.startswith(BLOBS):
        return _blob(store, path)
    return _table(store, path, deep=True) if path.suffix == ".parquet" else _database(store.folder, path, deep=True)


def _versions(versions: Versions, *, deep: bool) -> Iterator[Damage]:
    for version in versions.ids():
        yield from inspect_version(versions, version, deep=deep)
    live = versions.live_id()
    if live and not versions.path(live).exists():
        means = _answered_by(versions)
        yield Damage(f"index/versions/{live}", "version", "the live version is missing", means)


def inspect_version(versions: Versions, version: str, *, deep: bool = False) -> Iterator[Damage]:
    """Look at one version."""
    path, live = f"index/versions/{version}", version == versions.live_id()
    means = _answered_by(versions) if live else "it cannot be gone back to, nor compared with"
    try:
        manifest = versions.manifest(version)
        problems = damaged_files(versions.path(version), manifest["files"], thorough=deep)
        if problems:
            yield Damage(path, "version", "; ".join(problems), means)
        elif unreadable := manifest.get("unreadable"):
            yield Damage(f"{path}/{EVALUATION}", "evaluation", unreadable, "its scores and its verdict are not known")
        elif live and not manifest.get("verdict") and _passed(versions, version):
            yield Damage(f"{path}/{EVALUATION}", "evaluation", "it is missing", "its scores are not known")
    except VersionError as error:
        if versions.path(version).exists():
            yield Damage(path, "version", _reason(error), means)


def _passed(versions: Versions, version: str) -> bool:
    """Return whether the gate made a version live, which then has an evaluation."""
    return any(move["version"] == version and move["why"] == "the gate passed" for move in versions.moves())


def _answered_by(versions: Versions) -> str:
    sound = versions.newest_sound()
    return f"{sound.id} answers in its place" if sound else "nothing can be answered"


def _reason(error: Exception) -> str:
    said = str(error).removesuffix(". `rag repair` mends it")
    return said.partition(" is damaged: ")[2] or said


def _pointers(versions: Versions) -> Iterator[Damage]:
    folder, live = versions.folder, versions.live_id()
    if live and _text(folder / "CURRENT") != live:
        means = f"the log says that {live} is live, and it answers"
        yield Damage("index/CURRENT", "pointer", "it names no version that there is", means)
    if versions.ids() and versions.candidate_id() is None:
        means = "what was built last is not known; the next sync names it"
        yield Damage("index/CANDIDATE", "pointer", "it names no version that there is", means)
    if live and not versions.moves():
        means = "who made what live, and when, is not known, and nothing can be gone back to"
        yield Damage("index/log.jsonl", "log", "the move that made the live version live is not in it", means)
    elif count := MoveLog(folder / "log.jsonl").problems():
        yield Damage("index/log.jsonl", "log", f"{count} lines are not what was written", "the other moves are known")
    for name, problem in versions.pin_problems().items():
        yield Damage(f"index/{name}", "pins", problem, "which versions are kept for good is known from its twin alone")


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def _tables(store: Store, deep: bool) -> Iterator[Damage]:
    return (damage for path in table_files(store) if (damage := _table(store, path, deep=deep)))


def table_files(store: Store) -> Iterator[Path]:
    """Yield the files of the stages' tables, also those that should be there."""
    for stage in STAGES:
        for folder in sorted(store.folder.glob(stage)):
            yield from sorted({*folder.glob("*.parquet"), *noted_tables(folder)})


def _table(store: Store, path: Path, *, deep: bool = False) -> Damage | None:
    """Look at the table of a stage."""
    name = path.relative_to(store.folder).as_posix()
    if not store.is_copy(name) and (problem := table_problem(path, thorough=deep)):
        return _damaged(name, problem)
    return None


def _damaged(name: str, problem: str) -> Damage:
    source = Path(name).stem
    return Damage(name, "table", problem, f"{source} cannot be synced; what is published goes on answering")


def token_vectors(workspace: Workspace) -> list[Path]:
    """Return the folders of token vectors: those of the tables first, from which those of versions are mended."""
    versions = workspace.versions
    own = (sorted((versions.path(version) / TOKENS).glob("*/")) for version in versions.ids())
    return [*token_folders(workspace.store), *(folder for folders in own for folder in folders)]


def _tokens(workspace: Workspace, *, deep: bool) -> Iterator[Damage]:
    for folder in token_vectors(workspace):
        problems = open_rows(folder).problems(thorough=deep)
        if damage := _row_damage(workspace, folder, "; ".join(problems.values())):
            yield damage


def _row_damage(workspace: Workspace, folder: Path, wrong: str | None) -> Damage | None:
    means = "its passages are read by the model each time they are reranked, which takes longer"
    return Damage(folder.relative_to(workspace.settings.data).as_posix(), "tokens", wrong, means) if wrong else None


def _database(data: Path, path: Path, *, deep: bool = False) -> Damage | None:
    """Look at a SQLite file."""
    if problem := database_problem(path, thorough=deep):
        means = "receipts, chats, feedback or collections in it cannot be read or written; search and answers go on"
        return Damage(path.relative_to(data).as_posix(), "database", problem, means)
    return None


def blob_files(store: Store) -> Iterator[Path]:
    """Yield the files of raw bytes."""
    for folder in sorted(store.blobs.folder.glob("??")):
        yield from sorted(folder.glob("*.zst"))


def _blob(store: Store, path: Path) -> Damage | None:
    """Look at the raw bytes of a document."""
    try:
        store.blobs.get(path.stem)
    except (StorageError, OSError) as error:
        name = path.relative_to(store.folder).as_posix()
        means = "the original of a document cannot be shown; its text goes on being found"
        return Damage(name, "blob", str(error).partition(" is damaged: ")[2] or str(error), means)
    return None


def _forgotten(workspace: Workspace) -> Iterator[Damage]:
    path, reports = workspace.suppression.path, workspace.settings.data / "forgotten"
    means = "nothing is synced: what was forgotten would be read again"
    try:
        known = {entry.id for entry in workspace.suppression.entries()}
    except StorageError as error:
        yield Damage(path.name, "forgotten", str(error).partition(". ")[0], means)
        return
    if missing := {report.stem for report in reports.glob("*.json")} - known:
        yield Damage(path.name, "forgotten", f"{len(missing)} entries are missing", "what they name may be read again")
