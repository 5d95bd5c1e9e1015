"""The one tool that a model is given: to search. It reads what its asker may read, and changes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_platform.llm.prompt import escape_fences, estimate_tokens, truncate
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.instructions.injection import instructs

NAME = "search"
LONGEST = 300
"""Characters of a query: a longer one is no query, and its signs would not be obeyed."""
_MOST_COLLECTIONS = 30


class InvalidToolCall(ValueError):
    """A call that cannot be carried out; its message is told to the model."""


@dataclass(frozen=True, slots=True)
class SearchableCollection:
    """A collection that the asker may search."""

    id: str
    title: str
    """What people call it, and what it holds; empty: nobody said."""
    languages: tuple[str, ...]
    """ISO 639-1, the most frequent first."""
    documents: int


def searchable_collections(
    counts: Mapping[tuple[str, ...], int], titles: Mapping[str, str]
) -> list[SearchableCollection]:
    """Describe the collections, the largest first.

    Args:
        counts: documents that the asker may find, by collection and language.
        titles: what people call the collections; it names more than the asker may read.
    """
    collections: dict[str, dict[str, int]] = {}
    for (collection, language), count in counts.items():
        collections.setdefault(collection, {})[language] = count
    found = [
        SearchableCollection(
            id=collection,
            title=_harmless(titles.get(collection, "")),
            languages=tuple(sorted(languages.keys() - {"und"}, key=lambda one: (-languages[one], one))),
            documents=sum(languages.values()),
        )
        for collection, languages in collections.items()
    ]
    return sorted(found, key=lambda holding: (-holding.documents, holding.id))[:_MOST_COLLECTIONS]


def search_tool(held: Sequence[SearchableCollection], *, choosing: bool) -> dict[str, Any]:
    """Write the tool as OpenAI's protocol describes it.

    Args:
        held: what can be searched.
        choosing: whether the model may narrow a query to one collection.
    """
    listed = "\n".join(f"- {_described(holding)}" for holding in held) or "- (nothing yet)"
    properties: dict[str, Any] = {
        "query": {
            "type": "string",
            "maxLength": LONGEST,
            "description": "What to look for: a short question or the words that the passage will have, in the "
            "language of the documents. One thing at a time.",
        }
    }
    if choosing and len(held) > 1:
        ids = [holding.id for holding in held]
        told = "Search only this collection; leave it out to search all."
        properties["collection"] = {"type": "string", "enum": ids, "description": told}
    return {
        "type": "function",
        "function": {
            "name": NAME,
            "description": f"Search the documents for passages that answer a question. There are:\n{listed}",
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": ["query"],
                "additionalProperties": False,
            },
        },
    }


def query_of(name: str, given: Mapping[str, Any] | None, tool: Mapping[str, Any]) -> str:
    """Return the query of a call, narrowed to a collection by a sign if it names one.

    Raises:
        InvalidToolCall: there is no such tool, or the arguments are not what its schema says.
    """
    if name != NAME:
        raise InvalidToolCall(f"There is no tool {name[:50]!r}. The only tool is {NAME!r}.")
    if given is None:
        raise InvalidToolCall('The arguments are no JSON object such as {"query": "…"}. Send them again.')
    properties = tool["function"]["parameters"]["properties"]
    unknown = given.keys() - properties.keys()
    if unknown:
        raise InvalidToolCall(f"There is no argument {min(unknown)[:50]!r}. Expected: {', '.join(properties)}.")
    query = given.get("query")
    query = " ".join(query.replace("\0", " ").split()) if isinstance(query, str) else ""
    if not query or len(query) > LONGEST:
        raise InvalidToolCall(f"`query` must be a text of 1 to {LONGEST} characters.")
    collection = given.get("collection")
    if collection in (None, ""):
        return query
    if collection not in properties["collection"]["enum"]:
        raise InvalidToolCall(
            f"There is no such collection. Expected one of: {', '.join(properties['collection']['enum'])}."
        )
    return f'collection:"{collection}" {query}'


def excerpts(result: SearchResult, tokens: int) -> str:
    """Write what a search found, as numbered excerpts of at most so many tokens, for the model to go on from."""
    if result.nothing_relevant or not result.hits:
        return "Nothing relevant was found. Try other words, or stop if nothing suggests itself."
    parts = []
    for hit in result.hits:
        title = " ".join(escape_fences(f"{hit.title} — {hit.section}" if hit.section else hit.title).split())[:200]
        part = f'<source n="{hit.rank}">\n{title}\n{escape_fences(truncate(hit.snippet or hit.text, 200))}\n</source>'
        tokens -= estimate_tokens(part)
        if tokens < 0:
            break
        parts.append(part)
    return "\n".join(parts) or "Something was found, but there is no room to show it. Stop searching."


def _described(holding: SearchableCollection) -> str:
    named = f"{holding.id}: {holding.title}" if holding.title else holding.id
    languages = f"in {', '.join(holding.languages)}; " if holding.languages else ""
    return f"{named} ({languages}{holding.documents} documents)"


def _harmless(text: str) -> str:
    """Return a title that somebody gave as one short line; nothing of one that gives orders."""
    return "" if instructs(text) else " ".join(escape_fences(text).split())[:200]
