"""Measure how often the mark on a short answer is right.

    python -m benchmarks.short_answers FOLDER=LANGUAGE... [--half tune|report]

FOLDER is BEIR-like, with answers in the metadata of its questions, such as XQuAD. Each question is put to the document
that answers it, and the sentence that has most of its words is looked at. Told for each folder, and for each
kind of thing that is asked for: how many questions there are, the share that gets a mark, and which share of the marks
holds the accepted answer, or stands in it. The halves are those of `benchmarks.answers`; the limits were chosen on one.
"""

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.answers import tuning
from evals.benchmark.beir import BeirFolder, load_folder
from evals.measures.answer_metrics import contains, normalise
from rag_platform.answering.coverage import TermWeight, coverage, term_weights
from rag_platform.answering.quotes.asked_for import asked_for
from rag_platform.answering.quotes.short_answers import short_answer
from rag_platform.text.analysis import terms
from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.sentences import split_sentences

Marked = tuple[str, str | None, tuple[str, ...]]
"""What a question asks for, what is marked, and the accepted answers."""


def rarity(folder: BeirFolder) -> TermWeight:
    """Return the rarity of words in a corpus."""
    known = Counter(term for row in folder.documents.values() for term in set(terms(row.text, "und")))
    count = len(folder.documents) + 1
    return lambda word: max((math.log(count / (known[term] + 0.5)) for term in terms(word, "und")), default=0.0)


def marks(folder: BeirFolder, language: str, half: str | None) -> Iterator[Marked]:
    """Yield what is marked for each question of a half."""
    weight = rarity(folder)
    for question in folder.questions.values():
        wanted = half is None or tuning(question.id) == (half == "tune")
        if not (wanted and question.answers and question.relevant):
            continue
        text, asked = folder.documents[question.relevant[0].uri].text, asked_for(question.question)
        weights = term_weights(question.question, language, weight)
        told = [text[start:end] for start, end, kind in split_sentences(text) if kind != "heading"]
        best = max(told, key=lambda sentence: coverage(weights, sentence, language), default="")
        found = short_answer(question.question, best, language, weight)
        yield asked[0] if asked else "other", best[slice(*found)] if found else None, tuple(question.answers)


def right(marked: str, answers: tuple[str, ...]) -> bool:
    """Tell whether what is marked holds an accepted answer, or is a part of it."""
    for answer in answers:
        if contains(marked, answer) or contains(answer, marked):
            return True
        one, other = (normalise(text).replace(" ", "") for text in (marked, answer))
        if has_unspaced(marked + answer) and (one in other or other in one):
            return True
    return False


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER=LANGUAGE")
    parser.add_argument("--half", choices=("tune", "report"))
    arguments = parser.parse_args()
    rows: dict[str, list[Marked]] = defaultdict(list)
    for given in arguments.folders:
        path, _, language = given.partition("=")
        for row in marks(load_folder(Path(path)), language, arguments.half):
            for name in (given, row[0], "all"):
                rows[name].append(row)
    for name, found in rows.items():
        judged = [right(marked, answers) for _, marked, answers in found if marked]
        share = sum(judged) / len(judged) if judged else math.nan
        print(f"{name}: {len(found)} questions  marked {len(judged) / len(found):.3f}  right {share:.3f}")


if __name__ == "__main__":
    main()
