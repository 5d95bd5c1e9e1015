"""BEIR-style folders: odd rows are told and left out, ids are text, the corpus is a source."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.benchmark.beir import BeirSource, load_folder
from evals.questions.question import Relevant
from rag_platform.core.errors import QuestionSetError
from rag_platform.core.ports import Validators

CORPUS = [
    {"_id": "d1", "title": "Weirs", "text": "Weirs hold rivers\u2028back\u0085 for mills.", "metadata": {}},
    {"_id": 2, "title": "", "text": "A ferry crosses."},
    {"_id": "d3", "title": "Only a title", "text": " "},
    {"_id": "d4", "title": None, "text": ""},
]
QUERIES = [
    {"_id": 1, "text": "What holds rivers?", "metadata": {"answers": ["weirs", ""], "answerable": True}},
    {"_id": "q2", "text": "Who lives on the moon?", "metadata": {"answers": [""], "answerable": False}},
    {"_id": "q3", "text": "Is it so?", "metadata": {"answer": "yes", "long_answer": "It is so."}},
]
QRELS = "query-id\tcorpus-id\tscore\n1\td1\t2\n1\t2\t0\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def _write(corpus: list | str = CORPUS, queries: list | str = QUERIES, qrels: str = QRELS) -> Path:
        for name, rows in (("corpus", corpus), ("queries", queries)):
            text = rows if isinstance(rows, str) else "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
            (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")
        (tmp_path / "qrels").mkdir(exist_ok=True)
        (tmp_path / "qrels" / "test.tsv").write_text(qrels, newline="\n")
        return tmp_path

    return _write


def test_a_folder_is_read_whole_with_ids_as_text(write) -> None:
    folder = load_folder(write())
    assert [*folder.documents] == ["d1", "2", "d3", "d4"]
    assert folder.documents["d1"].text == "Weirs hold rivers\u2028back\u0085 for mills."
    assert folder.qrels == {"1": {"d1": 2, "2": 0}}
    assert folder.problems == ()
    one, two, three = folder.questions.values()
    assert (one.relevant, one.answers) == ((Relevant("d1", ""),), ("weirs",))
    assert (two.answerable, two.answers) == (False, ())
    assert three.answers == ("yes", "It is so.")
    assert folder.answered


def test_without_gold_answers_only_retrieval_can_be_scored(write) -> None:
    assert not load_folder(write(queries=[{"_id": "1", "text": "What?", "metadata": {"other": 1}}])).answered


def test_odd_rows_are_left_out_each_with_its_reason(write) -> None:
    corpus = "\n".join(
        [
            json.dumps(CORPUS[0]),
            "{broken",
            '["no", "object"]',
            '{"text": "no id"}',
            "",
            json.dumps(CORPUS[0]),
            "[" * 9999,
        ]
    )
    queries = [*QUERIES[:1], {"_id": "empty", "text": " "}]
    folder = load_folder(write(corpus, queries, QRELS + "1\td9\t1\nq9\td1\t1\n1\td1\tmany\nempty\td1\t1\nalone\n"))
    assert [*folder.documents] == ["d1"]
    assert folder.qrels == {"1": {"d1": 2, "2": 0, "d9": 1}}
    expected = [
        "corpus.jsonl:2: not valid JSON",
        "corpus.jsonl:3: no `_id`",
        "corpus.jsonl:4: no `_id`",
        "corpus.jsonl:6: _id = 'd1' was there before",
        "corpus.jsonl:7: not valid JSON",
        "queries.jsonl: _id = 'empty': its text is empty",
        "test.tsv:3: there is no document '2'; it counts as not found",
        "test.tsv:4: there is no document 'd9'; it counts as not found",
        "test.tsv:5: there is no question 'q9'",
        "test.tsv:6: '1\\td1\\tmany': expected question, document, grade",
        "test.tsv:7: there is no question 'empty'",
        "test.tsv:8: 'alone': expected question, document, grade",
    ]
    assert len(folder.problems) == len(expected)
    for problem, start in zip(folder.problems, expected, strict=True):
        assert problem.startswith(start)


def test_bytes_that_are_no_utf8_cost_their_row_only(write) -> None:
    path = write()
    (path / "corpus.jsonl").write_bytes(
        b'{"_id": "x", "text": "\xe9"}\n\xef\xbb\xbf{"_id": "y"}\n{"_id": "z", "text": "z"}\n'
    )
    folder = load_folder(path)
    assert "z" in folder.documents
    assert folder.problems[0] == "corpus.jsonl:1: not UTF-8 (invalid continuation byte); left out"


@pytest.mark.parametrize(
    "qrels",
    ["1\td1\t1\n", "query-id\tcorpus-id\tscore\r\n1\td1\t1\r\n", "1 0 d1 1\n", "1\tQ0\td1\t1.0\n", "1 d1 1"],
    ids=["no header", "carriage returns", "TREC", "TREC with tabs", "spaces"],
)
def test_judgements_come_in_several_shapes(write, qrels) -> None:
    folder = load_folder(write(qrels=qrels))
    assert folder.qrels == {"1": {"d1": 1}}
    assert folder.problems == ()


def test_a_byte_order_mark_is_no_part_of_the_first_row(write) -> None:
    path = write()
    for name in ("corpus.jsonl", "qrels/test.tsv"):
        (path / name).write_bytes(b"\xef\xbb\xbf" + (path / name).read_bytes())
    assert load_folder(path).problems == ()


def test_a_missing_split_names_those_there(write) -> None:
    with pytest.raises(QuestionSetError, match=r"dev\.tsv: there is no such file; splits there: test;"):
        load_folder(write(), split="dev")


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(QuestionSetError, match=r"corpus\.jsonl: there is no such file; expected corpus\.jsonl, "):
        load_folder(tmp_path)


@pytest.mark.parametrize("part", ["corpus", "queries", "qrels"])
def test_nothing_to_score_is_an_error(write, part) -> None:
    with pytest.raises(QuestionSetError, match="nothing to score"):
        load_folder(write(**{part: "\n"}))


def test_the_corpus_is_a_complete_source_of_plain_texts(write) -> None:
    source = BeirSource(load_folder(write()))
    listing = source.list()
    assert listing.complete
    first, second, title_only, empty = listing.items
    assert (first.uri, first.metadata) == ("d1", {"title": "Weirs", "type": "text"})
    fetched = source.fetch(first, Validators())
    assert fetched.content.decode() == "Weirs hold rivers\u2028back\u0085 for mills."
    assert fetched.content_type == "text/plain; charset=utf-8"
    assert second.metadata == {"type": "text"}
    assert (title_only.content, empty.content) == (b"Only a title", b"")
    assert len({item.fingerprint for item in listing.items}) == 4


def test_the_fingerprint_is_of_the_corpus_alone(write) -> None:
    fingerprint = load_folder(write()).fingerprint
    assert load_folder(write(queries=QUERIES[:1])).fingerprint == fingerprint
    assert load_folder(write(corpus=CORPUS[:3])).fingerprint != fingerprint


def test_what_no_encoding_holds_does_not_stop_the_corpus(write) -> None:
    folder = load_folder(write(corpus='{"_id": "s", "text": "half a pair: \\ud83d"}\n'))
    assert BeirSource(folder).list().items[0].content == b"half a pair: ?"
    assert folder.fingerprint
