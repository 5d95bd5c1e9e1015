"""Text that strangers write costs time in proportion to its length, whatever it consists of."""

import time

import pytest

from rag_platform.answering.citations.claims import _RULE
from rag_platform.answering.citations.marks import strip_markers
from rag_platform.answering.sanitizing.sanitizing import sanitize
from rag_platform.answering.sanitizing.streaming import StreamSanitizer
from rag_platform.answering.suggestions.heading_words import _NUMBER, plain
from rag_platform.retrieval.query import exclusions
from rag_platform.text.cleaning import clean
from rag_platform.text.language import detect_language
from rag_platform.text.markdown_blocks import plain as plain_block
from rag_platform.text.sentences import split_sentences
from rag_platform.text.structure import find_sections

UNITS = [
    "a",
    "1",
    "_",
    "-",
    ".",
    "a@",
    "a.",
    "[",
    "![",
    "[](",
    "\t",
    " \t",
    "`a",
    "~~~\n",
    "#",
    "<a",
    "://",
    "www.",
    "{#",
    "*",
    "(",
    "=",
    "==\n",
    "> ",
    "1. ",
    "। ",
    "中",
    "? ",
    ". A",
    "[1,",
    "【",
    "! ",
    "but not ",
    "data:",
    "!",
]
LENGTH = 6000
SECONDS = 1.5
"""Of this thread alone: another test's may still run. Quadratic ones took 2 to 50, linear ones take hundredths."""


def stream(text):
    sanitizer = StreamSanitizer()
    for place in range(0, 1000, 10):  # each piece is looked at with what is still held back
        list(sanitizer.feed(text[place : place + 10], ""))


READERS = {
    "clean": clean,
    "sentences": split_sentences.__wrapped__,
    "language": detect_language,
    "sections": find_sections,
    "block": plain_block,
    "heading": plain,
    "number": lambda text: _NUMBER.sub("", text),
    "marks": strip_markers,
    "rule": lambda text: _RULE.match("\n" + text),
    "exclusions": exclusions.split,
    "sanitize": sanitize,
    "stream": stream,
}


@pytest.mark.parametrize("reader", READERS)
def test_no_text_costs_more_than_its_length(reader):
    slow = {}
    for unit in UNITS:
        for end in ("", "\x00x"):
            text = unit * (LENGTH // len(unit)) + end
            began = time.thread_time()
            READERS[reader](text)
            if (took := time.thread_time() - began) > SECONDS:
                slow[unit, end] = took
                break
    assert not slow
