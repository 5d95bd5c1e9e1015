"""What a store's server answers, in JSON."""

import json
from typing import Any

from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Gone
from rag_platform.sources.http.fetcher import Fetcher
from rag_platform.sources.stores.stored_records import Opening


def ask(opening: Opening, url: str, wanted: str | None = None) -> Any:
    """Return what a server says at an address; `wanted` is posted.

    Raises:
        SourceError: it could not be asked, or said nothing in JSON.
    """
    headers = {name: _expanded(opening, name) for name in opening.settings.headers}
    method, content = ("GET", b"") if wanted is None else ("POST", wanted.encode())
    try:
        answer = Fetcher(opening.settings.fetch).request(
            method, url, content, {"content-type": "application/json", **headers}
        )
        opening.taken.add(len(answer.content))
        return json.loads(answer.content)
    except (FetchError, Gone, ValueError) as error:
        raise opening.failed(f"{url}: {error}") from error


def _expanded(opening: Opening, name: str) -> str:
    return opening.variables.expand(opening.settings.headers[name], f"sources[{opening.settings.id}].headers.{name}")
