"""A finished answer: what it says for yes or no, in other languages, and where sources disagree; and its export."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.chat.cards import sources_html
from app.chat.export import answer_markdown
from app.chat.finished import finished_html
from rag_platform.core.answers import Citation, Disagreement, JudgedClaim
from rag_platform.people.chats import Message
from rag_platform.workspace import open_workspace
from tests.app.tags import HOSTILE, Tags

GERMAN = Citation(
    *(0, "d2", "c", "urlaub.md", "Urlaub <b>", "Es gibt 25 Tage. Ja, 25 Tage.", (100, 129), "ab", None),
    language="de",
    highlight=(121, 128),
)
OLD = Citation(0, "d3", "c", "old.md", "News", HOSTILE, (0, 9), "ab", datetime(2024, 1, 9, tzinfo=UTC))
DAY = datetime(2026, 10, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def receipt(served, embedder):
    """The receipt of an answer."""
    workspace = open_workspace(served)
    workspace.embedder = embedder
    said = workspace.answerer.ask("How many days of paid leave do employees get?")
    return workspace.journal.receipt(said.receipt_id)


def shown(receipt):
    return finished_html(Message(1, "assistant", receipt.answer, DAY, receipt.id), receipt)


def test_yes_and_no_stand_before_the_quote_that_is_their_reason(receipt):
    for verdict, words in (("yes", "Yes, as this says:"), ("no", "No, as this says:")):
        told = replace(receipt, verdict=verdict)
        assert shown(told).index(words) < shown(told).index("25 days")
        assert answer_markdown(receipt.answer, told).startswith(f"**{words}**\n\n")
    assert "as this says" not in shown(receipt)


def test_what_other_languages_say_is_offered_with_its_language_and_short_answer(receipt):
    told = replace(receipt, also=(GERMAN,))
    tags = Tags(shown(told))
    assert "also in German: Es gibt 25 Tage. Ja, 25 Tage. Urlaub <b>" in tags.text
    assert '<q lang="de">Es gibt 25 Tage. Ja, <mark>25 Tage</mark>.</q>' in shown(told)
    assert any(link["href"] == "document?doc=d2&start=100&end=129" for link in tags.of("a"))
    assert "*also in German: “Es gibt 25 Tage. Ja, 25 Tage.” (Urlaub <b>)*" in answer_markdown("x", told)


@pytest.mark.parametrize(
    ("newest", "ours", "theirs"),
    [
        ("said", "2 of 3 sources, among them the newest, of 30 October 2026, say", "One of 3 sources says"),
        ("against", "2 of 3 sources say", "One of 3 sources, the newest, of 30 October 2026, says"),
        ("", "2 of 3 sources say", "One of 3 sources says"),
    ],
)
def test_sources_that_disagree_are_counted_and_the_newest_is_named(receipt, newest, ours, theirs):
    quoted = receipt.citations[0]
    told = replace(receipt, disagreements=(Disagreement(quoted, OLD, 2, 1, newest, DAY if newest else None),))
    tags = Tags(shown(told))
    assert "Sources disagree." in tags.text and "script" not in {tag for tag, _ in tags.found}
    assert f"{ours} {quoted.quote} Leave policy" in " ".join(tags.text.split())
    assert f"{theirs} <script>" in tags.text
    written = answer_markdown("x", told)
    assert f"- {ours} “{quoted.quote}” (Leave policy)\n- {theirs} “" in written


def test_an_export_tells_the_state_of_each_sentence(receipt):
    claims = (
        JudgedClaim("It is so.", (0, 9), "supported", 0.8, "words 2", (1,)),
        JudgedClaim("It is not so.", None, "contradicted", 0.1, "words 2", (2,)),
    )
    written = answer_markdown("x", replace(receipt, claims=claims))
    assert "- supported · 80 % likely to be supported · checked by words 2: It is so. [1]\n" in written
    assert "- contradicted · 10 % likely to be supported · checked by words 2: ~~It is not so.~~ [2]\n" in written


def test_a_source_that_only_denies_says_so_and_quotes_are_not_repeated_beside_themselves(receipt):
    [citation] = receipt.citations
    away = JudgedClaim("It is not so.", None, "contradicted", 0.1, "words 2", (citation.n,))
    assert "says otherwise" in sources_html(replace(receipt, claims=(away,)))
    kept = JudgedClaim("It is so.", (0, 9), "quoted", 1.0, "verbatim", (citation.n,))
    assert "says otherwise" not in sources_html(replace(receipt, claims=(away, kept)))
    written, quoted = (
        replace(receipt, answer=text, claims=()) for text in (f"{citation.quote} [1]", "> It is so. [1]")
    )
    assert "<blockquote>" in sources_html(written) and "<blockquote>" not in sources_html(quoted)
