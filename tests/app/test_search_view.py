"""The search view's logic, without a browser."""

import re
from datetime import date
from html import unescape
from types import SimpleNamespace
from urllib.parse import parse_qsl

import pytest

from app import frame
from app.searching.params import SearchParams
from app.searching.results import _by_document
from rag_platform.pipeline.stages import Pipeline
from rag_platform.retrieval.retriever import Retriever
from rag_platform.workspace import open_workspace
from tests.app.conftest import HOSTILE
from tests.app.viewing import html_of as html
from tests.app.viewing import view_of
from tests.copies import copy_of

NEWS = """---
title: {title}
date: {day}
tags: {tags}
---
# {title}

The council decided that employees get {days} days of paid leave per year.
"""
SECRET = """---
title: Board
private: true
owner: user:ada
tags: ["confidential"]
---
The board gives itself forty days of paid leave per year.
"""


@pytest.fixture(scope="module")
def several(tmp_path_factory, model_folder):
    """A workspace with documents of several dates, tags and readers."""
    home = tmp_path_factory.mktemp("several")
    (home / "docs").mkdir()
    for day, days, tags in (("2024-03-01", 24, '["old"]'), ("2026-03-01", 26, '["new"]'), ("2025-03-01", 25, "[]")):
        text = NEWS.format(title=f"Leave in {day[:4]}", day=day, days=days, tags=tags)
        (home / "docs" / f"leave-{day[:4]}.md").write_text(text)
    (home / "docs" / "board.md").write_text(SECRET)
    (home / "docs" / "parking.md").write_text("# Parking\n\nThe car park behind the house has forty places.\n")
    (home / "rag.toml").write_text('[[sources]]\nid = "handbook"\nkind = "folder"\npath = "docs"\n')
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    return home


@pytest.fixture(scope="module")
def without_tokens(several, tmp_path_factory, model_folder):
    """The same, whose version has no token vectors of its passages."""
    home = copy_of(several, tmp_path_factory.mktemp("without") / "home")
    with (home / "rag.toml").open("a") as settings:
        settings.write("[index]\ntoken_bits = 0\n")
    workspace = open_workspace(home)
    workspace.versions.promote(Pipeline(workspace).build().version, "test")
    return home


@pytest.fixture
def modes(monkeypatch):
    """The modes that were searched in."""
    asked, search = [], Retriever.search
    monkeypatch.setattr(
        Retriever, "search", lambda self, *args, **named: asked.append(named["mode"]) or search(self, *args, **named)
    )
    return asked


@pytest.fixture
def search(several, embedder, monkeypatch):
    """The search view, with an address."""
    return lambda folder=several, **query: view_of(monkeypatch, embedder, folder, "views/search.py", **query)


def titles(test):
    return [unescape(title) for title in re.findall(r'class="open"[^>]*>([^<]*)<', html(test))]


def counts(test, facet):
    """Return the choices of a filter that are shown, with their counts."""
    section = re.search(rf"<h2>{facet}</h2>(.*?)</section>", html(test), re.DOTALL)
    found = re.findall(r"<bdi>([^<]*)</bdi> <b>([\d,]*)</b>", section[1]) if section else []
    return {value: int(count.replace(",", "")) for value, count in found}


def test_before_a_question_the_view_teaches_and_counts_what_may_be_read(search):
    test = search()
    assert not test.exception and "4 documents" in html(test) and "source:handbook" in html(test)
    assert counts(test, "Tags, all of them") == {"new": 1, "old": 1}, "nothing of what only others may read"


def test_a_search_takes_all_of_it_from_the_address(search):
    test = search(q="paid leave", mode="lexical", tag="new", since="2026-01-01")
    assert titles(test) == ["Leave in 2026"] and "<mark>leave</mark>" in html(test)
    assert "Tags: new" in html(test) and "since 2026-01-01" in html(test)
    assert not test.exception


def test_how_much_of_a_question_must_be_held_is_chosen_in_the_address(search):
    assert "Leave in" in html(search(q="leaves paid", mode="lexical", match="all"))
    nothing = html(search(q="leave paid", mode="lexical", match="exact"))
    assert 'class="hit"' not in nothing and "any of it" in nothing
    found = html(search(q="arki", mode="lexical", match="part"))
    assert "Parking" in found and re.search(r'aria-current="true".{0,200}Parts of words', found)
    assert "Parking" in html(search(q="*arki*", mode="lexical"))


def test_what_is_no_mode_page_or_date_is_as_if_it_were_not_there(search):
    test = search(q="parking", mode="magic", page="-3", since="yesterday", sort="price")
    assert not test.exception and titles(test)[0] == "Parking"


def test_filters_count_what_the_question_found_and_what_another_choice_would_add(search):
    everything = search(q="paid leave", mode="lexical")
    assert counts(everything, "Tags, all of them") == {"new": 1, "old": 1}
    assert counts(everything, "Collection") == {"In no collection": 3}, "parking is not about leave"
    narrowed = search(q="paid leave", mode="lexical", collection="elsewhere")
    assert counts(narrowed, "Collection") == {"elsewhere": 0, "In no collection": 3}
    assert counts(narrowed, "Tags, all of them") == {}


@pytest.mark.parametrize("mode", ["rerank", "vector", "lexical"])
def test_the_number_the_filters_and_the_list_count_the_same(search, mode):
    test = search(q="days of paid leave", mode=mode)
    [number] = re.findall(r'role="status">(?:The )?(\d+) (?:best )?document', html(test))
    assert int(number) == len({*titles(test)}) == sum(counts(test, "Collection").values()) > 0


def test_passages_of_one_document_stand_together():
    hits = [SimpleNamespace(doc_id=one, rank=place) for place, one in enumerate("abacba")]
    assert [(hit.doc_id, hit.rank) for hit in _by_document(hits)] == [
        ("a", 0), ("a", 2), ("a", 5), ("b", 1), ("b", 4), ("c", 3)
    ]  # fmt: skip


def test_the_newest_of_what_answers_comes_first(search):
    by_date = search(q="paid leave per year", sort="date")
    assert titles(by_date) == ["Leave in 2026", "Leave in 2025", "Leave in 2024"], "and nothing about parking"
    assert "Newest first" in html(by_date)


def test_nothing_found_says_what_to_try_and_which_filter_leaves_nothing(search):
    test = search(q="paid leave", mode="lexical", since="2030-01-01", tag="new")
    shown = html(test)
    assert "Nothing found" in shown and titles(test) == []
    (address,) = re.findall(r'filter <b>since 2030-01-01</b>\s*<a href="([^"]*)"', shown)
    assert dict(parse_qsl(unescape(address).partition("?")[2])) == {"q": "paid leave", "mode": "lexical", "tag": "new"}
    assert "filter <b>Tags: new" not in shown, "without the tag there is nothing either"
    assert "Check the spelling" in html(search(q="zzzz qqqq", mode="lexical"))


def test_one_search_shows_the_final_order_also_while_typing(search, modes):
    test = search(q="paid leave")
    test.text_input(key="q").set_value("paid leave per year").run()
    typed = titles(test)
    assert modes == ["rerank", "rerank"], "the filters count what it found"
    assert "after reranking" in html(test) and "Quick order" not in html(test)
    with frame.workspace().rerank_semaphore.acquire():  # what only reads takes no turn
        test.button(key="go").click().run()
    assert modes == ["rerank"] * 3 and titles(test) == typed and not test.exception


@pytest.mark.parametrize(("address", "mode"), [({"sort": "date"}, "hybrid"), ({"mode": "vector"}, "vector")])
def test_what_is_not_reranked_is_searched_once_in_its_own_mode(search, modes, address, mode):
    assert "after reranking" not in html(search(q="paid leave", **address)) and modes == [mode]


def test_another_reranker_keeps_the_quick_order_first(several, tmp_path, search, modes):
    home = copy_of(several, tmp_path / "home")
    with (home / "rag.toml").open("a") as settings:
        settings.write('[retrieval]\nreranker = "http"\n[reranker]\nbase_url = "http://127.0.0.1:9"\nmodel = "none"\n')
    search(home, q="paid leave")
    assert modes == ["hybrid", "rerank"]


def test_without_token_vectors_enter_looks_closer_and_typing_does_not(without_tokens, search, modes):
    test = search(without_tokens, q="paid leave")
    assert modes == ["hybrid", "rerank"]
    assert "Quick order" not in html(test), "an address that was opened is nobody's typing"
    test.text_input(key="q").set_value("paid leave per year").run()
    assert "Quick order while you type" in html(test) and "after reranking" not in html(test)
    test.button(key="go").click().run()
    assert "Quick order" not in html(test) and "after reranking" in html(test)
    assert not test.exception


def test_who_would_wait_long_for_a_closer_look_keeps_the_quick_order(without_tokens, search):
    test = search(without_tokens, q="paid leave")
    assert "after reranking" in html(test)
    with frame.workspace().rerank_semaphore.acquire():  # somebody else's
        test.run()
        assert "Many are searching just now" in html(test) and "after reranking" not in html(test)
        assert "Leave in 2025" in titles(test)
    assert "after reranking" in html(test.run())


def test_a_question_has_pages(home, search):
    with (home / "rag.toml").open("a") as settings:
        settings.write("\n[sync]\nmax_changed_share = 1\n")  # so many notes that say the same may come at once
    for number in range(25):
        (home / "docs" / f"note-{number}.md").write_text(f"# Note {number}\n\nA note on budgets, number {number}.\n")
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    first = search(home, q="note on budgets", mode="lexical")
    second = search(home, q="note on budgets", mode="lexical", page="2")
    third = search(home, q="note on budgets", mode="lexical", page="3")
    assert [len(titles(test)) for test in (first, second, third)] == [10, 10, 5]
    assert len({*titles(first), *titles(second), *titles(third)}) == 25
    assert "Next" in html(second) and "Next" not in html(third) and 'start="11"' in html(second)


def test_a_search_tells_why_a_hit_is_there_and_why_a_document_is_not(search):
    test = search(q="parking", mode="lexical", why="leave-2026.md")
    assert "Not among the hits: no candidate" in html(test) and "it has none of the words" in html(test)
    assert "words (BM25)</td><td>1</td>" in html(test)
    assert "Found at rank 1" in html(search(q="parking", mode="lexical", why="parking.md"))
    hidden = html(search(q="parking", mode="lexical", why="board.md"))
    nowhere = html(search(q="parking", mode="lexical", why="<b>nowhere</b>"))
    assert "is known to you" in hidden and "is known to you" in nowhere and "&lt;b&gt;nowhere" in nowhere


def test_hostile_titles_and_tags_are_text(home, search):
    (home / "docs" / "rivers.md").write_text(HOSTILE)
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    test = search(home, q="river", tag="wire")
    shown = html(test)
    assert shown.count('class="hit"') == 1 and "tries to instruct its reader" in shown
    assert "topic:&lt;i&gt;rivers" in shown and "<b>Rivers" not in shown and "<i>" not in shown
    assert 'class="hit"' in html(search(home, q='river "><script>alert(1)</script>', mode="lexical"))
    assert "alert(1)</script>" not in html(search(home, q='river "><script>alert(1)</script>', mode="lexical"))


def test_what_is_archived_is_a_choice_where_a_source_archives(several, tmp_path, search):
    home = copy_of(several, tmp_path / "archive")
    assert "Archived" not in html(search(q="paid leave"))
    with (home / "rag.toml").open("a") as settings:
        settings.write(f"archive_after_days = {(date.today() - date(2025, 1, 1)).days}\n")
    now = search(home, q="paid leave")
    assert {"Leave in 2025", "Leave in 2026"} == {*titles(now)} - {"Parking"} and "archived=yes" in html(now)
    then = search(home, q="paid leave", archived="yes")
    assert titles(then) == ["Leave in 2024"] and 'class="chip"' in html(then) and not then.exception
    nothing = html(search(home, q="car park", mode="lexical", archived="yes"))
    assert "Without the filter <b>Archived</b>" in nothing


def test_a_search_until_a_day_alone_counts_its_filters(search):
    test = search(q="paid leave", until="2024-12-31")
    assert titles(test) == ["Leave in 2024"] and not test.exception


def test_searches_are_counted_for_each_person(home, search):
    with (home / "rag.toml").open("a") as settings:
        settings.write("[access]\nsearches_per_minute = 2\n")
    test = search(home, q="leave")
    for question in ("leave days", "leave days per year"):
        test.text_input(key="q").set_value(question).run()
    assert "Too many searches" in test.warning[0].value and not test.exception


def test_an_address_says_the_same_again():
    asked = SearchParams(
        "paid leave", "lexical", "date", 2, {"tag": ("a b", "ü&=")}, date(2024, 1, 2), date(2024, 2, 3), archived=True
    )

    class Params(dict):
        def get_all(self, key):
            return [value for name, value in pairs if name == key]

    pairs = parse_qsl(asked.address().partition("?")[2])
    assert SearchParams.of(Params(pairs), dict(pairs)["q"], "rerank") == asked
    assert asked.toggled("tag", "a b").chosen == {"tag": ("ü&=",)} and asked.toggled("tag", "c").page == 1
    assert asked.toggled("since", "2024-01-02").since is None
    assert SearchParams("x").address() == "search?q=x"
