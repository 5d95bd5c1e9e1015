"""What terminal, API and receipts say of an answer beside its text."""

from dataclasses import replace

import pytest

from rag_platform.core.answers import Answer, Citation, JudgedClaim
from rag_platform.journal.answer_notes import (
    HOW_TO_ADD,
    answer_notes,
    missing_document,
    searched_in_words,
    state_in_words,
    states_in_words,
)

QUOTED = JudgedClaim("It runs until dusk.", (0, 19), "quoted", 1.0, "verbatim", (1,))
SUPPORTED = JudgedClaim("It stops at dusk.", (24, 41), "supported", 0.873, "nli:tiny", (1,))
UNVERIFIED = JudgedClaim("It is blue.", (46, 57), "unverified", None, "words 1")
DENIED = JudgedClaim("It runs all night.", None, "contradicted", 0.02, "nli:tiny", (1,))
QUOTE = Citation(1, "d", "c", "site/ferry.md", "The ferry", "It runs until dusk.", (0, 19), "ab", None)
ANSWER = Answer("When?", "…", False, (QUOTE,), "v1", "tiny", "r1", claims=(QUOTED, SUPPORTED, UNVERIFIED, DENIED))


def test_states_are_counted_and_each_says_how_sure_it_is_and_by_which_check() -> None:
    assert states_in_words(ANSWER.claims) == "4 sentences: 1 quoted, 1 supported, 1 not verified, 1 contradicted"
    assert states_in_words(()) == ""
    quoted = [claim for claim in ANSWER.claims if claim.state == "quoted"]
    assert (states_in_words(quoted), states_in_words(quoted * 2)) == (
        "1 quote, word for word",
        "2 quotes, word for word",
    )
    assert [*map(state_in_words, ANSWER.claims)] == [
        *("quoted", "supported (87%, nli:tiny)", "not verified (words 1)", "contradicted (2%, nli:tiny)")
    ]


@pytest.mark.parametrize(("span", "done"), [(None, "taken away"), ((62, 80), "marked [!]")])
def test_what_is_doubted_is_named_with_what_denies_it(span: tuple[int, int] | None, done: str) -> None:
    answer = replace(ANSWER, claims=(UNVERIFIED, replace(DENIED, span=span)), warnings=("the server was late",))
    assert answer_notes(answer) == [
        "not verified: 1 of 2 sentences, marked [?]: “It is blue.”",
        f"contradicted, {done}: “It runs all night.”; the source says “It runs until dusk.” (The ferry)",
        "the server was late",
    ]


def test_the_verdict_and_what_other_languages_say_are_told() -> None:
    german = replace(QUOTE, n=0, language="de", quote="Sie fährt bis zur Dämmerung.", title="Die Fähre")
    assert answer_notes(replace(ANSWER, claims=(), verdict="no", also=(german,))) == [
        "the first quote says no",
        "also in German: “Sie fährt bis zur Dämmerung.” (Die Fähre)",
    ]
    assert answer_notes(replace(ANSWER, claims=(), also=(replace(german, language="xx"),)))[0].startswith("also in xx")


def test_what_is_missing_is_offered_with_what_is_nearest(make_hit) -> None:
    hits = (make_hit(1, "One."), make_hit(2, "Two.", doc_id="doc-1", start=200), make_hit(3, "Three."))
    answer = replace(ANSWER, abstained=True, hits=hits, searched=1200, queries=("ferry at night",))
    offered = missing_document(answer)
    assert offered and (offered["searched"], offered["add"]) == (1200, HOW_TO_ADD)
    assert [near["chunk_id"] for near in offered["nearest"]] == [hits[0].chunk_id, hits[2].chunk_id]
    assert searched_in_words(answer) == "searched 1,200 documents for: ferry at night"
    assert missing_document(ANSWER) is None
