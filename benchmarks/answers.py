"""Measure answers without a language model, and fit when to decline.

    python -m benchmarks.answers FOLDER... [--half tune|report] [--questions 120] [--mode rerank] [--home DIR] [--fit]

FOLDER is BEIR-like: corpus.jsonl, queries.jsonl, qrels/test.tsv; or QUESTIONS.jsonl=DIRECTORY, a question set and the
Markdown files that it is about. Each question is searched and answered by the whole platform, and once more without the
documents that answer it: then there is no answer. Of what else is left some may answer all the same, where documents
repeat each other. Questions that a set says to have no answer are asked as they are. Questions fall into two halves by
a hash of their ids: one to choose by, one to report.

Told of each set: of the answerable questions, how many are answered at the threshold, how many answers hold a gold
answer or sentence (or cite its document, where the set names nothing smaller), in how many the first sentence does, and
which share of all citations does; sentences and words of an answer, and milliseconds (median) to write it once it was
searched for. Then how many questions are declined: the share of the unanswerable ones (recall), which share of those
declined had no answer (precision, with both kinds counted as equally many), the area under the curve, and the best that
precision and recall can both be at another threshold.

`--fit` prints coefficients of `answerability`, each family of sets (the languages of one are one) and each kind of
question counting the same, and how each set does by coefficients to which its family gave nothing, with intervals of
95 % (bootstrap over the questions).
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

import numpy as np

from evals.benchmark.beir import BeirDocument, BeirFolder, load_folder
from evals.commands.evaluation import index_corpus
from evals.measures.answer_metrics import contains, normalise, unmarked
from evals.questions.question import Question, load_questions
from rag_platform.answering import Answerer
from rag_platform.answering.generators.answerability import Features, extract_features
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.config.settings import MODES, Mode
from rag_platform.config.settings_file import load_settings
from rag_platform.core.answers import Answer
from rag_platform.core.hits import Hit
from rag_platform.core.ids import digest
from rag_platform.core.ports import silent
from rag_platform.models.calibration import sigmoid
from rag_platform.text.sentences import split_sentences
from rag_platform.workspace import Workspace

_RIDGE = 1e-3
_SAMPLES = 500
_MORE = 10
"""Further hits that are searched for, from which those that answer are taken out."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question."""

    question: Question
    answerable: bool
    """Whether the documents that answer were there."""
    answer: Answer
    """Given whatever the threshold."""
    probability: float
    """That the hits hold an answer; 0: nothing relevant was found."""
    features: Features | None
    """None where there is nothing to fit: no hits, or a language that the model does not read."""
    found: bool
    """Whether a document that answers is among the hits."""


def tuning(key: str) -> bool:
    """Tell in which half something is, by its id."""
    return int(digest(key), 16) % 2 == 0


def load(path: str) -> BeirFolder:
    """Read a folder, or a question set and its files."""
    questions, _, directory = path.partition("=")
    if not directory:
        folder = load_folder(Path(path))
        name = f"{folder.name}-{Path(path).resolve().parent.name}" if len(folder.name) < 3 else folder.name
        return replace(folder, name=name, questions=_with_sentences(folder, Path(path)))
    root = Path(directory).resolve()
    files = {f"{root.name}/{one.relative_to(root)}": one for one in sorted(root.rglob("*.md"))}
    documents = {key: BeirDocument("", one.read_text(encoding="utf-8")) for key, one in files.items()}
    return BeirFolder(Path(questions).stem, "", documents, {q.id: q for q in load_questions([Path(questions)])}, {})


def _with_sentences(folder: BeirFolder, path: Path) -> dict[str, Question]:
    """Put the sentences that people selected, where a set has them, in the place of the answers that they wrote."""
    questions = dict(folder.questions)
    for line in (path / "queries.jsonl").read_text(encoding="utf-8").split("\n"):
        row = json.loads(line or "{}")
        chosen = [one for some in (row.get("metadata") or {}).get("selected_sentences", ()) for one in some if one]
        if chosen and row["_id"] in questions:
            questions[row["_id"]] = replace(questions[row["_id"]], answers=tuple(chosen))
    return questions


def ask_all(workspace: Workspace, questions: Sequence[Question], mode: Mode) -> Iterator[Asked]:
    """Answer each question whatever the threshold, and tell how probable an answer is."""
    settings = workspace.settings
    anyhow = settings.model_copy(update={"answer": settings.answer.model_copy(update={"threshold": 0.0})})
    view, embedder_of = workspace.retriever.live().whole_view, workspace.retriever.embedder_of
    extractive = Extractive.as_set(workspace.embedder, anyhow.answer).over(view, embedder_of)
    answerer = Answerer(workspace.retriever, extractive, workspace.embedder, None, anyhow)
    for question in questions:
        answer = answerer.ask(question.question, mode=mode)
        yield _asked(extractive, question, answer, answer.hits, answerable=question.answerable)
        if names := documents(question):
            result = workspace.retriever.search(question.question, k=len(answer.hits) + _MORE, mode=mode)
            left = [hit for hit in result.hits if hit.uri.rsplit("/", 1)[-1] not in names][: len(answer.hits)]
            yield _asked(extractive, question, answer, left, answerable=False)


def _asked(
    extractive: Extractive, question: Question, answer: Answer, hits: Sequence[Hit], *, answerable: bool
) -> Asked:
    evidence = extractive.evidence(question.question, hits) if hits else None
    features = extract_features(evidence) if evidence and evidence.candidates and evidence.understood else None
    likely = extractive.answerability(evidence) if evidence and not answer.abstained else 0.0
    found = not documents(question).isdisjoint(hit.uri.rsplit("/", 1)[-1] for hit in hits)
    return Asked(question, answerable, answer, likely, features, found)


def documents(question: Question) -> set[str]:
    """Name the documents that answer, by the last part of their uris."""
    return {one.uri.rsplit("/", 1)[-1] for one in question.relevant}


# --- what answers hold -----------------------------------------------------------------------------------------------


def holds(text: str, question: Question) -> bool:
    """Tell whether a text has a gold answer, or is most of a gold sentence."""
    said = normalise(text)
    return any(contains(text, gold) or (len(said) > 20 and said in normalise(gold)) for gold in question.answers)


def _quality(asked: Sequence[Asked]) -> dict[str, float]:
    """Measure given answers; without gold sentences that stand in the corpus, by the document alone."""
    verbatim = sum(any(holds(hit.text, one.question) for hit in one.answer.hits) for one in asked) > len(asked) / 2
    gold, first, right, cited, sentences, words = 0, 0, 0, 0, 0, 0
    for one in asked:
        text, names = unmarked(one.answer.answer), documents(one.question)
        spans = split_sentences(text)
        good = [
            holds(c.quote, one.question) if verbatim else c.uri.rsplit("/", 1)[-1] in names
            for c in one.answer.citations
        ]
        gold += holds(text, one.question) if verbatim else any(good)
        first += (
            holds(text[spans[0].start : spans[0].end], one.question) if verbatim and spans else bool(good[:1] == [True])
        )
        right, cited = right + sum(good), cited + len(good)
        sentences, words = sentences + len(spans), words + len(text.split())
    count = max(1, len(asked))
    shares = {"gold": gold / count, "first": first / count, "citations": right / max(1, cited)}
    return shares | {"sentences": sentences / count, "words": words / count}


# --- whether to answer -----------------------------------------------------------------------------------------------


def declining(asked: Sequence[Asked], threshold: float) -> tuple[float, float, float]:
    """Return the share of answerable questions answered; precision and recall of declining, kinds weighing alike."""
    own, others = _probabilities(asked)
    recall, wrongly = float((others < threshold).mean()), float((own < threshold).mean())
    return 1 - wrongly, recall / max(1e-9, recall + wrongly), recall


def _probabilities(asked: Sequence[Asked]) -> tuple[np.ndarray, np.ndarray]:
    own = [one.probability for one in asked if one.answerable]
    return np.array(own), np.array([one.probability for one in asked if not one.answerable])


def _best(asked: Sequence[Asked]) -> tuple[float, float]:
    """Return the largest value that precision and recall of declining can both have, and its threshold."""
    tried = sorted({one.probability for one in asked})
    return max((min(declining(asked, threshold)[1:]), threshold) for threshold in tried)


def _area(asked: Sequence[Asked]) -> float:
    own, others = _probabilities(asked)
    return float((own[:, None] > others).mean() + (own[:, None] == others).mean() / 2)


def fit(sets: Sequence[Sequence[Asked]]) -> np.ndarray:
    """Fit a logistic curve by Newton's method: constant, then the weight of each sign."""
    inputs, labels, weights = [], [], []
    for asked in sets:
        usable = [one for one in asked if one.features and (one.found or not one.answerable)]
        kinds = np.array([one.answerable for one in usable])
        inputs += [(1.0, *astuple(one.features)) for one in usable]
        labels += kinds.tolist()
        weights += np.where(kinds, 0.5 / max(1, kinds.sum()), 0.5 / max(1, (~kinds).sum())).tolist()
    design, wanted, weight = np.array(inputs), np.array(labels, float), np.array(weights)
    scale = np.array([1.0, *design[:, 1:].std(axis=0)])
    design, weight = design / scale, weight / weight.mean()
    ridge = np.diag([1e-9] + [_RIDGE * len(wanted)] * (design.shape[1] - 1))
    found = np.zeros(design.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-design @ found))
        curvature = design.T @ ((weight * likely * (1 - likely))[:, None] * design) + ridge
        found += np.linalg.solve(curvature, design.T @ (weight * (wanted - likely)) - ridge @ found)
    return found / scale


def judged_by(coefficients: np.ndarray, asked: Sequence[Asked]) -> list[Asked]:
    """Give each question the probability by other coefficients; one that was declined before stays so."""
    return [
        replace(one, probability=float(sigmoid(coefficients @ (1.0, *astuple(one.features)))))
        if one.features and one.probability
        else one
        for one in asked
    ]


# --- telling ---------------------------------------------------------------------------------------------------------


def report(name: str, asked: Sequence[Asked], threshold: float) -> None:
    """Print a set's figures."""
    answered, precision, recall = declining(asked, threshold)
    given = [one for one in asked if one.answerable and one.probability >= threshold]
    quality = "  ".join(f"{key} {value:.3f}" for key, value in _quality(given).items())
    both, at = _best(asked)
    written = np.median([one.answer.took_ms["generate"] for one in asked])
    print(f"{name}: {len(asked)} searches, {sum(one.answerable for one in asked)} answerable")
    print(f"  answered {answered:.3f}  {quality}  ms {written:.0f}")
    print(f"  declining: precision {precision:.3f}  recall {recall:.3f}  area {_area(asked):.3f}", end="  ")
    print(f"both {both:.3f} at {at:.2f}", flush=True)


def report_fit(sets: dict[str, list[Asked]], threshold: float) -> None:
    """Print coefficients, and what they are worth on sets to which they were not fitted."""
    chosen = {name: [one for one in asked if tuning(one.question.id)] for name, asked in sets.items()}
    coefficients = fit(list(chosen.values()))
    print("fitted: constant", *(f"{value:.2f}" for value in coefficients[:1]), "weights", end=" ")
    print(
        ", ".join(f"{field.name} {value:.2f}" for field, value in zip(fields(Features), coefficients[1:], strict=True))
    )
    for name, asked in sets.items() if len({*map(family, sets)}) > 2 else ():
        others = fit([some for other, some in chosen.items() if family(other) != family(name)])
        unseen = judged_by(others, asked)
        shares = " ".join(f"{part} {_interval(unseen, part, threshold)}" for part in ("area", "answered", "declined"))
        print(f"  without {family(name)}, {name}: {shares}")


def family(name: str) -> str:
    """Return what the languages of a set have in common: XQuAD's folders are named by their language alone."""
    return name.split("-")[1] if len(name.split("-", maxsplit=1)[0]) == 2 and "-" in name else name


def _interval(asked: Sequence[Asked], part: str, threshold: float) -> str:
    """Return a share, with what it is in most samples of the same questions."""
    parts: dict[str, Callable[[Sequence[Asked]], float]] = {
        "area": _area,
        "answered": lambda some: declining(some, threshold)[0],
        "declined": lambda some: declining(some, threshold)[2],
    }
    chance = np.random.default_rng(0)
    own, others = ([one for one in asked if one.answerable is kind] for kind in (True, False))
    drawn = [
        parts[part]([some[place] for some in (own, others) for place in chance.integers(len(some), size=len(some))])
        for _ in range(_SAMPLES)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{parts[part](asked):.3f} ({low:.2f}–{high:.2f})"


def main() -> None:
    """Ask, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--half", choices=("tune", "report"))
    parser.add_argument("--questions", type=int, help="of each set (default: all)")
    parser.add_argument("--mode", choices=MODES, default="rerank")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    sets: dict[str, list[Asked]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        parent = Workspace(load_settings(arguments.home or Path(temporary)))
        for path in arguments.folders:
            folder = load(path)
            print(f"{folder.name} …", file=sys.stderr, flush=True)
            workspace = index_corpus(parent, folder, lambda _: silent, {})
            wanted = [
                q for q in folder.questions.values() if arguments.half in (None, "tune" if tuning(q.id) else "report")
            ]
            wanted = sorted(wanted, key=lambda question: digest("sample", question.id))[: arguments.questions]
            sets[folder.name] = list(ask_all(workspace, wanted, arguments.mode))
            threshold = Extractive(workspace.embedder, threshold=workspace.settings.answer.threshold).threshold
            report(folder.name, sets[folder.name], threshold)
    if arguments.fit:
        report_fit(sets, threshold)


if __name__ == "__main__":
    main()
