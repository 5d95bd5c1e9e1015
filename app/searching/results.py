"""What a search found, and how it can be narrowed -> HTML: one piece, so that it changes at once."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Any, get_args

from app.rendering import (
    FIND,
    also_html,
    ask_about_html,
    compare_html,
    day_and_age,
    excerpt,
    link,
    marked,
    notes_html,
    place,
    tags_html,
)
from app.searching.params import PAGE, PAGES, SearchParams
from app.searching.reasons import rank_html
from app.texts import say, say_html
from rag_platform.config.sections.sources import NO_COLLECTION
from rag_platform.core.hits import Hit
from rag_platform.retrieval.explain.outcomes import all_ranks
from rag_platform.retrieval.query.parsing import interpretation_phrases
from rag_platform.retrieval.results import SearchResult
from rag_platform.retrieval.retriever import Order
from rag_platform.text.snippets import matches

SHOWN_TAGS = 6


class Results:
    """The parts of the list of results, for one search."""

    def __init__(self, query: SearchParams, now: datetime) -> None:
        self._query = query
        self._now = now

    def html(self, result: SearchResult, documents: int, note: str) -> str:
        """Render the hits of its page; `documents` are those that were found, `note` is HTML about the order."""
        first, last = self._query.shown
        hits = [self._hit(hit, result) for hit in _by_document(result.hits[first - 1 : last])]
        said = self.bar(documents, result, note) + self.chips() + self._notes(result)
        pages = self._pages(len(result.hits))
        return (
            f'{said}<ol class="hits" start="{first}" aria-label="{_word("search-results")}">{"".join(hits)}</ol>{pages}'
        )

    def bar(self, documents: int, result: SearchResult, note: str) -> str:
        """Render what was found, and the choice of its order."""
        key = "search-newest-note" if self._query.order == "date" else "search-found"
        if key == "search-found" and result.trace and not result.trace.candidates.trace.exhausted:
            key = "search-found-best"
        took = say_html("search-took", ms=round(result.took_ms["total"]))
        summary = f"{say_html(key, documents=documents)} · {took}{' · ' if note else ''}{note}"
        first, last = self._query.shown
        way = ask_about_html(say("search-ask-these"), documents=_listed(result.hits[first - 1 : last]))
        said = [(FIND if name == "q" else name, value) for name, value in self._query.params() if name != "page"]
        way += f" {compare_html(say('grids-compare'), said)}"
        return self._bar(summary, f'<nav aria-label="{_word("search-ask-these")}">{way}</nav>')

    def _bar(self, summary: str, about: str = "") -> str:
        links = [
            self._link(say(f"search-sort-{order}"), {"order": order, "page": 1}, on=self._query.order == order)
            for order in get_args(Order)
        ]
        switch = f'<nav class="switch" aria-label="{_word("search-sort")}">{"".join(links)}</nav>'
        return f'<div class="bar"><p class="quiet" role="status">{summary}</p>{about}{switch}</div>'

    def _link(self, text: str, changes: dict[str, Any], *, on: bool, title: str = "") -> str:
        current = ' aria-current="true"' if on else ""
        tooltip = f' title="{escape(title, quote=True)}"' if title else ""
        return f'<a href="{self._address(**changes)}" target="_self"{current}{tooltip}>{escape(text)}</a>'

    def _address(self, **changes: Any) -> str:
        return escape(self._query.address(**changes), quote=True)

    def chips(self) -> str:
        """Render the filters that are set, each with the way to be rid of it."""
        if not self._query.narrowed:
            return ""
        chips = [
            f'<li><a class="chip" href="{escape(self._query.toggled(*one).address(), quote=True)}" '
            f'target="_self" title="{_word("search-remove")}"><bdi>{escape(filter_name(*one))}</bdi> '
            "<span>×</span></a></li>"
            for one in self._query.narrowed
        ]
        clear = f'<li><a href="{self._address(**_CLEARED)}" target="_self">{_word("search-remove-all")}</a></li>'
        return f'<ul class="chips">{"".join(chips)}{clear}</ul>'

    def _notes(self, result: SearchResult) -> str:
        said = notes_html(result.warnings) if result.warnings else ""
        if result.understood:
            interpretation = " · ".join([result.understood["text"], *interpretation_phrases(result.understood)])
            said += f'<p class="quiet">{say_html("search-understood", query=interpretation)}</p>'
        if result.nothing_relevant:
            said += notes_html([say("search-nearest")])
        return said

    def _hit(self, hit: Hit, result: SearchResult) -> str:
        address = escape(link(place(hit.doc_id, hit.span, hit.revision)), quote=True)
        shown = excerpt(hit.snippet)
        also = tags_html(hit.tags[:SHOWN_TAGS]) + also_html(hit)
        also += notes_html([say("search-instructs")]) if hit.instructs else ""
        ranks = all_ranks(result.trace, int(hit.chunk_id, 16)) if result.trace else {}
        why = f"<details><summary>{_word('search-why')}</summary>{rank_html(hit, ranks)}</details>"
        return (
            f'<li class="hit"><a class="open" href="{address}" target="_self">{escape(hit.title or hit.uri)}</a>'
            f'<div class="facts">{escape(" · ".join(self._facts(hit)))}</div>'
            f'<p class="snippet">{marked(shown, matches(shown, result.question))}</p>{also}{why}</li>'
        )

    def _facts(self, hit: Hit) -> list[str]:
        facts = [hit.section if hit.section != hit.title else "", hit.source, hit.type]
        if hit.published_at:
            facts.append(day_and_age(hit.published_at, self._now))
        facts.append(say("search-page-of", page=page) if (page := hit.snippet_page) else "")
        return [fact for fact in facts if fact]

    def _pages(self, found: int) -> str:
        """Render the ways to the other pages; `found` hits are known, one more than fit if there are more."""
        page, more = self._query.page, found > self._query.page * PAGE
        if page == 1 and not more:
            return ""
        links = [self._link(say("search-previous"), {"page": page - 1}, on=False)] if page > 1 else []
        links += [
            self._link(str(n), {"page": n}, on=n == page, title=say("search-page", page=n))
            for n in range(1, page + 1 + (more and page < PAGES))
        ]
        links += [self._link(say("search-next"), {"page": page + 1}, on=False)] if more and page < PAGES else []
        last = f'<p class="quiet">{say_html("search-last", count=PAGE * PAGES)}</p>' if more and page == PAGES else ""
        return f'<nav class="switch pages" aria-label="{_word("search-pages")}">{"".join(links)}</nav>{last}'

    def nothing(self, result: SearchResult, without: dict[str, int]) -> str:
        """Render what to try; `without` tells of each filter that is set how many documents answer without it."""
        heading = _word("search-nothing-relevant" if result.nothing_relevant else "search-nothing")
        tries = [self._without(facet, count) for facet, count in without.items() if count]
        if self._query.narrowed and not tries:
            tries.append(say("search-try-clear", address=self._address(**_CLEARED)))
        if self._query.mode == "lexical":
            tries.append(say("search-try-meaning", address=self._address(mode="rerank", page=1)))
        if self._query.match != "any":
            tries.append(say("search-try-match", address=self._address(match="any", page=1)))
        tries.append(say_html("search-try-spelling"))
        listed = "".join(f"<li>{one}</li>" for one in tries)
        said = self._bar("") + self.chips() + self._notes(result)
        return f'{said}<div class="empty"><h3>{heading}</h3><ul>{listed}</ul></div>'

    def _without(self, facet: str, documents: int) -> str:
        values = [value for name, value in self._query.narrowed if name == facet]
        cleared = {facet: _CLEARED[facet]} if facet in _CLEARED else {"chosen": _but(self._query, facet)}
        named = escape(", ".join(filter_name(facet, value) for value in values))
        return say("search-try-without", filter=named, documents=documents, address=self._address(**cleared, page=1))


def _listed(hits: Sequence[Hit]) -> list[str]:
    return [*dict.fromkeys(hit.doc_id for hit in hits)]


def _by_document(hits: Sequence[Hit]) -> list[Hit]:
    """Put what follows of a document behind its first hit."""
    first = {hit.doc_id: place for place, hit in reversed([*enumerate(hits)])}
    return sorted(hits, key=lambda hit: first[hit.doc_id])


_CLEARED: dict[str, Any] = {"chosen": {}, "since": None, "until": None, "archived": False, "page": 1}


def _but(query: SearchParams, facet: str) -> dict[str, tuple[str, ...]]:
    return {name: values for name, values in query.chosen.items() if name != facet}


def filter_name(facet: str, value: str) -> str:
    """Name a filter as one says it."""
    if facet == "archived":
        return say("search-archived")
    if facet in ("since", "until"):
        return say(f"search-limit-{facet}", value=value)
    return say("search-choice", facet=say(f"search-facet-{facet}").partition(",")[0], value=choice_name(facet, value))


def choice_name(facet: str, value: str) -> str:
    """Name what can be chosen; documents in no collection have one that nobody named."""
    return say("search-no-collection") if (facet, value) == ("collection", NO_COLLECTION) else value


def _word(key: str) -> str:
    return say_html(key)
