"""What answers look like in Slack, and that nothing in them is markup of Slack's."""

import html
from dataclasses import replace

import pytest

from rag_platform.chat_apps.slack.slack_blocks import answer_blocks, question_of
from rag_platform.core.answers import Answer, Citation

CITED = Citation(1, "d", "c", "https://example.org/a?x=1&y=2", "A <b> | title", "said > so", (0, 4), "", None, 3)
ANSWER = Answer("q", "> Quoted <!channel> & <@U1>. [1]", False, (CITED,), "v1", "extractive", "r1")


@pytest.mark.parametrize(
    ("written", "question"),
    [
        ("<@UBOT> when &lt;now&gt; &amp; why?", "when <now> & why?"),
        ("see <https://a.example|the page> and <https://b.example>", "see the page and https://b.example"),
        ("in <#C1|general> <!here>", "in general"),
        ("<@UBOT>", ""),
    ],
)
def test_a_question_is_what_was_written(written, question):
    assert question_of(written) == question


def test_nothing_in_an_answer_is_a_mention_or_a_link_but_its_source():
    text, source, thumbs = answer_blocks(ANSWER)
    assert text["text"]["text"] == ">Quoted &lt;!channel&gt; &amp; &lt;@U1&gt;. [1]"
    named = "*[1]* <https://example.org/a?x=1&amp;y=2|A &lt;b&gt; ¦ title>, page 3\n>said &gt; so"
    assert source["text"]["text"] == named and thumbs["elements"][1]["value"] == "r1"


@pytest.mark.parametrize("uri", ["javascript:alert(1)", "https://a.example/x>y", "file.md"])
def test_only_an_address_of_the_web_is_a_link(uri):
    _, source, _ = answer_blocks(replace(ANSWER, citations=(replace(CITED, uri=uri),)))
    assert "<" not in source["text"]["text"].replace("&lt;", "")


def test_blocks_keep_to_what_slack_takes():
    long = replace(CITED, quote="word " * 2000, title="t" * 500)
    wide = replace(CITED, quote="word " * 2000, title="&" * 5000, uri=f"https://a.example/{'x' * 5000}")
    many = replace(ANSWER, answer="word " * 2000, citations=(wide, *(replace(long, n=n) for n in range(1, 60))))
    blocks = answer_blocks(many)
    assert len(blocks) <= 50 and all(len(one["text"]["text"]) <= 3000 for one in blocks if "text" in one)


@pytest.mark.parametrize("text", ["&" * 4000, "水&" * 4000, "word & " * 4000, "水" * 9000])
def test_a_long_text_is_cut_within_no_character(text):
    pieces = [one["text"]["text"] for one in answer_blocks(replace(ANSWER, answer=text, citations=()))[:-1]]
    assert html.unescape("".join(pieces)).strip() == text.strip()
    assert all(len(one) <= 3000 and html.escape(html.unescape(one), quote=False) == one for one in pieces)
    huge = answer_blocks(replace(ANSWER, answer=text * 20, citations=(CITED,) * 60))
    assert len(huge) <= 50
