"""Damage mended: damaged files are set aside, never deleted, and what is sound or made again takes their place."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rag_platform.core.errors import RagError, StorageError, VersionError
from rag_platform.embeddings.token_table import token_folders
from rag_platform.index.releases.version_files import EVALUATION
from rag_platform.index.vectors.stored_tokens import TOKENS
from rag_platform.operations.damage.databases import salvage
from rag_platform.operations.damage.finding import Damage
from rag_platform.pipeline.stages import Pipeline
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.row_files import open_rows, write_rows
from rag_platform.storage.hashed.sealed import sealed_line, unsealed, unsealed_lines
from rag_platform.storage.hashed.table_files import set_aside
from rag_platform.storage.tables import KEPT
from rag_platform.workspace import Workspace

_PLANS = {
    "version": "put a sound version in its place and set the damaged one aside",
    "evaluation": "set it aside; `rag eval VERSION` evaluates anew",
    "pointer": "write it anew, as the log and the versions say",
    "log": "set the damaged lines aside and keep the others",
    "pins": "write it anew from its twin",
    "table": "set it aside and make it anew: from the stage before, or from the table before the last sync",
    "tokens": "set the damaged files aside and have the passages in them read anew",
    "blob": "set it aside; the next sync fetches it again",
    "database": "set it aside and put every row that can still be read into a new file",
    "forgotten": "write it anew from its twin and from the reports of what was forgotten",
}
"""What is done about each kind of damage."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What was done about a damage, or would be."""

    damage: Damage
    done: str
    mended: bool


def planned(damage: Damage) -> Repair:
    """Say what would be done."""
    return Repair(damage, f"would {_PLANS[damage.kind]}", mended=False)


def repair(workspace: Workspace, damage: Damage) -> Repair:
    """Mend a damage; nothing is deleted. What cannot be mended now says why."""
    mend: dict[str, Callable[[Workspace, Path], str]] = {
        "version": _version,
        "evaluation": _evaluation,
        "pointer": _pointer,
        "log": _log,
        "pins": _pins,
        "table": _table,
        "tokens": _tokens,
        "blob": _blob,
        "database": _database,
        "forgotten": _list_of_forgotten,
    }
    try:
        with workspace.store.lock("repair"):
            done = mend[damage.kind](workspace, workspace.settings.data / damage.path)
    except (RagError, OSError) as error:
        return Repair(damage, f"could not be mended: {error}", mended=False)
    return Repair(damage, done, mended=True)


def _version(workspace: Workspace, path: Path) -> str:
    """Move the pointer away from a damaged version before it is set aside."""
    versions, version = workspace.versions, path.name
    said = ""
    if version == versions.live_id():
        rebuilt = _rebuilt(workspace, version)
        sound = rebuilt or getattr(versions.newest_sound(), "id", None)
        if sound is None:
            raise VersionError(f"no version before {version} is sound; `rag sync` builds and judges one anew")
        versions.repair(sound, why=f"{version} was damaged")
        said = f"{sound} is live, " + ("built anew of the same content" if rebuilt else "the newest sound version")
    if not path.exists():
        return said or "nothing was left of it"
    kept = set_aside(path, workspace.settings.data)
    return "; ".join(filter(None, [said, f"the damaged one is kept in {kept}"]))


def _rebuilt(workspace: Workspace, version: str) -> str | None:
    """Build the same version again from the stages; None: they have other content by now, or are damaged too."""
    versions = workspace.versions
    try:
        made = Pipeline(workspace, run_id="repair").build().version
        if made.rpartition("-")[2] != version.rpartition("-")[2] or versions.open(made).verify():
            return None
    except RagError:
        return None
    with suppress(OSError, ValueError, KeyError):
        judged = unsealed((versions.path(version) / EVALUATION).read_bytes())
        versions.record_evaluation(made, judged["scores"], judged["verdict"])
    return made


def _evaluation(workspace: Workspace, path: Path) -> str:
    again = f"`rag eval {path.parent.name}` evaluates it anew"
    return f"{_aside(workspace, path)}; {again}" if path.exists() else again


def _pointer(workspace: Workspace, path: Path) -> str:
    versions = workspace.versions
    if path.name == "CURRENT":
        named = versions.live_id()
    else:
        named = next((one for one in reversed(versions.ids()) if versions.is_sound(one)), None)
    if named is None:
        raise StorageError("no version is sound; `rag sync` builds one")
    kept = f"; the damaged one is kept in {set_aside(path, workspace.settings.data)}" if path.exists() else ""
    write_bytes(path, named.encode())
    return f"it names {named} again{kept}"


def _log(workspace: Workspace, path: Path) -> str:
    content = path.read_bytes() if path.exists() else b""
    sound, damaged = unsealed_lines(content)
    kept = f"; the damaged file is kept in {set_aside(path, workspace.settings.data)}" if content else ""
    write_bytes(path, b"".join(sealed_line(entry) + b"\n" for entry in sound))
    live = workspace.versions.live_id()
    if live and not workspace.versions.moves():
        workspace.versions.repair(live, why="the log of moves was damaged")
    return f"{len(sound)} lines stay, {len(damaged)} were set aside{kept}"


def _pins(workspace: Workspace, path: Path) -> str:
    pins = workspace.versions.pins()
    kept = f"; the damaged file is kept in {set_aside(path, workspace.settings.data)}" if path.exists() else ""
    workspace.versions.write_pins(pins)
    return f"it holds {len(pins)} pins again{kept}"


def _table(workspace: Workspace, path: Path) -> str:
    store, source = workspace.store, path.stem
    stage = path.parent.relative_to(store.folder).as_posix()
    kept = set_aside(path, store.folder) if path.exists() else None
    again = f"; the damaged one is kept in {kept}" if kept else ""
    if stage in KEPT:
        if store.restore_previous(stage, source):
            return f"what was known before the last sync is back; `rag sync {source}` brings it up to date{again}"
        store.drop(stage, source)
        return f"`rag sync {source}` reads the source anew{again}"
    store.drop(stage, source)
    pipeline = Pipeline(workspace, run_id="repair")
    for make in (pipeline.extract, pipeline.chunk, pipeline.embed):
        make(source)
    return f"made anew from what was fetched{again}"


def _tokens(workspace: Workspace, path: Path) -> str:
    """Mend the token vectors of a source's passages, or of a version's, which takes what the sources have."""
    rows, store, versions = open_rows(path), workspace.store, workspace.versions
    kept = _damaged_rows_aside(workspace, path)
    if path.is_relative_to(store.folder / "embeddings"):
        write_rows(path, rows.keys, [rows.there()])
        if live := versions.live_id():  # of which a source need not have what is sound, as far as files' sizes tell
            kept += _damaged_rows_aside(workspace, versions.path(live) / TOKENS / path.parent.name)
        Pipeline(workspace, run_id="repair").embed(path.name.rpartition(".tokens-")[0])
    else:
        bits = versions.manifest(path.parent.parent.name)["parameters"][TOKENS]
        givers = (open_rows(folder).there() for folder in token_folders(store, path.name, bits=bits))
        write_rows(path, rows.keys, [rows.there(), *givers])
    return f"{np.isin(rows.keys, open_rows(path).keys).sum()} of {len(rows)} passages have theirs{kept}"


def _damaged_rows_aside(workspace: Workspace, folder: Path) -> str:
    damaged = [folder / name for name in open_rows(folder).problems() if (folder / name).exists()]
    return "".join(f"; a damaged file is kept in {set_aside(file, workspace.settings.data)}" for file in damaged)


def _aside(workspace: Workspace, path: Path) -> str:
    return f"the damaged file is kept in {set_aside(path, workspace.settings.data)}"


def _blob(workspace: Workspace, path: Path) -> str:
    done = _aside(workspace, path) if path.exists() else "the damaged bytes were removed"
    workspace.store.blobs.remove(path.stem)
    return done


def _database(workspace: Workspace, path: Path) -> str:
    kept, rows = salvage(path, workspace.settings.data)
    return f"{rows} rows were read into a new file; the damaged one is kept in {kept}"


def _list_of_forgotten(workspace: Workspace, _path: Path) -> str:
    return workspace.suppression.mend(workspace.settings.data)
