"""`rag doctor`: what is missing, and the command that mends it."""

import importlib.metadata
import platform
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import typer
from rich.text import Text

from rag_platform.cli.console import AsJson, chosen_home, out, print_json
from rag_platform.errors import RagError
from rag_platform.guard import unguarded
from rag_platform.models import installed
from rag_platform.parts import Workspace, open_workspace
from rag_platform.settings import FILE

_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    level: str
    """"ok", "hint" (works without) or "wrong"."""
    found: str
    mend: str | None = None


def doctor(as_json: AsJson = False) -> None:
    """Look at the machine and the workspace, and say what is missing."""
    findings = list(_findings())
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            _show(finding)
    raise typer.Exit(1 if any(finding.level == "wrong" for finding in findings) else 0)


def _findings() -> Iterator[Finding]:
    yield _python()
    yield from _extras()
    yield _browser()
    try:
        workspace = open_workspace(chosen_home.get())
    except RagError as error:
        yield Finding("settings", "wrong", str(error), f"edit {FILE}")
        return
    yield from _workspace(workspace)


def _python() -> Finding:
    return Finding("python", "ok", platform.python_version())


def _extras() -> Iterator[Finding]:
    for package, extra, purpose in (
        ("ragas", "eval", "the gate and `rag eval`"),
        ("dagster-dg-cli", "dg", "the `dg` command"),
        ("playwright", "browser", "logging in to portals, and pages made by scripts"),
        ("keyring", "keyring", "secrets in the keyring of the operating system"),
        ("sentence-transformers", "torch", "models that have no ONNX graph"),
        ("vllm", "serve", "serving a language model on this machine's GPU"),
    ):
        try:
            yield Finding(package, "ok", importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            needed = "wrong" if extra == "eval" else "hint"
            yield Finding(
                package, needed, f"not installed; it is for {purpose}", f"pip install 'rag-platform[{extra}]'"
            )


def _browser() -> Finding:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return Finding(
        "chromium", "ok" if found else "hint", found or "not found; portals and pages made by scripts need it", None
    )


def _workspace(workspace: Workspace) -> Iterator[Finding]:
    settings = workspace.settings
    if not (settings.home / FILE).exists():
        yield Finding("settings", "wrong", f"no {FILE} in {settings.home}", f"rag init {settings.home}")
    elif not settings.sources:
        yield Finding(
            "settings",
            "wrong",
            f"{settings.home / FILE} names no source",
            "add a [[sources]] table; see docs/sources.md",
        )
    else:
        yield Finding("settings", "ok", f"{len(settings.sources)} sources in {settings.home / FILE}")
    if found := unguarded(settings):
        path, why = found[0]
        yield Finding("git", "wrong", f"{len(found)} files are in git that must not be: {path} ({why})", "rag guard")
    free = workspace.store.free_bytes() / _GIB
    yield Finding(
        "disk", "ok" if free > 1 else "wrong", f"{free:.1f} GiB free", None if free > 1 else "free some space"
    )
    model = settings.model
    folder = model.folder or {card.name: found for card, found in installed()}.get(model.name)
    if folder:
        yield Finding("model", "ok", f"{model.name} in {folder}")
    else:
        yield Finding(
            "model", "hint", f"{model.name} is not here yet; a sync fetches it", f"rag models pull {model.name}"
        )
    live = workspace.versions.live_id()
    yield Finding("live version", "ok" if live else "hint", live or "none yet", None if live else "rag sync")


def _show(finding: Finding) -> None:
    style = {"ok": "green", "hint": "yellow", "wrong": "bold red"}[finding.level]
    line = Text.assemble((f"{finding.level:6}", style), (f"{finding.what}: ", "bold"), finding.found)
    if finding.mend:
        line.append(f"\n        → {finding.mend}", style="cyan")
    out.print(line, soft_wrap=True)
