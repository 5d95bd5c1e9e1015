"""The text of an answer with marks [n] -> the same text, each sentence tied to a verbatim quote that supports it.

A mark is kept only when a sentence of the source it names supports the claim; a claim that another source supports is
given that one; a claim that nothing supports is left without a mark and counted. Support is judged by words and by
meaning: it notices what was made up, and numbers that no source has, but not a subtle change such as a lost "not".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from rag_platform.answering.coverage import Weight, coverage, term_weights
from rag_platform.index.analysis import terms
from rag_platform.ports import Embedder
from rag_platform.records import Citation, Hit
from rag_platform.sentences import Sentence, split

MARK = re.compile(
    r"[ \t]*(?:\[\^?|【)(?:sources?|src\.?|quellen?|fuentes?|स्रोत)?\s*#?"
    r"(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)(?:†[^】\]]{0,40})?(?:\]|】)(?![(:])",
    re.IGNORECASE,
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_NUMBER = re.compile(r"\d+(?:[.,'\u00a0\u202f]\d+)*")
_BETWEEN_WORDS = r"(?:\s|\[\d{1,3}\]|[*_`>|])+"
_MOST_CANDIDATES = 12
"""Sentences looked at closely for one claim."""

SUPPORT = 1.0
"""Cosine of claim and quote plus the share of the claim's words in the quote, from which the quote supports the claim.

Measured on the 646 sentences of CLAPnq's human answers: 99 % supported by their own passage, and 96 % not supported by
the most similar other passage.
"""


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer's text with its marks renumbered 1..n, and what each of them quotes."""

    text: str
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    claims: int
    """Sentences that say something which a source should support."""
    unsupported: tuple[str, ...]
    """The claims that no source supports."""


@dataclass(frozen=True, slots=True)
class _Claim:
    sentence: Sentence
    text: str
    cited: tuple[int, ...]
    """Places of hits, from 1, that exist."""
    counts: bool
    """False for a heading, a question or an introduction: it needs no support."""


def verify(text: str, hits: Sequence[Hit], embedder: Embedder, weight: Weight) -> Verified:
    """Check an answer sentence by sentence against the hits it was written from.

    Args:
        text: the answer; its marks name places in `hits`, from 1.
        hits: what the generator saw.
        embedder: judges the meaning of a claim that is not a verbatim quote.
        weight: the rarity of a word in the corpus.
    """
    plain, marks = _without_marks(text)
    claims = list(_claims(plain, marks, hits))
    judge = _Judge(hits, embedder, weight)
    support = [judge.support(claim) if claim.counts or claim.cited else [] for claim in claims]
    missing = sum(number > len(hits) or number < 1 for _, numbers in marks for number in numbers)
    moved = sum(
        bool(found) and bool(claim.cited) and not {place for place, *_ in found} & set(claim.cited)
        for claim, found in zip(claims, support, strict=True)
    )
    unsupported = tuple(claim.text for claim, found in zip(claims, support, strict=True) if claim.counts and not found)
    numbered, citations = _number(plain, claims, support, hits)
    total = sum(claim.counts for claim in claims)
    return Verified(numbered, citations, tuple(_warnings(missing, moved, unsupported, total)), total, unsupported)


def _warnings(missing: int, moved: int, unsupported: Sequence[str], total: int) -> Iterator[str]:
    if missing:
        yield f"{missing} citation{'s' * (missing > 1)} of a source that does not exist removed"
    if moved:
        yield f"{moved} citation{'s' * (moved > 1)} moved to the source that supports the sentence"
    if unsupported:
        shown = "; ".join(f"“{_brief(claim)}”" for claim in unsupported[:3])
        yield f"not supported by the sources: {len(unsupported)} of {total} sentences: {shown}"


def _brief(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else flat[:117] + "…"


# --- marks ---------------------------------------------------------------------------------------------


def _without_marks(text: str) -> tuple[str, list[tuple[int, list[int]]]]:
    """Return the text without its marks, and for each mark where it was and the numbers it held."""
    code = [match.span() for match in _CODE.finditer(text)]
    plain, marks, at = "", [], 0
    for mark in MARK.finditer(text):
        if any(start <= mark.start() < end for start, end in code):
            continue
        plain += text[at : mark.start()]
        marks.append((len(plain), _numbers(mark[1])))
        at = mark.end()
    return plain + text[at:], marks


def _numbers(inside: str) -> list[int]:
    found: list[int] = []
    for part in re.split(r"[,;]", inside):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        found += range(ends[0], min(ends[-1], ends[0] + 20) + 1) if len(ends) == 2 and ends[0] <= ends[1] else ends
    return found


def _claims(plain: str, marks: list[tuple[int, list[int]]], hits: Sequence[Hit]) -> Iterator[_Claim]:
    sentences = split(plain, hits[0].language if hits else "en")
    cited: dict[int, list[int]] = {index: [] for index in range(len(sentences))}
    for position, numbers in marks:
        index = _owner(plain, sentences, position)
        if index is not None:
            cited[index] += [number for number in numbers if 1 <= number <= len(hits)]
    for index, sentence in enumerate(sentences):
        text = plain[sentence.start : sentence.end]
        says = sentence.kind in ("prose", "item", "row") and not text.rstrip("*_ ").endswith(
            (":", "?", "：", "？", "؟")
        )
        counts = says and len(terms(text, "und")) >= 3
        yield _Claim(sentence, text, tuple(dict.fromkeys(cited[index])), counts)


def _owner(plain: str, sentences: Sequence[Sentence], position: int) -> int | None:
    """Tell which sentence a mark belongs to: the one around it, else the one before it on its line, else the next."""
    before = [index for index, sentence in enumerate(sentences) if sentence.start < position]
    if before and "\n" not in plain[sentences[before[-1]].end : position].rstrip(" "):
        return before[-1]
    after = [index for index, sentence in enumerate(sentences) if sentence.start >= position]
    return after[0] if after else (before[-1] if before else None)


def _number(
    plain: str, claims: Sequence[_Claim], support: Sequence[list[tuple[int, int, int]]], hits: Sequence[Hit]
) -> tuple[str, tuple[Citation, ...]]:
    """Write the marks anew, 1..n in order of appearance; the same quote has the same number."""
    citations: dict[tuple, Citation] = {}
    text, at = "", 0
    for claim, found in zip(claims, support, strict=True):
        numbers = []
        for place, start, end in found:
            citation = _citation(hits[place - 1], start, end)
            known = citations.setdefault((citation.doc_id, citation.span), replace(citation, n=len(citations) + 1))
            numbers.append(known.n)
        inside = claim.sentence.kind == "row" and claim.text.endswith("|")  # after it, a mark would break the table
        end = claim.sentence.end - inside
        text += plain[at:end].rstrip() if numbers else plain[at:end]
        if numbers:
            text += " " + "".join(f"[{n}]" for n in dict.fromkeys(numbers)) + " " * inside
        at = end
    return (text + plain[at:]).strip(), tuple(citations.values())


def _citation(hit: Hit, start: int, end: int) -> Citation:
    passage = hit.at(hit.span[0] + start)
    return Citation(
        n=0,
        doc_id=hit.doc_id,
        chunk_id=passage.chunk_id,
        uri=hit.uri,
        title=hit.title,
        quote=hit.text[start:end],
        span=(hit.span[0] + start, hit.span[0] + end),
        raw_sha256=hit.raw_sha256,
        published_at=hit.published_at,
        page=passage.page,
    )


# --- support -------------------------------------------------------------------------------------------


class _Judge:
    """Finds the sentence of a hit that supports a claim."""

    def __init__(self, hits: Sequence[Hit], embedder: Embedder, weight: Weight) -> None:
        self.hits = hits
        self.embedder = embedder
        self.weight = weight
        self.vectors: dict[str, np.ndarray] = {}

    def support(self, claim: _Claim) -> list[tuple[int, int, int]]:
        """Return (place, start, end) for each cited hit that supports the claim, else for the one other that does."""
        found = [quote for place in claim.cited if (quote := self._quote(claim.text, place))]
        if found:
            return found
        others = [place for place in range(1, len(self.hits) + 1) if place not in claim.cited]
        for finder in (self._verbatim, self._paraphrased):  # a verbatim quote anywhere beats a likeness
            for place in others:
                if quote := finder(claim.text, place):
                    return [quote]
        return []

    def _quote(self, claim: str, place: int) -> tuple[int, int, int] | None:
        return self._verbatim(claim, place) or self._paraphrased(claim, place)

    def _verbatim(self, claim: str, place: int) -> tuple[int, int, int] | None:
        parts = [re.escape(part) for part in claim.strip("*_` ").split()]
        found = re.search(_BETWEEN_WORDS.join(parts), self.hits[place - 1].text) if parts else None
        return (place, *found.span()) if found else None

    def _paraphrased(self, claim: str, place: int) -> tuple[int, int, int] | None:
        hit = self.hits[place - 1]
        if not _figures(claim) <= _figures(f"{hit.text} {hit.title} {hit.section} {hit.published_at or ''}"):
            return None
        weights = term_weights(claim, hit.language, self.weight)
        shared = {span: coverage(weights, hit.text[slice(*span)], hit.language) for span in _windows(hit)}
        close = sorted(shared, key=lambda span: -shared[span])[:_MOST_CANDIDATES]
        if not close:
            return None
        meant = self._embed([claim, *(hit.text[slice(*span)] for span in close)])
        similar = dict(zip(close, meant[1:] @ meant[0], strict=True))
        best = max(close, key=lambda span: shared[span] + similar[span])
        return (place, *best) if shared[best] + similar[best] >= SUPPORT else None

    def _embed(self, texts: Sequence[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        self.vectors |= dict(zip(new, self.embedder.embed_passages(new), strict=True))
        return np.stack([self.vectors[text] for text in texts])


def _windows(hit: Hit) -> list[tuple[int, int]]:
    """List the quotes to choose from: single sentences, and two that follow each other."""
    alone = [(start, end) for start, end, kind in split(hit.text, hit.language) if kind != "heading"]
    pairs = [(left[0], right[1]) for left, right in pairwise(alone)]
    return alone + [pair for pair in pairs if pair[1] - pair[0] <= 600]


def _figures(text: str) -> set[str]:
    """Return the numbers of a text, without their separators: 1,000 is 1.000 and 1000."""
    return {re.sub(r"\D", "", number).lstrip("0") or "0" for number in _NUMBER.findall(text)}
