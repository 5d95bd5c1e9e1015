"""Long lists, a page at a time: a cursor says after what the next one begins, so that nothing is told twice.

The next page is named by the header `Link` (RFC 8288) and by `next` in the document.
"""

import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from rag_platform.api.problems import Problem, reply
from rag_platform.index.catalog.catalog import Address

MOST = 1000
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is asked for."""

    request: Request
    limit: int
    after: list[str] | None
    """The key of the last one of the page before; None: the first page is asked for."""

    @property
    def address(self) -> Address | None:
        """The key, as the address of a document."""
        return None if self.after is None else address_of(self.after)

    def of(self, rows: Iterable[_T], key: Callable[[_T], tuple[str, ...]], *, descending: bool = False) -> list[_T]:
        """Return the rows of the page, and one more if there are further ones, in the order of their keys."""
        ordered = sorted(rows, key=key, reverse=descending)
        if self.after is not None:
            after = tuple(self.after)
            ordered = [row for row in ordered if (key(row) < after if descending else key(row) > after)]
        return ordered[: self.limit + 1]

    def reply(self, name: str, rows: list[Any], key: Callable[[Any], tuple[str, ...]], shown: Any = None) -> Response:
        """Answer with the rows that `of` returned, under a name; `shown` makes the document of a row."""
        page, more = rows[: self.limit], len(rows) > self.limit
        after = cursor_of(key(page[-1])) if more else None
        document = {name: [shown(row) if shown else row for row in page], "next": after}
        headers = {}
        if after:
            url = self.request.url.include_query_params(cursor=after)
            headers["link"] = f'<{url.path}?{url.query}>; rel="next"'
        return reply(document, headers=headers)


def _page(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=MOST, description="Most entries of a page.")] = 100,
    cursor: Annotated[str | None, Query(description="`next` of the page before.")] = None,
) -> Page:
    return Page(request, limit, None if cursor is None else key_of(cursor))


AskedPage = Annotated[Page, Depends(_page)]
"""Which part of a list is asked for."""


def cursor_of(key: tuple[str, ...]) -> str:
    """Return the cursor after a key."""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def key_of(cursor: str) -> list[str]:
    """Return the key of a cursor; `Problem` 400 when it is none."""
    try:
        key = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, RecursionError):
        key = None
    if not isinstance(key, list) or not all(isinstance(part, str) for part in key):
        raise Problem(400, f"cursor = {cursor!r}", "`next` of the page before", "Begin again without a cursor.")
    return key


def address_of(key: list[str]) -> Address:
    """Return a key as the address of a document; one that nobody was given has empty parts."""
    source, uri, doc_id = [*key, "", "", ""][:3]
    return source, uri, doc_id
