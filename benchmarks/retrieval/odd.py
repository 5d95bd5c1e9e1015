"""Small collections of odd shapes, made of a handbook: its headings ask for its sections.

What a stranger's texts may be: very short, all in capitals, in tables, twice in the corpus, one alone; and questions:
of one word, in capitals, longer than the passages. None of this is a reason to be worse than the better retriever.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchmarks.retrieval.development_sets import Collection
from benchmarks.retrieval.made import write_folder
from rag_platform.core.ids import digest

Sections = Mapping[str, str]
"""Heading -> text."""
Shape = tuple[dict[str, str], dict[str, list[str]]]
"""Documents by id, and the ids that each question wants."""
_SECTION = re.compile(r"^##+ (.+)\n+((?:(?!#).*\n)+)", re.MULTILINE)
_WORD = re.compile(r"[a-z]{4,}")
LENGTH = 500
ROWS = 6


def sections(handbook: Path, most: int) -> dict[str, str]:
    """Return sections whose headings differ, chosen by a hash."""
    found: dict[str, str] = {}
    for path in sorted(handbook.glob("*.md")):
        for heading, text in _SECTION.findall(path.read_text(encoding="utf-8")):
            if len(heading.split()) > 1 and len(text) > LENGTH / 2:
                found.setdefault(heading.replace("`", ""), text[:LENGTH])
    return dict(sorted(found.items(), key=lambda row: digest(row[0]))[:most])


def plain(given: Sections) -> Shape:
    """Ask for each section by its heading."""
    names = {heading: str(number) for number, heading in enumerate(given)}
    return {names[heading]: text for heading, text in given.items()}, {one: [name] for one, name in names.items()}


def long_questions(given: Sections) -> Shape:
    """Ask for each heading, a very short text, by its section."""
    documents, questions = plain(given)
    return {name: heading for heading, (name,) in questions.items()}, {text: [name] for name, text in documents.items()}


def capitals(given: Sections) -> Shape:
    """Write the sections in capitals."""
    documents, questions = plain(given)
    return {name: text.upper() for name, text in documents.items()}, questions


def capital_questions(given: Sections) -> Shape:
    """Write the questions in capitals."""
    documents, questions = plain(given)
    return documents, {heading.upper(): names for heading, names in questions.items()}


def one_word(given: Sections) -> Shape:
    """Ask with the rarest word of each heading for all sections in whose heading it is."""
    documents, questions = plain(given)
    words = {heading: set(_WORD.findall(heading.lower())) for heading in given}
    counts = Counter(word for some in words.values() for word in some)
    rarest = {min(some, key=lambda word: (counts[word], word)) for some in words.values() if some}
    return documents, {
        word: [questions[heading][0] for heading in given if word in words[heading]] for word in sorted(rarest)
    }


def doubled(given: Sections) -> Shape:
    """Put each section into the corpus twice: either may be found, and both are wanted."""
    documents, questions = plain(given)
    copies = {f"{name}-copy": text for name, text in documents.items()}
    return documents | copies, {heading: [name, f"{name}-copy"] for heading, (name,) in questions.items()}


def tables(given: Sections) -> Shape:
    """Ask for the table in which the beginning of a section is one row of several."""
    lines = [f"| {number} | {' '.join(text.split()[:12])} |" for number, text in enumerate(given.values())]
    made = [lines[start : start + ROWS] for start in range(0, len(lines), ROWS)]
    documents = {str(number): "\n".join(("| nr. | text |", "|--:|---|", *rows)) for number, rows in enumerate(made)}
    return documents, {heading: [str(place // ROWS)] for place, heading in enumerate(given)}


def alone(given: Sections) -> Shape:
    """Put one section into the corpus, and ask for it."""
    heading, text = next(iter(given.items()))
    return {"0": text}, {heading: ["0"]}


SHAPES: dict[str, Callable[[Sections], Shape]] = {
    "plain": plain,
    "long questions": long_questions,
    "capitals": capitals,
    "capital questions": capital_questions,
    "one word": one_word,
    "doubled": doubled,
    "tables": tables,
    "alone": alone,
}


def odd(handbook: Path, home: Path, most: int = 200) -> Iterator[Collection]:
    """Write these collections below `home`, and yield them."""
    given = sections(handbook, most)
    for name, shape in SHAPES.items():
        documents, questions = shape(given)
        rows = [{"_id": key, "title": "", "text": text} for key, text in documents.items()]
        asked = [{"_id": digest(text), "text": text, "answers": found} for text, found in questions.items()]
        yield Collection(name, "odd", write_folder(home / "odd" / name.replace(" ", "-"), rows, asked))
