"""Finding Chromium and starting it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag_platform.config.sections.sources import BrowserSettings
from rag_platform.core.errors import FetchError, MissingExtra
from rag_platform.sources.browser.egress import Egress

if TYPE_CHECKING:
    import playwright.sync_api as playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
FLAGS = (
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # no way around the proxy
)
HANDED_DOWN = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""Variables that Chromium gets; others may hold secrets."""


def find_chromium(settings: BrowserSettings) -> str:
    """Return the path of the browser to start."""
    if settings.executable:
        path = settings.executable.expanduser()
        if not os.access(path, os.X_OK):
            raise FetchError(f"[browser] executable = {str(path)!r} is no program that can be started")
        return str(path)
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise FetchError(
            "no Chromium was found; install one (on Debian: apt-get install chromium), or name another with "
            "executable in [browser]"
        )
    return found


@contextmanager
def started(settings: BrowserSettings, egress: Egress) -> Iterator["playwright.Browser"]:
    """Start Chromium, while the block lasts; its only way out is the proxy.

    Raises:
        MissingExtra: Playwright is not installed.
        FetchError: there is no Chromium, or it does not start.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError as error:
        raise MissingExtra("playwright", "browser", "reading pages with a browser") from error
    path = find_chromium(settings)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as driver:
        try:
            chromium = driver.chromium.launch(
                executable_path=path,
                args=[*FLAGS, *([] if settings.sandbox and not root else ["--no-sandbox"])],
                proxy={"server": egress.address, "bypass": "<-loopback>"},  # loopback goes through it as well
                env={name: os.environ[name] for name in HANDED_DOWN if name in os.environ},
            )
        except Error as error:
            first = str(error).strip().split("\n", 1)[0]
            raise FetchError(
                f"{path} did not start: {first}; in a container without user namespaces, set sandbox = false in "
                "[browser]"
            ) from None
        with chromium:
            yield chromium
