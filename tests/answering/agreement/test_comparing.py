"""Who is one voice, where sources disagree, and what an answer says of it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rag_platform.answering.agreement.comparing import age_warnings, compare_sources, trust_warnings
from rag_platform.answering.agreement.disagreements import relation
from rag_platform.answering.agreement.origins import origins
from rag_platform.answering.coverage import term_weights, uniform_weight
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.core.answers import Citation
from rag_platform.journal.answer_notes import disagreement_note

ASKED = "How many days of paid leave do employees get?"
TRUE = "Employees get 25 days of paid leave per year."
FALSE = "Employees get 12 days of paid leave per year."


def _relation(question: str, one: str, other: str, language: str = "en") -> str | None:
    return relation(question, term_weights(question, language, uniform_weight), one, other, language)


@pytest.mark.parametrize(
    ("question", "one", "other", "told"),
    [
        (ASKED, TRUE, FALSE, "disagree"),
        (ASKED, TRUE, "In the office, employees get 25 days of paid leave each year.", "agree"),
        (ASKED, TRUE, f"{ASKED} The answer is 12.", "disagree"),
        (ASKED, TRUE, "Travel expenses are repaid within 12 days.", None),
        ("Who leads the office?", "The office is led by Anna Bell.", "The office is led by Carl Dunn.", "disagree"),
        ("Is parking free?", "Parking is free for all guests.", "Parking is not free for all guests.", "disagree"),
        ("What was sold?", "In 2015 the shop sold 30 boats.", "In 2016 the shop sold 44 boats.", None),
        (
            "Wann öffnet das Büro?",
            "Das Büro öffnet um 8 Uhr morgens.",
            "Das Büro öffnet um 10 Uhr morgens.",
            "disagree",
        ),
    ],
)
def test_sentences_agree_or_disagree(question: str, one: str, other: str, told: str | None) -> None:
    language = "de" if "Büro" in one else "en"
    assert _relation(question, one, other, language) == told
    assert _relation(question, other, one, language) == told


def test_one_host_and_what_is_made_alike_are_one_origin(make_hit) -> None:
    hits = [
        replace(make_hit(1, TRUE), uri="https://www.example.org/a"),
        replace(make_hit(2, "The office opens at eight in the morning."), uri="https://example.org/b"),
        replace(make_hit(3, f"{ASKED} It is 12."), uri="https://one.example/"),
        replace(make_hit(4, f"Many ask: {ASKED.lower()} As we all know, a dozen."), uri="https://two.example/"),
        replace(make_hit(5, "Quite another thing altogether, said elsewhere."), uri="notes/a.md", source="notes"),
    ]
    assert origins(ASKED, hits) == [0, 0, 2, 2, 4]


def _cited(hit, quote: str) -> Citation:
    start = hit.text.index(quote)
    span = (hit.span[0] + start, hit.span[0] + start + len(quote))
    return Citation(1, hit.doc_id, hit.chunk_id, hit.uri, hit.title, quote, span, hit.raw_sha256, hit.published_at)


def test_five_copies_of_one_origin_are_one_voice_and_their_lie_is_told(make_hit) -> None:
    lies = [
        replace(make_hit(place, FALSE, doc_id=f"lie-{place}"), uri=f"https://forum.example/{place}")
        for place in range(2, 7)
    ]
    hits = [replace(make_hit(1, TRUE), uri="handbook/leave.md"), *lies]
    [citation], [disagreement] = compare_sources(ASKED, [_cited(hits[0], TRUE)], hits, uniform_weight)
    assert citation.origins == 1
    assert (disagreement.said.quote, disagreement.against.quote) == (TRUE, FALSE)
    [lie], _ = compare_sources(ASKED, [_cited(hits[1], FALSE)], hits, uniform_weight)
    assert lie.origins == 1
    assert (disagreement.said_by, disagreement.against_by) == (1, 1)
    assert disagreement_note(disagreement) == (
        "sources disagree: 1 of 2 sources says “Employees get 25 days of paid leave per year.” (A title); "
        "the newer, of 6 March 2026, says “Employees get 12 days of paid leave per year.” (A title)"
    )


@pytest.mark.parametrize(
    ("days", "newest", "told"),
    [
        ((3, 4, 12), "against", "2 of 3 sources say {ours}; the newest, of 12 May 2026, says {theirs}"),
        ((3, 20, 12), "said", "2 of 3 sources, the newest of 20 May 2026, say {ours}; 1 says {theirs}"),
        ((3, 12, 12), "", "2 of 3 sources say {ours}; 1 says {theirs}"),
        ((3, None, 12), "", "2 of 3 sources say {ours}; 1 says {theirs}"),
    ],
)
def test_both_sides_are_counted_and_the_newest_is_named(make_hit, days, newest, told) -> None:
    texts = TRUE, "As we learned last week, employees get 25 days of leave, paid.", FALSE
    hits = [
        replace(
            make_hit(place, text),
            uri=f"https://{place}.example/",
            published_at=day and datetime(2026, 5, day, tzinfo=UTC),
        )
        for place, (text, day) in enumerate(zip(texts, days, strict=True), 1)
    ]
    _, [one] = compare_sources(ASKED, [_cited(hits[0], TRUE)], hits, uniform_weight)
    assert (one.said_by, one.against_by, one.newest) == (2, 1, newest)
    ours, theirs = f"“{TRUE}” ({hits[0].title})", f"“{FALSE}” ({hits[2].title})"
    assert disagreement_note(one) == "sources disagree: " + told.format(ours=ours, theirs=theirs)


def test_what_is_said_against_two_quotes_is_told_once(make_hit) -> None:
    children = "Employees get 25 days of paid leave per year, and one more for each child."
    texts = (TRUE, children, FALSE)
    hits = [replace(make_hit(n, text), uri=f"https://h{n}.example/") for n, text in enumerate(texts, 1)]
    quotes = [_cited(hit, hit.text) for hit in hits[:2]]
    _, disagreements = compare_sources(ASKED, quotes, hits, uniform_weight)
    assert [(one.said.quote, one.against.quote) for one in disagreements] == [(TRUE, FALSE)]


def test_independent_origins_are_counted(make_hit) -> None:
    hits = [
        replace(make_hit(1, TRUE), uri="handbook/leave.md"),
        replace(
            make_hit(2, "At last week's fair we learned that employees get 25 days of leave, paid."),
            uri="https://news.example/",
        ),
    ]
    [citation], against = compare_sources(ASKED, [_cited(hits[0], TRUE)], hits, uniform_weight)
    assert (citation.origins, against) == (2, ())


def test_an_answer_quotes_the_trusted_and_says_when_there_is_none(make_hit, embedder) -> None:
    trusted = replace(make_hit(2, TRUE), uri="handbook/leave.md", score=0.9)
    lie = replace(make_hit(1, FALSE), uri="https://forum.example/", trust="low", score=1.0)
    writer = Extractive(embedder, threshold=0.0)
    assert "".join(writer.stream(ASKED, [lie, trusted])) == f"> {TRUE} [2]".replace("25 days", "**25 days**")
    assert "12 days" in "".join(writer.stream(ASKED, [lie]))
    assert [*trust_warnings([replace(_cited(lie, FALSE), trust="low")])] == ["it rests on less trusted sources alone"]


def test_what_independent_origins_agree_on_is_quoted_first(make_hit, embedder) -> None:
    lone = replace(make_hit(1, FALSE), uri="https://one.example/", score=1.0)
    others = [
        replace(make_hit(2, TRUE), uri="https://two.example/", score=1.0),
        replace(
            make_hit(3, "Employees there get 25 days of their paid leave."),
            uri="https://three.example/",
            score=1.0,
        ),
    ]
    assert "25 days" in "".join(Extractive(embedder, threshold=0.0, sentences=1).stream(ASKED, [lone, *others]))


@pytest.mark.parametrize(
    ("half_lives", "day", "told"),
    [({"notes": 30.0}, 1, True), ({"notes": 30.0}, 28, False), ({}, 1, False), ({"notes": 30.0}, None, False)],
)
def test_what_is_older_than_its_source_stays_fresh_is_told_with_its_date(make_hit, half_lives, day, told) -> None:
    published = day and datetime(2026, 5, day, tzinfo=UTC)
    hit = replace(make_hit(1, TRUE), source="notes", published_at=published)
    notes = [*age_warnings([_cited(hit, TRUE)], [hit], half_lives, datetime(2026, 6, 20, tzinfo=UTC))]
    expected = "what it quotes is old for its sources: the newest is of 1 May 2026"
    assert notes == [expected] * told
    assert [*age_warnings([], [hit], half_lives, datetime(2026, 6, 20, tzinfo=UTC))] == []
