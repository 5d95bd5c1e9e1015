"""A question to what is searched for: its wanted half, required phrases, filters, what is excluded, spelling.

What somebody types as a sign (quotes, `*part*`, `source:x`, `-word`) is obeyed. What is guessed (a misspelled word, an
exclusion in plain words) only adds to what is searched for, or lowers what is not meant. Filters of a question only
ever narrow those of its asker, and nothing is recognised or proposed that the asker may not read.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters, Match
from rag_platform.index.catalog.attributes import LABELS
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.query import exclusions
from rag_platform.retrieval.query.literal import Literal
from rag_platform.retrieval.query.scope import narrowed, scoped
from rag_platform.retrieval.query.spelling import corrections
from rag_platform.retrieval.query.syntax import Sign, last_sign, moment, signs
from rag_platform.text.analysis import plain, question_terms, word_runs

_FACETS = {name: name for name in (*LABELS, "tag")} | {"lang": "language"}
Readable = Callable[[Filters], np.ndarray | None]
_ENDS = frozenset("?.!？。؟।")
"""With one of these a sentence ends."""
_AROUND = "".join(_ENDS) + " \"'“”„«»"
"""What stands around a text rather than in it."""
_SHORTEST_PART = 2
"""Characters: a single one is in nearly every text."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a question was understood as."""

    original: str
    """The question as it was given, without what it says of where it is to be answered from."""
    text: str
    """What is embedded, reranked by and looked for in snippets: the wanted part, without signs."""
    words: str
    """What is searched for lexically: the text, and corrected words beside it."""
    filters: Filters
    """The asker's filters, narrowed by those of the question."""
    phrases: tuple[str, ...] = ()
    """A chunk must have each of them, its words in a row."""
    literals: tuple[Literal, ...] = ()
    """A chunk must hold each of them, as it is written."""
    every: str = ""
    """A chunk must hold all its words, in any form."""
    missing: tuple[str, ...] = ()
    """Phrases, and parts of words, that no chunk holds; they are not required."""
    excluded: tuple[str, ...] = ()
    """Words and phrases that a chunk may not have."""
    excluded_filters: tuple[tuple[str, str], ...] = ()
    """Facets and their values, such as ("source", "wiki"), whose documents are left out."""
    given: tuple[tuple[str, str], ...] = ()
    """Fields and their values that the question itself named."""
    unwanted: tuple[str, ...] = ()
    """What the question excludes in plain words, each by itself; candidates near to one are lowered."""
    corrections: tuple[tuple[str, str], ...] = ()
    """Words that no chunk holds, each with a near word that is searched for as well."""

    def interpretation(self) -> dict[str, Any]:
        """Return what differs from the plain question, for people to read; empty when nothing does."""
        found: dict[str, Any] = {
            "phrases": list(self.phrases),
            "every": self.every,
            "exact": [literal.text for literal in self.literals if literal.whole],
            "parts": [literal.text for literal in self.literals if not literal.whole],
            "missing": list(self.missing),
            "excluded": list(self.excluded),
            "unwanted": list(self.unwanted),
            "filters": [f"{field}:{value}" for field, value in self.given],
            "excluded_filters": [f"{field}:{value}" for field, value in self.excluded_filters],
            "corrections": dict(self.corrections),
        }
        found = {name: value for name, value in found.items() if value}
        return {"text": self.text, **found} if found else {}

    def narrow(self, index: OpenVersion, allowed: np.ndarray | None) -> np.ndarray | None:
        """Return those of the allowed keys (None: all) that hold the phrases and nothing that is excluded."""
        statistics = index.view(self.filters.principals).statistics
        for phrase in self.phrases:
            held = index.lexical.holding(phrase, statistics)
            allowed = held if allowed is None else np.intersect1d(allowed, held)
        all_words = index.lexical.holding_all(self.every, statistics) if self.every else None
        if all_words is not None:
            allowed = all_words if allowed is None else np.intersect1d(allowed, all_words)
        for literal in self.literals:
            allowed = literal.held(index, statistics, allowed)
        if not self.excluded and not self.excluded_filters:
            return allowed
        every = index.catalog.keys if allowed is None else allowed
        refused = [index.lexical.holding(words, statistics) for words in self.excluded]
        for field, value in self.excluded_filters:
            keys = index.catalog.allowed(self._of(field, value))
            refused.append(every if keys is None else keys)
        return np.setdiff1d(every, np.concatenate(refused))

    def _of(self, field: str, value: str) -> Filters:
        return _narrowed(Filters(principals=self.filters.principals), field, value)


def understand(
    question: str,
    index: OpenVersion,
    filters: Filters,
    settings: RetrievalSettings,
    readable: Readable,
    known: Callable[[str], bool] = lambda _: False,
) -> Query:
    """Return what a question asks of a version; any text is understood, if only as its words.

    `readable` gives the keys of the chunks that pass filters and that the asker may read; None means all. `known` says
    whether a word that no chunk has is a word all the same.
    """
    scope = scoped(question, index, filters)
    query = Query(scope.text, scope.text, scope.text, scope.filters, given=scope.named)
    if settings.syntax:
        query = _obey(query, index, readable)
    query = _completed(_matching(query, filters.match or settings.match), index, readable)
    if settings.exclusions and not query.excluded and not query.literals:
        wanted, unwanted = exclusions.split(query.text)
        query = replace(query, text=wanted, words=wanted, unwanted=unwanted)
    if settings.spelling and not query.literals:
        statistics = index.view(filters.principals).statistics
        found = corrections(query.text, index.lexical, statistics, readable(query.filters), known)
        query = replace(query, words=" ".join([query.text, *found.values()]), corrections=tuple(found.items()))
    return query


def _matching(query: Query, match: Match) -> Query:
    """Require of the chunks what `match` says that they must hold of the question."""
    text = query.text.strip(_AROUND)
    if match == "any" or not any(map(str.isalnum, text)):
        return query
    if match == "all":
        return replace(query, every=query.text)
    literal = Literal(text, whole=match == "exact")
    return replace(query, text=text if literal.whole else "", literals=(*query.literals, literal))


def _completed(query: Query, index: OpenVersion, readable: Readable) -> Query:
    """Put in the place of each part of a word the commonest word that holds it: whole words have a meaning."""
    parts = [literal.text for literal in query.literals if not literal.whole]
    if not parts:
        return query
    text = " ".join(filter(None, [query.text, *(_completion(part, index, query.filters, readable) for part in parts)]))
    return replace(query, text=text, words=text)


def _completion(part: str, index: OpenVersion, filters: Filters, readable: Readable) -> str:
    found = word_runs(part)
    if [plain(part)] != found:  # it is more than one word, or has signs
        return part
    statistics = index.view(filters.principals).statistics
    return index.lexical.commonest(index.lexical.words(found[0], statistics), statistics, readable(filters)) or part


def _obey(query: Query, index: OpenVersion, readable: Readable) -> Query:
    """Take the signs out of a question; what only looks like a sign stays a part of its words."""
    principals = query.filters.principals
    mean = partial(_meaning, index=index, principals=principals, readable=readable)
    sentence = last_sign(query.original) in _ENDS
    read = [(sign, mean(sign, mentioned=sentence)) for sign in signs(query.original)]
    taken = [(sign, found) for sign, found in read if found]
    if not taken:
        return query
    fields = [found for sign, found in taken if sign.field and not sign.excludes]
    filters = _with_fields(query.filters, fields)
    phrases = tuple(sign.text for sign, _ in taken if not (sign.field or sign.excludes or sign.part))
    statistics, among = index.view(principals).statistics, readable(filters)
    missing = tuple(phrase for phrase in phrases if not index.lexical.stands(phrase, statistics, among))
    parts = [Literal(sign.text) for sign, _ in taken if sign.part]
    held = {part.text: len(part.held(index, statistics, among)) > 0 for part in parts}
    without = _without(query.original, [replace(sign, text="") if held.get(sign.text) else sign for sign, _ in taken])
    text = without if any(map(str.isalnum, without)) else "" if any(held.values()) else query.original
    return replace(
        query,
        text=text,
        words=text,
        filters=filters,
        phrases=tuple(phrase for phrase in phrases if phrase not in missing),
        literals=tuple(part for part in parts if held[part.text]),
        missing=(*missing, *(text for text, stands in held.items() if not stands)),
        excluded=tuple(sign.text for sign, _ in taken if not sign.field and sign.excludes),
        excluded_filters=tuple(found for sign, found in taken if sign.field and sign.excludes),
        given=(*query.given, *fields),
    )


def _meaning(
    sign: Sign, index: OpenVersion, principals: tuple[str, ...], readable: Readable, *, mentioned: bool
) -> tuple[str, str] | None:
    """Return the field and value of a sign, without field for words; None when it means nothing here.

    `mentioned`: a single word in quotes is only marked by them, as in a sentence; and so are words in asterisks.
    """
    if sign.part:
        words, statistics = word_runs(sign.text), index.view(principals).statistics
        marked = mentioned and all(
            index.lexical.commonest([word], statistics, readable(Filters(principals=principals))) for word in words
        )
        return ("", sign.text) if sum(map(len, words)) >= _SHORTEST_PART and not marked else None
    if not sign.field:
        marked = mentioned and not sign.excludes and len(question_terms(sign.text, "")) == 1
        return ("", sign.text) if any(map(str.isalnum, sign.text)) and not marked else None
    if sign.field in ("before", "after"):
        return (sign.field, sign.text) if moment(sign.text) and not sign.excludes else None
    if sign.field not in _FACETS:
        return None
    facet = _FACETS[sign.field]
    values = index.catalog.facets(principals)[facet]
    value = sign.text if sign.text in values else None
    value = value or next((value for value in values if value.casefold() == sign.text.casefold()), None)
    if value is None:
        return None
    keys = readable(_narrowed(Filters(principals=principals), facet, value))
    return (facet, value) if keys is None or len(keys) else None


def _with_fields(filters: Filters, fields: Iterable[tuple[str, str]]) -> Filters:
    """Narrow the filters by a question's fields; values of one facet are alternatives, tags add up."""
    chosen: dict[str, list[str]] = {}
    for field, value in fields:
        if field in ("tag", "before", "after"):
            filters = _narrowed(filters, field, value)
        else:
            chosen.setdefault(field, []).append(value)
    return reduce(lambda narrowed, facet: _narrowed(narrowed, facet, *chosen[facet]), chosen, filters)


def _narrowed(filters: Filters, field: str, *values: str) -> Filters:
    if field == "tag":
        return replace(filters, tags=tuple(dict.fromkeys((*filters.tags, *values))))
    if field in ("before", "after"):
        limit = moment(values[0])
        if field == "before":
            return replace(filters, until=min((at for at in (filters.until, limit) if at), default=None))
        return replace(filters, since=max((at for at in (filters.since, limit) if at), default=None))
    chosen = getattr(filters, f"{field}s")
    return replace(filters, **{f"{field}s": narrowed(chosen, values)})


def _without(question: str, taken: Iterable[Sign]) -> str:
    """Return a question without its signs; of a required phrase the words stay."""
    parts, end = [], 0
    for sign in taken:
        parts += [question[end : sign.start], "" if sign.field or sign.excludes else sign.text]
        end = sign.end
    return " ".join("".join([*parts, question[end:]]).split())


def interpretation_phrases(understood: Mapping[str, Any]) -> list[str]:
    """Return what `Query.interpretation` gave as short phrases, for a terminal or a page."""
    words = [f'with the words "{phrase}"' for phrase in understood.get("phrases", ())]
    words += [f'with all words of "{understood["every"]}"'] if understood.get("every") else []
    words += [f'with exactly "{text}"' for text in understood.get("exact", ())]
    words += [f'with "{part}", also within words' for part in understood.get("parts", ())]
    words += [f'no document has the words "{phrase}"' for phrase in understood.get("missing", ())]
    words += [f"only {field}" for field in understood.get("filters", ())]
    excluded = (*understood.get("excluded", ()), *understood.get("excluded_filters", ()))
    words += [f"without {one}" for one in excluded]
    words += [f"rather not: {one}" for one in understood.get("unwanted", ())]
    return words + [f"{word}: did you mean {near}?" for word, near in understood.get("corrections", {}).items()]
