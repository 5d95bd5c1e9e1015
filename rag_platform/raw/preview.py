"""What a source would read, before it is added: its real listing, by a process of its own, and nothing is kept.

The process gets the source's table and its passwords on standard input and none of our variables; it is killed when its
time is up. It obeys the same rules of egress as a sync.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import psutil

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import Settings
from rag_platform.config.settings_file import load_settings, settings_from
from rag_platform.config.source_kinds import Context, kind_of, open_source
from rag_platform.core.errors import message_of
from rag_platform.core.ports import Item, Listing

SECONDS = 25.0
"""After which a preview is given up."""
MOST = 12
"""Items that are named."""
VISITED = 25
"""Most pages that a crawl or a portal visits for a preview."""
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR")
_TITLE = re.compile(rb"<title[^>]*>([^<]+)|^# +(.+)$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a listing named."""

    items: tuple[tuple[str, str | None], ...] = ()
    """(address, title) of the first."""
    count: int = 0
    cut: bool = False
    """There may be more: a preview visits only the first pages."""
    failed: tuple[tuple[str, str], ...] = ()
    """(address, reason)."""
    warnings: tuple[str, ...] = ()
    """What is to be thought of before it is added, such as a role that may write."""
    error: str | None = None
    """Why there is nothing."""
    seconds: float = 0.0


class PreviewProcess:
    """A preview that is being made."""

    def __init__(
        self, home: Path, table: Mapping[str, Any], secrets: Mapping[str, str] | None = None, seconds: float = SECONDS
    ) -> None:
        """Begin it and return at once.

        Args:
            home: the workspace's folder.
            table: the source, as it would stand in rag.toml.
            secrets: what ``${secret:NAME}`` in it stands for; nothing else is known to the preview.
            seconds: after which it is given up.
        """
        self.began = time.monotonic()
        self._seconds = seconds
        self._answer = tempfile.TemporaryFile()  # noqa: SIM115 - it outlives this call, and goes with the object
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=self._answer,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).resolve().parents[2],
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        )
        request = {"home": str(home), "table": dict(table), "secrets": dict(secrets or {}), "seconds": seconds}
        pipe = self._process.stdin
        if pipe is not None:
            with suppress(BrokenPipeError), pipe:
                pipe.write(json.dumps(request).encode())

    def result(self) -> Preview | None:
        """Return what came of it, once; None: it goes on."""
        spent = time.monotonic() - self.began
        if self._process.poll() is None and spent < self._seconds:
            return None
        late = self._process.poll() is None
        self.end()
        with self._answer as answer:
            answer.seek(0)
            content = answer.read()
        try:
            return _read(json.loads(content))
        except ValueError:
            why = f"nothing came within {self._seconds:.0f} seconds" if late else "the preview ended without an answer"
            return Preview(error=f"{why}; the source may answer slowly, or lists very much", seconds=spent)

    def wait(self) -> Preview:
        """Wait for it."""
        while (found := self.result()) is None:
            time.sleep(0.05)
        return found

    def end(self) -> None:
        """Give it up."""
        with suppress(psutil.NoSuchProcess):
            for started in psutil.Process(self._process.pid).children(recursive=True):  # such as a browser
                with suppress(psutil.NoSuchProcess):
                    started.kill()
        self._process.kill()
        self._process.wait()


def _read(summary: Mapping[str, Any]) -> Preview:
    pairs = {name: tuple(tuple(pair) for pair in summary[name]) for name in ("items", "failed")}
    return Preview(**{**summary, **pairs, "warnings": tuple(summary.get("warnings", ()))})


@dataclass(frozen=True, slots=True)
class _SecretsInMemory:
    """Secrets that came with the request, and a place for cookies that goes with the process."""

    values: dict[str, str]
    place: str = "this preview"

    def get(self, name: str) -> str | None:
        return self.values.get(name)

    def put(self, name: str, value: str) -> None:
        self.values[name] = value

    def delete(self, name: str) -> bool:
        return self.values.pop(name, None) is not None

    def names(self) -> list[str]:
        return sorted(self.values)


def _main() -> None:
    request = json.load(sys.stdin)
    alarm = threading.Timer(request["seconds"] + 5, os._exit, [1])  # if the process that waits has gone
    alarm.daemon = True
    alarm.start()
    began = time.monotonic()
    try:
        summary = _list(Path(request["home"]), request["table"], request["secrets"])
    except Exception as error:  # noqa: BLE001 - whatever a source raises, somebody waits for the reason
        summary = {"items": [], "count": 0, "cut": False, "failed": [], "error": message_of(error)}
    json.dump(summary | {"seconds": round(time.monotonic() - began, 2)}, sys.stdout)


def _list(home: Path, table: dict[str, Any], secrets: dict[str, str]) -> dict[str, Any]:
    settings = _settings_of(home, table)
    source = _limited(settings.sources[0], table)
    context = Context(home, secrets=_SecretsInMemory(secrets), sessions=_SecretsInMemory({}), browser=settings.browser)
    opened = open_source(source, context)
    listing = opened.list()
    warned = list(getattr(opened, "warnings", list)())
    return _summary(listing, limit=getattr(source, "limit", None)) | {"warnings": warned}


def _settings_of(home: Path, table: dict[str, Any]) -> Settings:
    """Read the source as if it were the only one, with the workspace's own [fetch] and [browser]."""
    known = load_settings(home)
    given = {**table, "model": None} if table.get("model") else table
    fetch = known.fetch.model_dump(mode="json")
    if "fetch" in kind_of(table["kind"]).settings.model_fields:
        given = {**given, "fetch": {**fetch, **table.get("fetch", {})}}
    alone = settings_from("", home)
    return alone.model_copy(update={"sources": (kind_of(table["kind"]).settings(**given),), "browser": known.browser})


def _limited(source: SourceSettings, table: Mapping[str, Any]) -> SourceSettings:
    """Let a source that has to visit pages to find others visit few of them."""
    limit = getattr(source, "limit", None)
    visits = source.kind == "portal" or bool(table.get("crawl"))
    return source.model_copy(update={"limit": min(limit, VISITED)}) if visits and limit is not None else source


def _summary(listing: Listing, limit: int | None) -> dict[str, Any]:
    count = len(listing.items)
    return {
        "items": [(item.uri, _title(item)) for item in islice(listing.items, MOST)],
        "count": count,
        "cut": limit is not None and count >= limit,
        "failed": [tuple(pair) for pair in listing.failed[:MOST]],
        "error": None,
    }


def _title(item: Item) -> str | None:
    named = item.metadata.get("title")
    if not named and item.content and (found := _TITLE.search(item.content[:4000])):
        named = (found[1] or found[2]).decode("utf-8", "replace").strip()
    return named[:300] if named else None


if __name__ == "__main__":
    _main()
