"""An answer as HTML: nothing of it acts, marks lead to quotes and tell states, quotes name what they are from."""

from dataclasses import replace
from datetime import UTC, datetime
from html import escape

import pytest

from app.chat.answer_text import answer_html
from app.chat.checked import checks_html, denying_numbers, state_word, taken_away_html
from rag_platform.core.answers import STATE_WORDS, Citation, JudgedClaim
from tests.app.tags import CITATION, HOSTILE, Tags

NOW = datetime(2026, 11, 23, tzinfo=UTC)
BUILT = "Built in 1873, it burnt. In 1873 too it was rebuilt."
LOCK = Citation(1, "d1", "c", "u", "The <lock>", BUILT, (10, 10 + len(BUILT)), "ab", datetime(2026, 10, 30, tzinfo=UTC))


def claim(text, state, probability=None, check="words 1", start=None, citations=()):
    span = None if start is None else (start, start + len(text))
    return JudgedClaim(text, span, state, probability, check, citations)


def test_what_a_model_says_makes_no_tag_image_or_link():
    tags = Tags(answer_html(f"**Yes** {HOSTILE} <http://evil.example> [r][x]\n\n[x]: http://evil.example"))
    assert {tag for tag, _ in tags.found} <= {"p", "strong"}
    assert "<script>alert(1)</script>" in tags.text


def test_a_mark_leads_to_its_quote_and_names_the_text_it_is_of():
    tags = Tags(answer_html("Yes. [1] No. [2] `x[1]`", [CITATION], {"doc 1": "r7"}))
    (link,) = tags.of("a")
    assert link["href"] == "document?doc=doc%201&start=3&end=9&rev=r7" and link["target"] == "_self"
    assert link["title"] == 'A "title" <b>: a quote of two lines'
    assert "x[1]" in tags.text and ("span", {"class": "cite"}) in tags.found


def test_a_mark_tells_the_state_of_its_sentence_how_sure_it_is_and_what_checked_it():
    text = "It burnt. [1] It fell. [?] It stands. [!][1]"
    claims = [
        claim("It burnt.", "supported", 0.874, "words 2", text.index("It burnt"), (1,)),
        claim("It fell.", "unverified", 0.31, "nli:tiny", text.index("It fell")),
        claim("It stands.", "contradicted", 0.02, start=text.index("It stands"), citations=(1,)),
    ]
    tags = Tags(answer_html(text, [LOCK], claims=claims))
    one, denies = tags.of("a")
    assert one["class"] == "cite supported"
    assert one["title"].endswith("(supported · 87 % likely to be supported · checked by words 2)")
    doubt, denied = tags.of("span")
    assert doubt["class"] == "cite unverified"
    assert doubt["title"] == "not verified · 31 % likely to be supported · checked by nli:tiny"
    assert denied["class"] == denies["class"] == "cite contradicted" and "contradicted" in denied["title"]
    assert tags.text.split() == ["It", "burnt.1", "It", "fell.?", "It", "stands.!1"]


@pytest.mark.parametrize(
    "text", ["| a | b. [1] |\n|---|---|\n| c | d. [?] |", "- a. [1]\n- b. [?]", "> a [1]\n> b [?]"]
)
def test_states_break_neither_tables_nor_lists_nor_quotes(text):
    claims = [claim("a", "quoted", 1.0, "verbatim", 0, (1,)), claim("b", "unverified", start=text.index("[1]") + 3)]
    plain, told = (Tags(answer_html(text, [LOCK], claims=some)) for some in ((), claims))
    assert [tag for tag, _ in plain.found] == [tag for tag, _ in told.found] and plain.text == told.text
    assert "word for word" in told.of("a")[0]["title"] and "not verified" in told.of("span")[-1]["title"]


def test_signs_of_our_own_in_a_text_are_no_claims():
    shown = answer_html("\ue005[1] \uf8ff[?] `x[1]`", [LOCK], claims=[claim("x", "quoted", start=0)])
    assert not any("\ue000" <= sign <= "\uf8ff" for sign in shown)
    assert shown.count('class="cite quoted"') == 2 and "<code>x[1]</code>" in shown


def test_a_quote_names_its_source_and_its_date_and_marks_the_short_answer_where_it_stands():
    meant = LOCK.span[0] + BUILT.rindex("1873")
    quote = replace(LOCK, highlight=(meant, meant + 4), page=3)
    shown = answer_html(f"> {BUILT} [1]\n\nBuilt in 1873. [1]", [quote], {"d1": "r7"}, now=NOW)
    assert shown.count("<mark>") == 1 and "In <mark>1873</mark> too" in shown
    below = shown[shown.index('<div class="from">') : shown.index("</blockquote>")]
    assert ">The &lt;lock&gt;</a> · 30 October 2026 (24 days ago) · page 3" in below and "rev=r7" in below
    assert shown.count('class="from"') == 1, "only a quote names its source"


def test_a_short_answer_that_the_text_does_not_show_is_not_marked():
    quote = replace(LOCK, highlight=(10, 15))
    assert "<mark>" not in answer_html("> It burnt. [1]", [quote], now=NOW)


def test_sentences_are_counted_by_state_and_listed_with_their_checks():
    claims = [
        claim("It burnt.", "quoted", 1.0, "verbatim", 0, (1,)),
        claim(HOSTILE, "supported", 0.8, "nli:<b>", 20, (1,)),
        claim("It never burnt.", "contradicted", 0.01, citations=(2,)),
    ]
    tags = Tags(checks_html(claims))
    assert {tag for tag, _ in tags.found} == {"details", "summary", "ol", "li", "span", "del"}
    assert "1 quoted 1 supported 1 contradicted" in tags.text and "not verified" not in tags.text
    assert "80 % likely to be supported · checked by nli:<b>" in tags.text and "word for word" in tags.text
    assert checks_html([]) == "" and denying_numbers(claims) == {2}


def test_what_was_taken_away_is_shown_with_the_quote_that_denies_it():
    away = claim("It <i>never</i> burnt.", "contradicted", 0.01, citations=(1,))
    kept = claim("It fell.", "contradicted", 0.01, start=0, citations=(1,))
    shown = taken_away_html([away, kept], [LOCK])
    assert f"<del>{escape(away.text)}</del>" in shown and BUILT in shown and "The &lt;lock&gt;" in shown
    assert "It fell." not in shown and taken_away_html([kept], [LOCK]) == ""


def test_the_page_calls_the_states_as_every_interface_does():
    assert {state: state_word(state) for state in STATE_WORDS} == STATE_WORDS


def test_each_part_runs_as_its_first_letter_does_with_what_is_within_it():
    html = answer_html("First.\n\n> - حجز\n> - دفع\n\n1. אחד\n\n| a |\n|---|\n| b |\n\n> ```\n> x\n> ```")
    tags = Tags(html)
    directed = [tag for tag, attributes in tags.found if attributes.get("dir") == "auto"]
    assert directed == ["p", "blockquote", "ol", "table", "blockquote"]
    assert "<ul>" in html  # it has the direction of its quote, which is looked for in what has none of its own
