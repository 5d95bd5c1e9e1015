"""Keeps what is not for everyone out of git: private corpora, what the platform makes, secrets."""

import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from rag_platform.config.settings import Settings

_SECRETS = (".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "id_rsa", "id_ed25519", "credentials.json")
_HARMLESS = ("*.example", "*.sample", "*.template")


def unguarded(settings: Settings) -> list[tuple[str, str]]:
    """Return (path, why it must not be there) of the files in git's index: tracked, or staged to become so."""
    found = dict.fromkeys(_in_git(settings.data), "what the platform makes")
    for source in settings.sources:
        folder = getattr(source, "path", None)
        if source.private and isinstance(folder, Path):
            place = settings.home / folder.expanduser()
            found |= dict.fromkeys(_in_git(place), f"the source {source.id!r} is private")
    found |= {path: "it may hold a secret" for path in _in_git(settings.home) if _is_secret(path.name)}
    return [(str(path), why) for path, why in sorted(found.items())]


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
