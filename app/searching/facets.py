"""The filters of a search, each choice with the documents that it leaves -> HTML."""

from collections.abc import Mapping
from datetime import date, datetime
from html import escape
from typing import get_args

from app.searching.params import FACETS, YES, SearchParams, periods
from app.searching.results import choice_name, filter_name
from app.texts import say, say_html
from rag_platform.config.settings import Mode
from rag_platform.core.hits import MATCHES
from rag_platform.retrieval.facets import Facets

SHOWN = 7
"""Choices of a facet that are seen at once."""


def facets_html(query: SearchParams, found: Facets, today: date, *, archives: bool) -> str:
    """Render the filters; `archives`: some documents may be archived by their age."""
    number = f" ({len(query.narrowed)})" if query.narrowed else ""
    groups = [_modes(query), _matches(query), *(_facet(query, facet, found.counts.get(facet, {})) for facet in FACETS)]
    groups.append(_dates(query, {moment.date(): count for moment, count in found.since.items()}, today))
    groups.append(_archived(query) if archives or query.archived else "")
    return (
        f'<details class="facets"><summary>{say_html("search-filters")}{number}</summary>'
        f'<div class="groups">{"".join(groups)}</div></details>'
    )


def _modes(query: SearchParams) -> str:
    """Render the search modes: one of them is always chosen."""
    choices = [
        _item(query.address(mode=mode, page=1), say(f"search-mode-{mode}"), "", say("search-mode-help", mode=mode), on)
        for mode in get_args(Mode)[::-1]
        for on in (query.mode == mode,)
    ]
    return _section(say_html("search-mode"), choices)


def _matches(query: SearchParams) -> str:
    """Render how much of the question must be held: one choice is always made."""
    choices = [
        _item(query.address(match=one, page=1), say(f"search-match-{one}"), "", say("search-match-help", match=one), on)
        for one in MATCHES
        for on in (query.match == one,)
    ]
    return _section(say_html("search-match"), choices)


def _facet(query: SearchParams, facet: str, counts: Mapping[str, int]) -> str:
    chosen = query.chosen.get(facet, ())
    values = {value: counts.get(value, 0) for value in chosen} | dict(counts)
    if not values:
        return ""
    choices = [
        _choice(query, facet, value, choice_name(facet, value), count, on=value in chosen)
        for value, count in values.items()
    ]
    shown = max(SHOWN, len(chosen))
    return _section(say_html(f"search-facet-{facet}"), choices[:shown], _collapsed(choices[shown:]))


def _collapsed(more: list[str]) -> str:
    if not more:
        return ""
    label = say_html("search-more-choices", count=len(more))
    return f"<details><summary>{label}</summary><ul>{''.join(more)}</ul></details>"


def _section(title: str, choices: list[str], after: str = "") -> str:
    return f"<section><h2>{title}</h2><ul>{''.join(choices)}</ul>{after}</section>"


def _choice(query: SearchParams, facet: str, value: str, text: str, count: int, *, on: bool) -> str:
    title = say("search-remove") if on else filter_name(facet, value)
    return _item(query.toggled(facet, value).address(), text, f"{count:,}", title, on)


def _item(address: str, text: str, count: str, title: str, on: bool) -> str:
    current = ' aria-current="true"' if on else ""
    return (
        f'<li><a href="{escape(address, quote=True)}" target="_self" title="{escape(title, quote=True)}"{current}>'
        f"<bdi>{escape(text)}</bdi> <b>{count}</b></a></li>"
    )


def _dates(query: SearchParams, since: Mapping[date, int], today: date) -> str:
    days = {day.isoformat(): (name, since.get(day, 0), query.since == day) for name, day in periods(today).items()}
    choices = [
        _choice(query, "since", day, say(f"search-past-{name}"), count, on=on)
        for day, (name, count, on) in days.items()
        if count or on
    ]
    return _section(say_html("search-facet-since"), choices, _form(query))


def _archived(query: SearchParams) -> str:
    """Render the choice of what is archived; how much that is, only a search of its own would tell."""
    address, title = query.toggled("archived", YES).address(), say("search-archived-help")
    return _section(say_html("search-age"), [_item(address, say("search-archived"), "", title, query.archived)])


def _form(query: SearchParams) -> str:
    """Render the two limits; the form is sent as a query, which is the address of the narrowed search."""
    others = [one for one in query.params() if one[0] not in ("since", "until", "page")]
    hidden = "".join(
        f'<input type="hidden" name="{escape(name, quote=True)}" value="{escape(value, quote=True)}">'
        for name, value in others
    )
    dates = "".join(
        f'<label>{say_html(key)} <input type="date" name="{name}" value="{day.isoformat() if day else ""}"></label>'
        for name, key, day in (("since", "search-from", query.since), ("until", "search-to", query.until))
    )
    return f'<form action="search" method="get">{hidden}{dates}<button>{say_html("search-set")}</button></form>'


def midnights(today: date) -> list[datetime]:
    """Return the moments at which the periods begin."""
    return [midnight for day in periods(today).values() if (midnight := SearchParams(since=day).filters(()).since)]
