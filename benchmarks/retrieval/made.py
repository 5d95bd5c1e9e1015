"""Collections made of others: Nepali, questions and passages in different languages, many languages in one corpus.

Equal data give equal collections. **Nepali** is made of comments, in two ways: `words` asks for a comment by four of
its words in another order, as one who half remembers it; `cloze` asks with six words in a row for the comment without
them, so that only what it is about leads there (the inverse cloze task of Lee et al., "Latent retrieval for weakly
supervised open domain question answering", ACL 2019). **Across** are the questions of one language of XQuAD on the
paragraphs of another. **Mixed** are all paragraphs of all its languages in one corpus, of which a question wants that
in its own language (`own`), or each paragraph in one language, dealt in turn, with the questions of every language
(`dealt`).
"""

import csv
import json
import random
from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

from benchmarks.retrieval.development_sets import LANGUAGES, Collection
from rag_platform.core.ids import digest

Row = dict[str, Any]
LONG = 14
"""Words of a comment from which on it is asked for."""


def made(shared: Path, home: Path) -> Iterator[Collection]:
    """Write those collections below `home`, and yield them."""
    comments = shared / "nepali_comments" / "ss_ac_at_txt_unbal.csv"
    for kind in ("words", "cloze"):
        yield Collection(f"Nepali {kind}", "languages", nepali(comments, home / f"nepali-{kind}", kind))
    xquad = {language: _read(shared / "qa_xquad" / language) for language in LANGUAGES}
    for asked, found in permutations(LANGUAGES, 2):  # the last folder's name is the corpus', which is indexed once
        folder = write_folder(home / "across" / asked / found, xquad[found][0], xquad[asked][1])
        yield Collection(f"{asked} on {found}", "across", folder)
    yield from mixed(xquad, home / "mixed")


def nepali(comments: Path, out: Path, kind: str) -> Path:
    """Write the comments as documents, and questions for those of `LONG` words and more."""
    with comments.open(encoding="utf-8", newline="") as file:
        texts = list(dict.fromkeys(" ".join(row[-1].split()) for row in csv.reader(file)))
    documents, questions = [], []
    for number, text in enumerate(texts):
        words, chance = text.split(), random.Random(digest("nepali", text))
        if len(words) >= LONG and kind == "words":
            told = [word for word in dict.fromkeys(words) if len(word) > 3]
            if len(told) >= 4:
                questions.append({"_id": str(number), "text": " ".join(chance.sample(told, 4))})
        elif len(words) >= LONG:
            start = chance.randrange(len(words) - 6)
            questions.append({"_id": str(number), "text": " ".join(words[start : start + 6])})
            words[start : start + 6] = []
        documents.append({"_id": str(number), "title": "", "text": " ".join(words)})
    return write_folder(out, documents, questions)


def mixed(xquad: dict[str, tuple[list[Row], list[Row]]], home: Path) -> Iterator[Collection]:
    """Write the corpora of several languages; the names of their folders are those of their indexes."""
    every = [row | {"_id": f"{name}/{row['_id']}"} for name, (documents, _) in xquad.items() for row in documents]
    corpora = [documents for documents, _ in xquad.values()]
    dealt = [corpora[place % len(corpora)][place] for place in range(len(corpora[0]))]
    for language, (_, questions) in xquad.items():
        own = [row | {"answers": [f"{language}/{key}" for key in row["answers"]]} for row in questions]
        yield Collection(f"own, {language}", "mixed", write_folder(home / language / "own", every, own))
        yield Collection(f"dealt, {language}", "mixed", write_folder(home / language / "dealt", dealt, questions))


def _read(folder: Path) -> tuple[list[Row], list[Row]]:
    """Return the documents, and the questions with the ids of their `answers`."""
    files = []
    for name in ("corpus", "queries"):
        with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
            files.append([json.loads(line) for line in lines])
    lines = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").split("\n")[1:]
    answers = {question: document for question, document, _ in (line.split("\t") for line in lines if line)}
    return files[0], [row | {"answers": [answers[row["_id"]]]} for row in files[1]]


def write_folder(folder: Path, documents: Iterable[Row], questions: list[Row]) -> Path:
    """Write a folder in the layout of BEIR; a question without `answers` is answered by the document of its id."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name, rows, keys in (("corpus", documents, ("_id", "title", "text")), ("queries", questions, ("_id", "text"))):
        lines = (json.dumps({key: row[key] for key in keys}) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    found = [(row["_id"], key) for row in questions for key in row.get("answers", [row["_id"]])]
    judged = "".join(f"{question}\t{document}\t1\n" for question, document in found)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged, encoding="utf-8")
    return folder
