"""What is to be known of an answer beside its text, in sentences: the same in the terminal, the API and a receipt."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from rag_platform.core.answers import STATE_WORDS, Answer, Citation, Disagreement, JudgedClaim, count_states
from rag_platform.core.hits import Hit
from rag_platform.journal.receipts import Receipt

HOW_TO_ADD = (
    "To add the document that answers it: `rag collection add COLLECTION FILE`, or `rag source add` for where it lies; "
    "over HTTP POST /v1/collections/COLLECTION/files. The next sync publishes it."
)
_NEAREST = 5
"""Documents that are offered where the question was not answered."""
_LONGEST = 200


def answer_notes(answer: Answer | Receipt) -> list[str]:
    """Return yes or no, what was not verified or taken away, where sources disagree, other languages, the warnings."""
    verdict = [f"the first quote says {answer.verdict}"] if answer.verdict else []
    told = [*map(disagreement_note, answer.disagreements), *map(also_note, answer.also)]
    return [*verdict, *_doubts(answer), *told, *answer.warnings]


def also_note(quote: Citation) -> str:
    """Say what another language says: "also in German: “…” (Title)"."""
    return f"also in {_language_name(quote.language)}: {_quoted(quote)}"


def _language_name(code: str) -> str:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code).get_display_name("en") or code
    except (UnknownLocaleError, ValueError):
        return code


def states_in_words(claims: Sequence[JudgedClaim]) -> str:
    """Return how many sentences have which state: "3 sentences: 2 quoted, 1 not verified"; "" where there are none.

    Of an answer of quotes, which may be of several sentences each, it is how many there are.
    """
    if claims and all(claim.state == "quoted" for claim in claims):
        return f"{len(claims)} quote{'s' * (len(claims) > 1)}, word for word"
    counted = ", ".join(f"{n} {STATE_WORDS[state]}" for state, n in count_states(claims).items() if n)
    return f"{len(claims)} sentence{'s' * (len(claims) > 1)}: {counted}" if claims else ""


def state_in_words(claim: JudgedClaim) -> str:
    """Return a claim's state, how sure it is, and what judged it: "supported (87 %, nli:…)"."""
    sure = None if claim.state == "quoted" or claim.probability is None else f"{claim.probability:.0%}"
    said = ", ".join(part for part in (sure, claim.check if claim.state != "quoted" else None) if part)
    return f"{STATE_WORDS[claim.state]} ({said})" if said else STATE_WORDS[claim.state]


def disagreement_note(one: Disagreement) -> str:
    """Say how many sources say what the answer quotes, how many say otherwise, and what the newest says."""
    ours, theirs = _quoted(one.said), _quoted(one.against)
    say = f"{one.said_by} of {one.said_by + one.against_by} sources"
    verb, other = _verb(one.said_by), f"{one.against_by} {_verb(one.against_by)}"
    if one.newest_at and one.newest == "against":
        newest = "newer" if one.said_by == one.against_by == 1 else "newest"
        return f"sources disagree: {say} {verb} {ours}; the {newest}, of {_day(one.newest_at)}, says {theirs}"
    if one.newest_at and one.newest == "said":
        newest = "newer, of" if one.said_by == one.against_by == 1 else "newest of"
        return f"sources disagree: {say}, the {newest} {_day(one.newest_at)}, {verb} {ours}; {other} {theirs}"
    return f"sources disagree: {say} {verb} {ours}; {other} {theirs}"


def missing_document(answer: Answer) -> dict[str, Any] | None:
    """Return, of a question without an answer, how much was searched, what is nearest, and how to add what is missing.

    None: it was answered.
    """
    if not answer.abstained:
        return None
    return {"searched": answer.searched, "nearest": [_near(hit) for hit in nearest(answer.hits)], "add": HOW_TO_ADD}


def searched_in_words(answer: Answer | Receipt) -> str:
    """Return what was searched for an answer that is not there: "searched 12 documents for: …"."""
    count = "" if answer.searched is None else f"{answer.searched:,} document{'s' * (answer.searched != 1)} "
    return f"searched {count}for: {' · '.join(answer.queries or (answer.question,))}"


def nearest(hits: Sequence[Hit]) -> list[Hit]:
    """Return the best hit of each of the first few documents."""
    return list({hit.doc_id: hit for hit in reversed(hits)}.values())[::-1][:_NEAREST]


def _near(hit: Hit) -> dict[str, Any]:
    names = ("title", "uri", "doc_id", "chunk_id", "section", "page", "page_label", "span", "published_at", "snippet")
    return {name: getattr(hit, name) for name in names}


def _doubts(answer: Answer | Receipt) -> Iterator[str]:
    unverified = [claim for claim in answer.claims if claim.state == "unverified"]
    if unverified:
        shown = "; ".join(f"“{_brief(claim.text, 120)}”" for claim in unverified[:3])
        yield f"not verified: {len(unverified)} of {len(answer.claims)} sentences, marked [?]: {shown}"
    for claim in answer.claims:
        if claim.state == "contradicted":
            against = [_quoted(one) for one in answer.citations if one.n in claim.citations]
            done = "marked [!]" if claim.span else "taken away"
            yield f"contradicted, {done}: “{_brief(claim.text)}”; the source says {'; '.join(against)}"


def _quoted(citation: Citation) -> str:
    return f"“{_brief(citation.quote)}” ({citation.title or citation.uri})"


def _verb(count: int) -> str:
    return "says" if count == 1 else "say"


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _brief(text: str, longest: int = _LONGEST) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"
