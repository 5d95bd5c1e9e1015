"""The sentences of an answer, each with the sources that its marks name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_platform.answering.citations.marks import Markers
from rag_platform.core.hits import Hit
from rag_platform.text.analysis import terms
from rag_platform.text.sentences import Sentence, split_sentences

_RULE = re.compile(r"[ \t|]*+\n[ \t]*+\|?[ \t]*+:?-{2,}+[-:| \t]*+(?:\n|$)")
_INTRODUCES = ":", "?", "：", "？", "؟"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer."""

    sentence: Sentence
    text: str
    cited: tuple[int, ...]
    """Places of hits, from 1, that exist."""
    counts: bool
    """False for a heading, a question or an introduction: it needs no support."""


def extract_claims(plain: str, marks: Markers, hits: Sequence[Hit]) -> Iterator[Claim]:
    """Yield the sentences of an answer's text without marks, in their order."""
    sentences = split_sentences(plain)
    cited: dict[int, list[int]] = {index: [] for index in range(len(sentences))}
    for position, numbers in marks:
        index = _owner(plain, sentences, position)
        if index is not None:
            cited[index] += [number for number in numbers if 1 <= number <= len(hits)]
    for index, sentence in enumerate(sentences):
        text = plain[sentence.start : sentence.end]
        says = sentence.kind in ("prose", "item", "row") and not text.rstrip("*_ ").endswith(_INTRODUCES)
        counts = says and not _names_columns(plain, sentence) and len(terms(text, "und")) >= 3
        yield Claim(sentence, text, tuple(dict.fromkeys(cited[index])), counts)


def _names_columns(plain: str, sentence: Sentence) -> bool:
    """Tell whether a sentence is the first row of a table, which has a line of dashes below it."""
    return sentence.kind == "row" and bool(_RULE.match(plain, sentence.end))


def _owner(plain: str, sentences: Sequence[Sentence], position: int) -> int | None:
    """Tell which sentence a mark belongs to: the one around it, else the one before it on its line, else the next."""
    before = [index for index, sentence in enumerate(sentences) if sentence.start < position]
    if before and "\n" not in plain[sentences[before[-1]].end : position].rstrip(" "):
        return before[-1]
    after = [index for index, sentence in enumerate(sentences) if sentence.start >= position]
    return after[0] if after else (before[-1] if before else None)
