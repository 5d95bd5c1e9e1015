"""What answers look like in Teams, and that nothing in them is mark-up, a link or a mention."""

import json
from dataclasses import replace

import pytest

from rag_platform.chat_apps.teams.activities import Activity
from rag_platform.chat_apps.teams.teams_cards import answer_card, answer_message
from rag_platform.core.answers import Answer, Citation

CITED = Citation(1, "d", "c", "https://example.org/a?x=1&y=2", "A [b](c)", "said <at>all</at>", (0, 4), "", None, 3)
ANSWER = Answer("q", "> Quoted [x](javascript:1). [1]\n\nSaid.", False, (CITED,), "v1", "extractive", "r1")
BOT = {"id": "28:b"}


def asked(text, mentioned=BOT, kind="channel"):
    entities = [{"type": "mention", "mentioned": mentioned, "text": "<at>Handbook</at>"}, {"type": "clientInfo"}]
    told = {"id": "1", "type": "message", "channelId": "msteams", "serviceUrl": "https://x", "from": {"id": "29:a"}}
    place = {"id": "19:a", "conversationType": kind}
    more = {"recipient": BOT, "conversation": place, "text": text, "entities": entities, "future": 1}
    return Activity.model_validate_json(json.dumps(told | more)).question


@pytest.mark.parametrize(
    ("written", "question"),
    [
        ("<at>Handbook</at>&nbsp;when &lt;now&gt;\n &amp; why?", "when <now> & why?"),
        ("Does <at>Bo</at> know, <at>Handbook</at>? 1 < 2 > 0", "Does Bo know, ? 1 < 2 > 0"),
        ("<at>Handbook</at>", ""),
        (None, ""),
    ],
)
def test_a_question_is_what_was_written(written, question):
    assert asked(written) == question


def test_what_others_say_to_each_other_is_no_question():
    assert asked("<at>Handbook</at> when?", {"id": "29:handbook"}) == asked("when?", "28:b") == ""
    assert asked("when?", {"id": "29:x"}, "personal") == "when?"


def test_all_that_others_wrote_stands_in_text_runs_and_only_a_source_is_a_link():
    body = answer_card(ANSWER)["body"]
    assert {block["type"] for block in body} == {"RichTextBlock"}
    runs = [run for block in body for run in block["inlines"]]
    assert {run["type"] for run in runs} == {"TextRun"}
    assert [run["text"] for run in runs] == [
        "Quoted [x](javascript:1). [1]", "Said.", "[1] ", "A [b](c)", ", page 3", "said <at>all</at>",
    ]  # fmt: skip
    assert [run["selectAction"]["url"] for run in runs if "selectAction" in run] == [CITED.uri]
    assert "entities" not in answer_message(ANSWER) and "text" not in answer_message(ANSWER)


@pytest.mark.parametrize("uri", ["javascript:alert(1)", "file.md", "msteams://x"])
def test_only_an_address_of_the_web_is_a_link(uri):
    assert "selectAction" not in str(answer_card(replace(ANSWER, citations=(replace(CITED, uri=uri),))))


def test_a_card_is_no_longer_than_teams_takes_and_says_what_it_leaves_out():
    long = replace(CITED, quote="wörd " * 2000, title="t" * 500)
    many = replace(ANSWER, answer="wörd\n" * 3000, citations=tuple(replace(long, n=n) for n in range(1, 60)))
    card = answer_card(many)
    assert len(json.dumps(card, ensure_ascii=False).encode("utf-16-le")) < 28_000
    shown = sum("separator" in block for block in card["body"])
    assert card["body"][-1]["inlines"][0]["text"] == f"{59 - shown} more sources: receipt r1"
