"""What a search asks for, as the address of the page says it: to read it there, and to write other addresses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Protocol, get_args
from urllib.parse import quote, urlencode

from rag_platform.config.settings import Mode
from rag_platform.core.hits import MATCHES, Filters, Match
from rag_platform.retrieval.retriever import Order

FACETS = ("collection", "source", "type", "language", "tag")
PAGE = 10
"""Hits on a page."""
PAGES = 10
"""More than so many pages nobody reads: a further filter helps better."""


YES = "yes"
"""Value of what is chosen or not."""


class Params(Protocol):
    """The query of an address."""

    def get(self, key: str, default: str, /) -> str: ...  # noqa: D102 - those of st.query_params

    def get_all(self, key: str) -> list[str]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class SearchParams:
    """A search, all of it."""

    question: str = ""
    mode: Mode = "rerank"
    order: Order = "relevance"
    page: int = 1
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Values of each facet."""
    since: date | None = None
    until: date | None = None
    """The last day, that day included."""
    archived: bool = False
    """What is archived by its age, in place of the rest."""
    match: Match = "any"
    default: Mode = "rerank"
    """The way that an address need not name."""
    default_match: Match = "any"
    """Likewise."""

    @classmethod
    def of(cls, params: Params, question: str, mode: Mode, match: Match = "any") -> "SearchParams":
        """Read a search from an address; what cannot be meant there is as if it were not there.

        `question` is the box's text; `mode` and `match` count where the address names none.
        """
        named, matched, page = params.get("mode", ""), params.get("match", ""), params.get("page", "")
        return cls(
            question=question.strip(),
            mode=next((one for one in get_args(Mode) if one == named), mode),
            match=next((one for one in MATCHES if one == matched), match),
            order="date" if params.get("sort", "") == "date" else "relevance",
            page=min(max(int(page), 1), PAGES) if page.isascii() and page.isdigit() else 1,
            chosen={facet: values for facet in FACETS if (values := _values(params, facet))},
            since=_day(params.get("since", "")),
            until=_day(params.get("until", "")),
            archived=params.get("archived", "") == YES,
            default=mode,
            default_match=match,
        )

    @property
    def shown(self) -> tuple[int, int]:
        """The ranks of the first and the last hit on its page."""
        return (self.page - 1) * PAGE + 1, self.page * PAGE

    @property
    def narrowed(self) -> list[tuple[str, str]]:
        """Every choice: facet, limit of the date or "archived", and value."""
        dates = [(name, day.isoformat()) for name in ("since", "until") if (day := getattr(self, name))]
        archived = [("archived", YES)] if self.archived else []
        return [(facet, value) for facet, values in self.chosen.items() for value in values] + dates + archived

    def filters(self, principals: Sequence[str]) -> Filters:
        """Return what the search is narrowed to, for who may read as these principals."""
        chosen: dict[str, Any] = {f"{facet}s": values for facet, values in self.chosen.items()}
        return Filters(
            **chosen,
            since=_midnight(self.since) if self.since else None,
            until=_midnight(self.until) + timedelta(days=1) if self.until else None,
            match=self.match,
            archived=self.archived,
            principals=tuple(principals),
        )

    def toggled(self, facet: str, value: str) -> "SearchParams":
        """Return the search with a choice more, or without it if it was made; on its first page."""
        if facet == "archived":
            return replace(self, archived=not self.archived, page=1)
        if facet in ("since", "until"):
            day = _day(value)
            if facet == "since":
                return replace(self, since=None if self.since == day else day, page=1)
            return replace(self, until=None if self.until == day else day, page=1)
        had = self.chosen.get(facet, ())
        values = tuple(one for one in had if one != value) if value in had else (*had, value)
        chosen = {name: values if name == facet else self.chosen.get(name, ()) for name in FACETS}
        return replace(self, chosen={name: some for name, some in chosen.items() if some}, page=1)

    def params(self) -> list[tuple[str, str]]:
        """Return the query that says the same, without what goes without saying."""
        said = [("q", self.question), ("mode", "" if self.mode == self.default else self.mode)]
        said += [("match", "" if self.match == self.default_match else self.match)]
        said += [("sort", "date" if self.order == "date" else ""), *self.narrowed]
        said += [("page", str(self.page) if self.page > 1 else "")]
        return [(name, value) for name, value in said if value]

    def address(self, **changes: Any) -> str:
        """Return the address of this search, or of one that differs in that."""
        return "search?" + urlencode(replace(self, **changes).params(), quote_via=quote)


def _values(params: Params, facet: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in params.get_all(facet) if value))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def periods(today: date) -> dict[str, date]:
    """Return the first day of the periods that people choose from, by name."""
    return {name: today - timedelta(days=days) for name, days in (("week", 7), ("month", 30), ("year", 365))}
