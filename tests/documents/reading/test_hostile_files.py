"""A file costs time in proportion to its size, whatever somebody has put into it."""

import gc
import time
from contextlib import suppress

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.contacts.calendars import _closed
from rag_platform.documents.formats.rich_text.paragraphs import Blocks
from rag_platform.documents.reading.extraction import extract

NOTE = b"<en-export><note><title>a</title><content><![CDATA[<en-note>"
LATEX = rb"\begin{document}"


def runs(size):
    """Return runs of backticks of which no two are equally long."""
    return b" ".join(b"`" * length for length in range(1, int((2 * size) ** 0.5)))


def tabular(unit):
    """Return tables of LaTeX of a size."""
    return lambda size: rb"\begin{tabular}" + unit * (size // len(unit)) + rb"\end{tabular}"


def wide_tabular(size):
    cells = size // 4
    return rb"\begin{tabular}{l}" + b"& " * cells + rb"\\ a" * cells + rb"\end{tabular}"


def wide_table(size):
    return b"<table><tr>" + b"<td>a" * (size // 10) + b"<tr><td>b<td>c" * (size // 28)


FILES = {
    "markdown, runs of backticks": ("a.md", b"a [[b]] ", runs, 100_000),
    "markdown, tabs": ("a.md", b"a [[b]] ", b"\t", 40_000),
    "evernote, tags without an end": ("a.enex", NOTE, b"<en-media ", 60_000),
    "evernote, secrets without an end": ("a.enex", NOTE, b"<en-crypt>", 60_000),
    "latex, sections": ("a.tex", LATEX, rb"\section{", 12_000),
    "latex, formulas": ("a.tex", LATEX, rb"\[", 40_000),
    "latex, environments": ("a.tex", LATEX, rb"\begin{tabular}{", 40_000),
    "latex, items": ("a.tex", LATEX, rb"\item[", 60_000),
    "latex, columns of a table": ("a.tex", LATEX, tabular(b"{l}"), 12_000),
    "latex, brackets without an end": ("a.tex", LATEX, tabular(b"["), 12_000),
    "latex, rules of a table": ("a.tex", LATEX, tabular(rb"\cmidrule("), 80_000),
    "latex, rows of a wide table": ("a.tex", LATEX, wide_tabular, 8_000),
    "rst, parts of a row": ("a.rst", b"= =\na b\n", b"  c\n", 400_000),
    "rst, lines of code": ("a.rst", b"::\n\n", b"  c\n", 40_000),
    "rst, rows of a wide table": ("a.rst", b"", lambda size: b"= " * size + b"\n" + b"a\n" * size, 8_000),
    "rst, lines of a wide cell": ("a.rst", b"+--+\n", lambda size: b"| " * size + b"\n" + b"| a\n" * size, 8_000),
    "rst, roles": ("a.rst", b"", b":a", 12_000),
    "html, marks": ("a.html", b"<p>", b"1<sup>2</sup>", 100_000),
    "html, what is hidden": ("a.html", b"<p>", lambda size: b"stay " * size + b"<i hidden>y</i>x" * size, 8_000),
    "html, rows of a wide table": ("a.html", b"", wide_table, 80_000),
    "asciidoc, emphasis": ("a.adoc", b"= A\n\n", b"_a", 20_000),
}


def names(count):
    free = FreeNames()
    for _ in range(count):
        free.take("scan.pdf")


def items(count):
    blocks = Blocks()
    for _ in range(count):
        blocks.paragraph.label = "-"
        blocks.paragraph.pieces.append("a")
        blocks.end_paragraph()
    blocks.finished()


PARTS = {
    "names of files": (names, 8_000),
    "items of a list in Rich Text": (items, 60_000),
    "marks of a calendar": (lambda count: _closed("BEGIN:A\n" * count + "END:B\n" * count), 8_000),
}


def took(work, *given):
    gc.disable()  # it would look through what all tests before have left
    began = time.process_time()
    with suppress(ExtractionError):
        work(*given)
    gc.enable()
    return time.process_time() - began


def read(name, head, unit, size):
    content = head + (unit(size) if callable(unit) else unit * (size // len(unit)))
    list(extract(content, uri=name).members)


def scales(small, large):
    """Whether four times as much costs about four times the time: 8 and 16 times, if each piece looked at others.

    Asked three times at most: another process may take the cache or the pace of the processor away meanwhile.
    """
    return any(took(*large) < max(6.5 * took(*small), 0.2) for _ in range(3))


@pytest.mark.parametrize("case", FILES)
def test_four_times_the_size_costs_about_four_times_the_time(case):
    name, head, unit, size = FILES[case]
    took(read, name, head, unit, 100)  # what is imported and compiled once
    assert scales((read, name, head, unit, size // 4), (read, name, head, unit, size))


@pytest.mark.parametrize("case", PARTS)
def test_four_times_as_many_cost_about_four_times_the_time(case):
    work, count = PARTS[case]
    assert scales((work, count // 4), (work, count))
