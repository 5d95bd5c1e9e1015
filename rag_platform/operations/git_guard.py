"""Keeps what is not for everyone out of git: private corpora, what the platform makes, secrets."""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import Settings
from rag_platform.core.errors import StorageError

_SECRETS = (".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "id_rsa", "id_ed25519", "credentials.json")
_HARMLESS = ("*.example", "*.sample", "*.template")


def unguarded(settings: Settings) -> list[tuple[str, str]]:
    """Return (path, why it must not be there) of the files in git's index: tracked, or staged to become so."""
    found = dict.fromkeys(_in_git(settings.data), "what the platform makes")
    for source, folder in _private(settings):
        place = settings.home / folder.expanduser()
        found |= dict.fromkeys(_in_git(place), f"the source {source.id!r} is private")
    found |= {path: "it may hold a secret" for path in _in_git(settings.home) if _is_secret(path.name)}
    return [(str(path), why) for path, why in sorted(found.items())]


def carried(settings: Settings, pushed: Iterable[str], remote: str = "") -> list[tuple[str, str]]:
    """Return (path, why it must not be there) of the files that any commit of a push has, also if a later one has not.

    Args:
        settings: of the workspace.
        pushed: what git gives a pre-push hook to read: lines of local ref, its commit, remote ref, its commit.
        remote: what is pushed to, whose commits are there already; "": any remote.

    Raises:
        StorageError: git cannot say what the push carries.
    """
    top = Path(_git("rev-parse", "--show-toplevel").strip())
    names = {name for line in pushed if line.strip() for name in _files_of(line.split(), remote)}
    places = {settings.data.resolve(): "what the platform makes"}
    for source, folder in _private(settings):
        places[(settings.home / folder.expanduser()).resolve()] = f"the source {source.id!r} is private"
    found = []
    for path in sorted(top / name for name in names):
        reasons = [why for place, why in places.items() if path.is_relative_to(place)]
        reasons += ["it may hold a secret"] if _is_secret(path.name) else []
        found += [(str(path), reasons[0])] if reasons else []
    return found


def _files_of(line: Sequence[str], remote: str) -> Sequence[str]:
    """Return the files that the commits of one ref add or change and the remote has not."""
    _, local, _, there = line
    if not local.strip("0"):
        return ()  # a ref that is deleted
    known = ["--not", f"--remotes={remote}" if remote else "--remotes"]
    known += [there] if there.strip("0") and _is_here(there) else []
    listed = _git("log", "-m", "--name-only", "--no-renames", "--diff-filter=d", "-z", "--format=", local, *known)
    return [name for name in listed.split("\0") if name.strip()]


def _is_here(commit: str) -> bool:
    return not subprocess.run(["git", "cat-file", "-e", commit], capture_output=True, check=False).returncode  # noqa: S603, S607


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, check=True)  # noqa: S603, S607  no shell
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", b"") or str(error).encode()).decode(errors="replace").strip()
        raise StorageError(
            f"git {arguments[0]} failed: {said}; run this as the hook pre-push of a repository"
        ) from error
    return done.stdout.decode("utf-8", "surrogateescape")


def _private(settings: Settings) -> Iterator[tuple[SourceSettings, Path]]:
    """Yield the private sources that are folders or files, and where they lie."""
    for source in settings.sources:
        folder = getattr(source, "path", None)
        if source.private and isinstance(folder, Path):
            yield source, folder


def _in_git(place: Path) -> Iterator[Path]:
    """Yield the files below a folder (or the file) that are in the index of the repository around it."""
    folder, name = (place, ".") if place.is_dir() else (place.parent, place.name)
    try:
        command = ["git", "-C", str(folder), "ls-files", "-z", "--", name]
        listed = subprocess.run(command, capture_output=True, check=True).stdout  # noqa: S603  no shell
    except (OSError, subprocess.CalledProcessError):
        return  # no git here, or no repository: nothing can be committed
    yield from (folder / path for path in listed.decode("utf-8", "surrogateescape").split("\0") if path)


def _is_secret(name: str) -> bool:
    return any(fnmatch(name, secret) for secret in _SECRETS) and not any(fnmatch(name, one) for one in _HARMLESS)
