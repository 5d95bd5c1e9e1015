"""Questions for a workspace that has none, made from its own documents and clearly marked as such.

Each rests on one self-contained sentence, quoted word for word. Without a language model the question is a known-item
query (Azzopardi, de Rijke and Balog, "Building Simulated Queries for Known-Item Topics: An Analysis Using Six European
Languages", SIGIR 2007): a few of the sentence's words, drawn so that rare ones are likelier. At most half of its words
are taken, so that they do not simply repeat it. Equal corpora give equal questions.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import polars as pl

from evals.questions.labels import locate
from evals.questions.question import SHORTEST_QUOTE, Question, Relevant
from rag_platform.answering.coverage import term_weights
from rag_platform.core.ids import digest
from rag_platform.core.principals import PUBLIC
from rag_platform.storage.atomic import write_bytes
from rag_platform.text.sentences import split_sentences

TAG = "synthetic"
Weight = Callable[[str], float]
QuestionMaker = Callable[[str, str], tuple[str, str, str] | None]
"""(a sentence, what stands around it) to (question, quote, answer); None: no question could be made of it."""

_PER_DOCUMENT = 3
_TRIED = 50
"""Documents looked at for each question that is wanted: a source of tables alone is not read to its end each time."""
_CONTEXT = 1_200
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_ENDED = re.compile(r"[.!?。！？।॥۔؟][\"'”’»)\]]*$")
_TELLING = 1 / 3
"""Words that weigh less than this share of the sentence's rarest are never drawn."""
_UNFIT = re.compile(r"https?://|\]\(|www\.|[|{}<>\\=]|©|\bcookies?\b", re.IGNORECASE)
# A sentence that begins so says little without the one before it.
_LEANS = frozenset(
    word
    for words in (
        "this that these those it its he she they his her their such here there then thus so and but or however",
        "therefore also both dies diese dieser dieses das er sie es und aber oder auch dort dann hier",
        "ce cette ces il elle ils et esto esta este ello y pero यह ये वह वे इस इन उस उन और लेकिन",
    )
    for word in words.split()
)


def generate(documents: pl.DataFrame, weight: Weight, count: int, ask: QuestionMaker | None = None) -> list[Question]:
    """Make at most `count` questions, spread over sources, languages and documents.

    Args:
        documents: A version's: source, uri, doc_id, language, principals, text.
        weight: The rarity of a word in the version.
        count: Most questions.
        ask: Makes the question, with a language model; where it makes none, and without it, the words are drawn.
    """
    made: dict[str, Question] = {}
    per_document = min(_PER_DOCUMENT, -(-count // max(1, documents.height)))
    for document in islice(_spread(documents), _TRIED * count):
        if len(made) >= count:
            break
        wanted = min(per_document, count - len(made))
        for question in islice(_of_document(document, documents, weight, ask), wanted):
            made[question.id] = question
    return [*made.values()]


def question_rows(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Return questions as a question set has them."""
    rows = []
    for question in questions:
        row = {
            "id": question.id,
            "question": question.question,
            "relevant": [{"uri": label.uri, "quote": label.quote} for label in question.relevant],
            "answer": question.answers[0] if question.answers else None,
            "tags": list(question.tags),
            "language": question.language,
            "principal": question.principal,
            "answerable": None if question.answerable else False,
        }
        rows.append({key: value for key, value in row.items() if value not in (None, [])})
    return rows


def write_questions(path: Path, questions: Sequence[Question]) -> None:
    """Write a question set in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, _lines(questions).encode())


def replace_questions(path: Path, gone: Collection[str], new: Sequence[Question]) -> None:
    """Take questions out of a set and add others; what else the file holds stays as somebody wrote it."""
    with path.open(encoding="utf-8-sig") as file:
        kept = [line.rstrip("\n") for line in file if line.strip() and json.loads(line)["id"].strip() not in gone]
    write_bytes(path, ("".join(f"{line}\n" for line in kept) + _lines(new)).encode())


def _lines(questions: Sequence[Question]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in question_rows(questions))


def _spread(documents: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield documents in an order of chance that is always the same, each source and language in its turn."""
    groups = defaultdict(list)
    for row in documents.select("source", "uri", "doc_id", "language", "principals", "text").iter_rows(named=True):
        groups[row["source"], row["language"]].append(row)
    in_turn = zip_longest(*(sorted(rows, key=_by_chance) for _, rows in sorted(groups.items())))
    yield from (row for turn in in_turn for row in turn if row is not None)


def _by_chance(document: Mapping[str, Any]) -> str:
    return digest(TAG, document["doc_id"])


def _of_document(
    document: dict[str, Any], documents: pl.DataFrame, weight: Weight, ask: QuestionMaker | None
) -> Iterator[Question]:
    text, language = document["text"], document["language"]
    found = [(start, end) for start, end, kind in split_sentences(text) if kind == "prose" and _fit(text[start:end])]
    for start, end in sorted(found, key=lambda span: digest(TAG, document["doc_id"], text[slice(*span)])):
        sentence = " ".join(text[start:end].split())
        if documents["text"].str.contains(text[start:end], literal=True).sum() > 1:
            continue  # boilerplate
        around = text[max(0, start - _CONTEXT // 2) : end + _CONTEXT // 2]
        written = ask(sentence, around) if ask else None
        question = _question(document, *(written or (draw(sentence, language, weight), sentence, "")))
        if question and not locate([question], documents)[0].problem:
            yield question


def _question(document: Mapping[str, Any], words: str, quote: str, answer: str) -> Question | None:
    quote = " ".join(quote.split())
    if not words.strip() or len(quote.replace(" ", "")) < SHORTEST_QUOTE or quote.casefold() in words.casefold():
        return None
    public = PUBLIC in document["principals"]
    return Question(
        id=f"{TAG}-{digest(document['doc_id'], quote, length=10)}",
        question=words.strip(),
        relevant=(Relevant(document["uri"], quote),),
        answers=(answer.strip(),) if answer.strip() else (),
        tags=(TAG,),
        language=document["language"],
        principal=None if public else document["principals"][0],
    )


def _fit(sentence: str) -> bool:
    """Return whether a sentence says something by itself."""
    words = sentence.split()
    if _UNFIT.search(sentence) or not _ENDED.search(sentence):
        return False
    if _UNSPACED.search(sentence):
        return 16 <= len(sentence) <= 120
    first = words[0].strip("\"'“„«(*_").casefold()
    return 40 <= len(sentence) <= 320 and len(words) >= 6 and first not in _LEANS


def draw(sentence: str, language: str, weight: Weight) -> str:
    """Draw three to five of a sentence's words, at most half of them, rare ones likelier, in their order.

    Weighted sampling without replacement (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006),
    with a hash for chance. A script without spaces is drawn from in pieces of four characters.
    """
    words = [*dict.fromkeys(_words(sentence, language))]
    rarest = max(map(weight, words), default=0.0)
    words = [word for word in words if weight(word) > _TELLING * rarest]
    keys = {}
    for word in words:
        chance = (int(digest(TAG, sentence, word), 16) + 1) / 2**64
        keys[word] = chance ** (1 / max(1e-6, weight(word)))
    size = min(5, max(3, len(words) // 2))
    if len(words) <= size:
        return ""
    drawn = sorted(words, key=lambda word: -keys[word])[:size]
    return " ".join(word for word in words if word in drawn)


def _words(sentence: str, language: str) -> Iterator[str]:
    """Yield what may become part of a question: no words that only ask or join."""
    for word in re.split(r"[\s,.;:!?()\[\]\"'“”„‘’«»…/*_`、，。；：！？（）《》「」।॥–—-]+", sentence):
        if _UNSPACED.search(word):
            yield from (word[start : start + 4] for start in range(0, len(word) - 1, 4))
        elif len(word) > 1 and term_weights(word, language, lambda _: 1.0):
            yield word
