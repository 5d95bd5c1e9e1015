"""Make other questions of a BEIR-style folder: with a slip of the hand, or with an exclusion in plain words.

    python -m benchmarks.questions FOLDER OUT --kind slips|exclusions [--split test] [--most 300]
    RAG_RETRIEVAL__SPELLING=false rag eval OUT      # and without the variable
    RAG_RETRIEVAL__EXCLUSIONS=false rag eval OUT

`slips`: one letter of one word is added, dropped, exchanged or swapped with its neighbour. `exclusions`: to each
question two are made of its document A and of B, the one most like A that does not answer it: the question itself
without what B is about, and what both are about without what B is about. A is right, and B stands in its way.
Equal folders give equal questions.
"""

import argparse
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from evals.benchmark.beir import BeirFolder, load_folder

SEED = 7
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CUES = (", excluding {}?", " but not {}?", " other than {}?", ", except {}?", " without mentioning {}?",
        ", not including {}?", " but not about {}?")  # fmt: skip
TOPICS = ("What is known about {}", "papers about {}", "Tell me about {}")
_WORD = re.compile(r"[A-Za-z][A-Za-z\-']{2,}")
_COMMON = 0.2
"""Share of the documents from which on a word tells nothing."""

Made = tuple[str, str]
"""A question and the document that answers it."""


def slips(folder: BeirFolder, chance: random.Random) -> Iterator[Made]:
    """Yield each question with one slip in one of its words of four letters or more."""
    for key, judged in folder.qrels.items():
        words = folder.questions[key].question.split()
        places = [place for place, word in enumerate(words) if len(word) > 3 and word.isascii() and word.isalpha()]
        if places:
            place = chance.choice(places)
            words[place] = slipped(words[place], chance)
            yield " ".join(words), max(judged, key=lambda document: judged[document])


def slipped(word: str, chance: random.Random) -> str:
    """Return a word with one slip, not in its first letter."""
    at, other = chance.randrange(1, len(word)), chance.choice(LETTERS)
    return chance.choice(
        (
            word[:at] + other + word[at:],
            word[:at] + word[at + 1 :],
            word[:at] + other + word[at + 1 :],
            word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
        )
    )


def exclusions(folder: BeirFolder, chance: random.Random) -> Iterator[Made]:
    """Yield two questions for each that has an answer and another document near that."""
    texts = {key: Counter(map(str.lower, _WORD.findall(row.text))) for key, row in folder.documents.items()}
    holding: dict[str, list[str]] = defaultdict(list)
    for key, words in texts.items():
        for word in words:
            holding[word].append(key)
    tells = {word: math.log(len(texts) / len(keys)) for word, keys in holding.items()}
    for key, judged in folder.qrels.items():
        right = max(judged, key=lambda document: judged[document])
        near = nearest(texts, holding, tells, right, set(judged))
        if near is None:
            continue
        question = folder.questions[key].question
        asked = set(map(str.lower, _WORD.findall(question)))
        shared = telling(texts[near], tells, lambda word, words=texts[right]: word in words)[:4]
        own = telling(texts[near], tells, lambda word, words=texts[right], asked=asked: word not in {*words, *asked})
        if len(shared) > 1 and len(own) > 2:
            unwanted = " ".join(own[: chance.choice((2, 3, 4))])
            topic = chance.choice(TOPICS).format(" ".join(shared))
            yield question.rstrip(" ?.") + chance.choice(CUES).format(unwanted), right
            yield topic + chance.choice(CUES).format(unwanted), right


def nearest(texts: dict, holding: dict, tells: dict, document: str, but: set[str]) -> str | None:
    """Return the document that shares the most telling words with another."""
    shared: Counter[str] = Counter()
    for word in texts[document]:
        if len(holding[word]) < _COMMON * len(texts):
            for key in holding[word]:
                shared[key] += tells[word] / math.sqrt(1 + len(texts[key]))
    return next((key for key, _ in shared.most_common() if key not in but), None)


def telling(words: Counter, tells: dict, wanted) -> list[str]:  # noqa: ANN001  a predicate
    """Return those of a text's words that tell the most, best first."""
    chosen = [word for word in words if wanted(word) and tells[word] > -math.log(_COMMON)]
    return sorted(chosen, key=lambda word: (-tells[word] * math.log(1 + words[word]), word))


def write(folder: BeirFolder, made: list[Made], out: Path) -> None:
    """Write a folder of the same documents with these questions."""
    (out / "qrels").mkdir(parents=True, exist_ok=True)
    rows = [{"_id": key, "title": row.title, "text": row.text} for key, row in folder.documents.items()]
    questions = [{"_id": str(number), "text": question} for number, (question, _) in enumerate(made)]
    for name, lines in (("corpus", rows), ("queries", questions)):
        (out / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    judged = "".join(f"{number}\t{document}\t1\n" for number, (_, document) in enumerate(made))
    (out / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged, encoding="utf-8")


def main() -> None:
    """Make and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kind", choices=("slips", "exclusions"), required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--most", type=int, default=300)
    arguments = parser.parse_args()
    folder, chance = load_folder(arguments.folder, arguments.split), random.Random(SEED)
    made = list({"slips": slips, "exclusions": exclusions}[arguments.kind](folder, chance))
    write(folder, made if len(made) <= arguments.most else chance.sample(made, arguments.most), arguments.out)
    print(f"{min(len(made), arguments.most)} of {len(made)} questions in {arguments.out}")


if __name__ == "__main__":
    main()
