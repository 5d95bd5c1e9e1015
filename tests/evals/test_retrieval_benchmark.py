"""The benchmark of rankings: which questions it asks, what it makes of other sets, and what its tables say."""

import csv
import json
from pathlib import Path

import pytest

from benchmarks.retrieval.development_sets import HALVES, Collection, half_of
from benchmarks.retrieval.made import mixed, nepali
from benchmarks.retrieval.scoring import asked
from benchmarks.retrieval.tables import Scored, changes, modes, parts
from benchmarks.retrieval.trees import ROOT, Tree
from evals.benchmark.beir import load_folder

TEXTS = {"a": "Herons nest beside the red lamp.", "b": "The ferry sails at noon.", "c": "Nobody asks for this one."}


@pytest.fixture
def write(tmp_path):
    """Write a folder in the layout of BEIR: question -> (text, the document that answers it, metadata)."""

    def _write(questions: dict[str, tuple[str, str, dict]], name: str = "river", splits: tuple = ("test",)) -> Path:
        folder = tmp_path / name
        (folder / "qrels").mkdir(parents=True)
        rows = [{"_id": key, "title": "", "text": text} for key, text in TEXTS.items()]
        asked = [{"_id": key, "text": row[0], "metadata": row[2]} for key, row in questions.items()]
        for file, lines in (("corpus", rows), ("queries", asked)):
            (folder / f"{file}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        for place, split in enumerate(splits):
            mine = [(key, row[1]) for key, row in questions.items() if key.endswith(str(place)) or len(splits) == 1]
            lines = "".join(f"{key}\t{document}\t1\n" for key, document in mine)
            (folder / "qrels" / f"{split}.tsv").write_text(lines)
        return folder

    return _write


def test_halves_are_a_set_s_own_splits_else_by_the_id(write) -> None:
    plain = Collection("plain", "english", write({str(n): ("?", "a", {}) for n in range(20)}))
    halves = plain.questions(100)
    assert all(half_of(key) == half for half, keys in halves.items() for key in keys)
    assert len(halves["tuning"]) + len(halves["held-out"]) == 20
    assert {half: keys[:3] for half, keys in halves.items()} == plain.questions(3)

    marked = write({"x": ("?", "a", {"split": "dev"}), "y": ("?", "a", {"split": "test"})}, "marked")
    assert Collection("marked", "english", marked).questions(9) == {"tuning": ["x"], "held-out": ["y"]}

    split = write({"q0": ("?", "a", {}), "q1": ("?", "b", {})}, "split", ("train", "test"))
    both = Collection("split", "english", split, {"tuning": "train", "held-out": "test"})
    assert both.questions(9) == {"tuning": ["q0"], "held-out": ["q1"]}
    assert asked(split, ["train", "test"], ["q0", "q1"], 0).qrels == {"q0": {"a": 1}, "q1": {"b": 1}}


def test_a_sample_of_a_corpus_holds_what_is_judged(write) -> None:
    folder = write({"q": ("?", "c", {})})
    some = asked(folder, ["test"], ["q"], 2)
    assert len(some.documents) == 2
    assert "c" in some.documents
    assert some.name != asked(folder, ["test"], ["q"], 0).name


def test_nepali_questions_are_of_words_that_the_comment_has_or_had(tmp_path) -> None:
    text = "नेपालमा वनजङ्गल संरक्षण गर्ने नियम सरकारले हिजो काठमाडौंमा पारित गरेपछि स्थानीय किसानहरूले खुसी मनाउँदै धन्यवाद दिएका छन्"
    with (tmp_path / "comments.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [["0", "GENERAL", "x", text], ["0", "GENERAL", "y", text], ["1", "GENERAL", "z", "छोटो"]]
        )
    words = load_folder(nepali(tmp_path / "comments.csv", tmp_path / "words", "words"))
    cloze = load_folder(nepali(tmp_path / "comments.csv", tmp_path / "cloze", "cloze"))
    assert (len(words.documents), len(words.questions), words.qrels) == (2, 1, {"0": {"0": 1}})
    assert set(words.questions["0"].question.split()) < set(text.split())
    question, left = cloze.questions["0"].question, cloze.documents["0"].text
    assert question in text
    assert sorted([*question.split(), *left.split()]) == sorted(text.split())


def test_in_a_mixed_corpus_each_question_wants_its_own_language(tmp_path) -> None:
    documents = [{"_id": str(n), "title": "", "text": f"text {n}"} for n in range(7)]
    questions = [{"_id": "q", "text": "which?", "answers": ["6"]}]
    made = {
        one.name: load_folder(one.folder)
        for one in mixed(dict.fromkeys(("en", "de"), (documents, questions)), tmp_path)
    }
    assert made["own, de"].qrels == {"q": {"de/6": 1}}
    assert len(made["own, de"].documents) == 14
    assert made["dealt, de"].qrels == {"q": {"6": 1}}
    assert len(made["dealt, de"].documents) == 7


def _scored(**runs: tuple[float, float]) -> Scored:
    questions = {"tuning": ["a", "b"], "held-out": []}
    trees = [{name: {"ndcg": dict(zip("ab", values, strict=True)), "ms": 7.0} for name, values in runs.items()}] * 2
    return Scored(Collection("river", "english", Path()), questions, trees)


def test_tables_compare_with_the_better_retriever_of_the_same_questions() -> None:
    row = _scored(
        words=(0.5, 0.3), meaning=(0.6, 0.6), RRF=(0.6, 0.6), hybrid=(0.6, 0.6), rerank=(0.9, 0.9), gone=(0.7, 0.7)
    )
    table = modes([row])
    assert "english, tuning" in table
    assert HALVES[1] not in table
    assert (
        "| river | 2 | 0.4000 | 0.6000 | 0.6000 | 0.6000 | 0 | 0.9000 | +0.3000 [+0.300, +0.300] | 1.500 | 7 |" in table
    )
    assert "0.9000 → 0.9000, 0" in changes([row])
    assert "+0.2000" in parts([row], ["gone"])


def test_a_collection_is_scored_by_the_product_of_a_checkout(write, tiny_model_folder, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RAG_MODEL__NAME", "tiny")
    monkeypatch.setenv("RAG_MODEL__FOLDER", str(tiny_model_folder))
    collection = Collection("river", "given", write({"q": ("herons of the lamp", "a", {})}))
    tree = Tree(ROOT, tmp_path / "home", tmp_path / "kept")
    runs = {"words": ("lexical", {}), "odd": ("lexical", {"nothing": {"is": "so"}})}
    scores = tree.score(collection, ["q"], runs)
    assert scores["words"]["ndcg"] == {"q": 1.0}
    assert "nothing" in scores["odd"]["failed"]
    (kept,) = (tmp_path / "kept").iterdir()
    kept.write_text(kept.read_text().replace("1.0", "0.5"))
    assert tree.score(collection, ["q"], {"words": runs["words"]})["words"]["ndcg"] == {"q": 0.5}
