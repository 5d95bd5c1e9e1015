from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.chat.cards import sources_html
from app.figures import small, table
from app.rendering import Html, age, also_html, excerpt, marked, plain_label
from app.texts import say, say_html
from rag_platform.core.hits import Duplicate, Hit
from tests.app.tags import CITATION, HOSTILE, Tags

JOINER = "\u2060"
"""A sign that is not seen, and parts what would be read together."""


def test_independent_origins_are_counted_at_their_quote():
    receipts = [
        SimpleNamespace(citations=(replace(CITATION, origins=count),), hits=(), claims=(), answer="")
        for count in (1, 3)
    ]
    one, three = map(sources_html, receipts)
    assert "said by 3 independent origins" in three and "origins" not in one


def test_where_else_a_passage_stands_is_named_once_and_escaped():
    nothing = dict.fromkeys(name for name in Hit.__slots__ if name != "also_in")
    others = tuple(Duplicate(f"c{n}", "doc 2", "u2", HOSTILE, "s", (n, 9)) for n in range(2))
    tags = Tags(also_html(Hit(**nothing | {"duplicates": others})))
    assert [tag for tag, _ in tags.found] == ["div", "a", "bdi"]
    assert dict(tags.found[1][1])["href"] == "document?doc=doc%202&start=0&end=9"
    assert also_html(Hit(**nothing | {"duplicates": ()})) == ""
    same = tuple(Duplicate(f"c{n}", f"d{n}", f"wires/{n}.md", "Flood", "s", (0, 9)) for n in range(2))
    named = Tags(also_html(Hit(**nothing | {"title": "Flood", "duplicates": same}))).text
    assert named == "also in wires/0.md, wires/1.md"  # equal titles would tell nothing


@given(
    st.text(st.sampled_from("ab<&>\n# "), max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
)
@example("<a>&lt;<b>", [(3, 7)])
def test_highlighting_changes_no_character(text, spans):
    inside = [(start, min(end, len(text))) for start, end in spans if start < len(text)]
    assert Tags(marked(text, inside)).text == text


@pytest.mark.parametrize(
    ("passed", "told"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=22), "22 days ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(days=-1), "in the future"),
    ],
)
def test_age(passed, told):
    now = datetime.now(UTC)
    assert age(now - passed, now) == told


def test_an_excerpt_is_one_line_without_heading_marks():
    assert excerpt("## Paid leave\n\nYou get\n25 days. C# too.") == "Paid leave — You get 25 days. C# too."
    assert excerpt("> One **day**. [1]\n>\n> - two\n\n> > Three > 2.") == "One day. [1] - two Three > 2."
    assert excerpt("| Days | Who |\n|---|:-:|\n| 25 | all |") == "Days · Who · 25 · all"
    assert excerpt("**Do** `snake_case` and *[this](http://x)*\\\n2 * 3 a||b") == "Do snake_case and this 2 * 3 a||b"


def test_a_name_in_html_a_table_or_a_text_reverses_nothing_that_follows_it():
    name, said = "user:\u202e\u2066esli <b>\u2069", "user:esli &lt;b&gt;"
    assert Html("<i>{}</i>, ").format(name) + name == f"<i>{said}</i>, {said}"
    assert small(name) == f"<small>{said}</small>" and Html(" ").join([name, small("")]) == f"{said} "
    named = Html("{}{}").format(name, small(name))
    shown = table(name, [name], [(named,), (name,)])
    assert shown.count(said) == 6 and "\u202e" not in shown and "\u2066" not in shown and "<b>" not in shown
    assert say_html("admin-members", names=name) == f"holds {said}"
    assert say("admin-members", names=name) == "holds user:esli <b>"


def test_a_label_shows_a_title_as_it_is_written():
    written = "![x](http://e.org/p) **A_b** [c] `d` $e$ :red[f] :material/delete: :cat: WWW.e.org HTTPS://e.org a@e.org"
    shown = unescape(MarkdownIt().renderInline(plain_label(written)))
    assert shown.replace(JOINER, "") == written
    made = ("http://", ":material/", ":cat:", "WWW.", "HTTPS://", "a@")  # of these a link or a picture, also of text
    assert [one for one in made if one in shown] == []
