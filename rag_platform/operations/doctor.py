"""What is missing on the machine and in a workspace, and the command that mends it."""

import os
import platform
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from rag_platform.config.plain_passwords import exposed
from rag_platform.config.settings import FILE, ModelSettings, Settings
from rag_platform.core.errors import ExtractionError, RagError, VersionError
from rag_platform.core.installation import install_command
from rag_platform.documents.sandbox.process import held_here
from rag_platform.index.vectors.spaces import stored_spaces
from rag_platform.models.weights import installed
from rag_platform.operations.alerts.alerting import outbox_of
from rag_platform.operations.alerts.delivery import targets_of
from rag_platform.operations.damage.finding import REPAIR
from rag_platform.operations.damage.inspecting import inspect
from rag_platform.operations.damage.scrub_record import read_record
from rag_platform.operations.extras import OptionalPart, optional_parts
from rag_platform.operations.git_guard import unguarded
from rag_platform.operations.status.servers_within_reach import servers_within_reach
from rag_platform.storage.files.private import is_open, open_to_others
from rag_platform.text.analysis.selftest import SENTENCES, broken_languages
from rag_platform.workspace import Workspace, open_workspace

_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at."""

    what: str
    level: str
    """"ok", "hint" (works without) or "wrong"."""
    found: str
    mend: str | None = None
    purpose: str | None = None
    """Of an optional part: what it is for."""


def diagnose(home: Path | None = None, *, deep: bool = False) -> Iterator[Diagnosis]:
    """Look at the machine and at the workspace in that folder (None: as `open_workspace` finds it).

    `deep` reads every file for damage.
    """
    yield Diagnosis("python", "ok", platform.python_version())
    try:
        workspace = open_workspace(home)
    except RagError as error:
        yield Diagnosis("settings", "wrong", str(error), f"edit {FILE}")
        yield from map(_optional, optional_parts(Settings()))
        return
    yield _languages()
    yield _readers(workspace.settings)
    yield from _workspace(workspace)
    told = [Diagnosis(*one) for one in servers_within_reach(workspace)]
    yield from told
    if all(one.level != "wrong" for one in told):  # else what lies there cannot be looked at
        yield from _alerts(workspace)
        yield from _damages(workspace, deep=deep)
    yield from map(_optional, optional_parts(workspace.settings))


def _languages() -> Diagnosis:
    if broken := broken_languages():
        return Diagnosis("languages", "wrong", f"words are not found in: {', '.join(broken)}", install_command())
    return Diagnosis("languages", "ok", f"words are found in {len(SENTENCES)} languages")


def _readers(settings: Settings) -> Diagnosis:
    """Tell from what the processes that read documents are kept here, and by what."""
    try:
        held = held_here()
    except ExtractionError as error:
        return Diagnosis("readers", "wrong", f"no document can be read: {error}", install_command())
    kept = "; ".join(f"{what} ({by})" for what, by in held.items() if by)
    if all(held.values()):
        return Diagnosis("readers", "ok", f"documents are kept from: {kept}")
    missing = ", ".join(what for what, by in held.items() if not by)
    level = "wrong" if settings.documents.protection == "required" else "hint"
    found = f"documents are not kept from: {missing}" + (f"; they are from: {kept}" if kept else "")
    return Diagnosis("readers", level, found, "run on Linux 5.13 or newer, where Landlock and seccomp are allowed")


def _optional(part: OptionalPart) -> Diagnosis:
    """Tell of a part that may be absent, unless a source or the gate needs it."""
    if part.found:
        return Diagnosis(part.name, "ok", part.found, None, part.purpose)
    needed = f"needed by {', '.join(part.needed_by)}" if part.needed_by else None
    if part.name == "ir-measures":
        needed = "needed to publish"
    return Diagnosis(part.name, "wrong" if needed else "hint", needed or "not here", part.mend, part.purpose)


def _workspace(workspace: Workspace) -> Iterator[Diagnosis]:
    settings = workspace.settings
    if not (settings.home / FILE).exists():
        yield Diagnosis("settings", "wrong", f"no {FILE} in {settings.home}", f"rag init {settings.home}")
    elif not settings.sources:
        yield Diagnosis(
            "settings",
            "wrong",
            f"{settings.home / FILE} names no source",
            "add a [[sources]] table; see docs/sources.md",
        )
    else:
        yield Diagnosis("settings", "ok", f"{len(settings.sources)} sources in {settings.home / FILE}")
    if found := unguarded(settings):
        path, why = found[0]
        yield Diagnosis("git", "wrong", f"{len(found)} files are in git that must not be: {path} ({why})", "rag guard")
    yield from _private(settings)
    yield from _unencrypted(settings)
    free = workspace.store.free_bytes() / _GIB
    yield Diagnosis(
        "disk", "ok" if free > 1 else "wrong", f"{free:.1f} GiB free", None if free > 1 else "free some space"
    )
    for model in dict.fromkeys([settings.model, *settings.models.values()]):
        yield _model(model)
    live = workspace.versions.live_id()
    yield Diagnosis("live version", "ok" if live else "hint", live or "none yet", None if live else "rag sync")
    if live:
        yield from _spaces(workspace, live)


def _alerts(workspace: Workspace) -> Iterator[Diagnosis]:
    """Tell of alerts that did not arrive, where some are to be sent."""
    targets = targets_of(workspace.settings.alerts)
    failing = [one for one in outbox_of(workspace).messages() if one["error"]]
    if targets and failing:
        found = f"{len(failing)} were not delivered; the newest: {failing[0]['error']}"
        yield Diagnosis("alerts", "wrong", found, "rag alerts test")
    elif targets:
        yield Diagnosis("alerts", "ok", f"go to {', '.join(target.shown for target in targets)}")


def _damages(workspace: Workspace, *, deep: bool) -> Iterator[Diagnosis]:
    found = inspect(workspace, deep=deep)
    for damage in found:
        command = f"{REPAIR} --deep" if deep and damage.kind in ("blob", "database") else REPAIR
        yield Diagnosis("damage", "wrong", damage.said, command)
    if not found:
        since = read_record(workspace.settings.data).whole_since
        others = f"the others were read since {since[:10]}" if since else "`--deep` reads the others"
        how = "every file was read" if deep else f"of the files that were written to; {others}"
        yield Diagnosis("damage", "ok", f"none ({how})")


def _private(settings: Settings) -> Iterator[Diagnosis]:
    """Tell of what other users may read; the folder `data` was mended when it was opened, if it could be."""
    found = [*open_to_others(settings.data), *filter(is_open, [settings.home / "secrets.toml"])]
    if found:
        where = settings.data if found[0].is_relative_to(settings.data) else found[0]
        what = f"{len(found)} files and folders are open to other users of this machine: {found[0]}"
        yield Diagnosis("privacy", "wrong", what, f"chmod -R go= {where}; if they are another user's: chown -R them")
    elif os.name != "nt":
        yield Diagnosis("privacy", "ok", f"{settings.data} is its owner's alone")


def _unencrypted(settings: Settings) -> Iterator[Diagnosis]:
    """Tell of sources whose passwords everybody on the way can read."""
    for source in settings.sources:
        hosts = ", ".join(exposed(source))
        if hosts and source.plain_http:
            yield Diagnosis("passwords", "hint", f"{source.id} sends its password to {hosts} unencrypted")
        elif hosts:
            found = f"{source.id} is not read: its password would go to {hosts} unencrypted"
            yield Diagnosis("passwords", "wrong", found, "https:// in its address, or plain_http = true")


def _model(model: ModelSettings) -> Diagnosis:
    folder = model.folder or {card.name: found for card, found in installed()}.get(model.name)
    if folder:
        return Diagnosis("model", "ok", f"{model.name} in {folder}")
    return Diagnosis(
        "model", "hint", f"{model.name} is not here yet; a sync fetches it", f"rag models pull {model.name}"
    )


def _unread(settings: Settings, count: int, here: Collection[str]) -> Diagnosis:
    """Tell of passages without a vector, and what would give them one."""
    model, mend = settings.multilingual, "see docs/models.md#languages"
    if model and model.folder is None and model.name not in here:
        mend = f"rag models pull {model.name}, then rag sync"
    return Diagnosis(
        "live version", "hint", f"{count} passages are found by their words alone: no model reads them", mend
    )


def _spaces(workspace: Workspace, live: str) -> Iterator[Diagnosis]:
    """Tell of passages and vectors of the live version that no model of the settings reads; no model is opened."""
    settings = workspace.settings
    models = (settings.model, *settings.models.values(), *filter(None, [settings.multilingual]))
    known = {(model.name, model.precision) for model in models}
    here = {card.name for card, folder in installed() if folder}
    try:
        manifest = workspace.versions.manifest(live)
        spaces = stored_spaces(manifest)
    except VersionError:
        return  # `_damages` tells of it
    if count := manifest["counts"].get("words_only"):
        yield _unread(settings, count, here)
    for space in spaces:
        name, precision = space.model["name"], space.model["precision"]
        if (name, precision) not in known and name not in here:
            yield Diagnosis(
                "live version",
                "wrong",
                f"it holds vectors of {name} ({precision}), which is not in the settings",
                "rag sync, or describe the model in a table [models.NAME]",
            )
