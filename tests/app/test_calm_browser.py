"""What is calm in every view: the frame stands still, words stay whole, and nothing speaks of its insides."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.navigation import ELSEWHERE, VIEWS
from rag_platform.workspace import open_workspace
from tests.app.browsing import in_browser, page_over, settled, tab_of
from tests.app.looking import DESK, PHONE
from tests.app.real import make_workspace
from tests.app.test_every_view import ADDRESSES, BEFORE, DATA, named_in

pytestmark = [*in_browser, pytest.mark.skipif(not DATA, reason="RAG_SHARED_DATA names no folder of test data")]

OPENED = {view: there for view, there in ADDRESSES.items() if view not in BEFORE}
WIDE = {"width": 2000, "height": 900}
"""Wider than the widest view."""
MEASURE = """
() => {
  const box = (one) => {
    const at = one.getBoundingClientRect();
    return [at.x, at.y, at.width, at.height].map(Math.round);
  };
  const shown = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.getBoundingClientRect().right > 0;
  const NO_TEXT = "style, script, i, [data-testid=stIconMaterial]";
  const OTHERS = ".document, .as-is, .passages p, .diff, .hit, .card, .answer, .grid, .sides, h2.question";
  const SHORT = /(?<!\\S)\\S{2,14}(?!\\S)/gu, WORD = /[^\\P{L}\\p{Script=Han}\\p{Script=Hangul}]{2,}|\\p{N}{2,}/gu;
  const texts = [], broken = [], range = document.createRange();
  const lines = (node, from, to) => {
    range.setStart(node, from), range.setEnd(node, to);
    return new Set([...range.getClientRects()].filter((at) => at.width > 0.5).map((at) => Math.round(at.top))).size;
  };
  const nodes = document.createTreeWalker(document.querySelector(".stApp"), NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const node = nodes.currentNode, around = node.parentElement;
    if (!node.data.trim() || !shown(around) || around.closest(NO_TEXT)) continue;
    if (!around.closest(OTHERS)) texts.push(node.data);
    for (const short of node.data.matchAll(SHORT)) for (const word of short[0].matchAll(WORD)) {
      const from = short.index + word.index;
      if (lines(node, from, from + word[0].length) > 1) broken.push(short[0]);
    }
  }
  for (const box of document.querySelectorAll("input, textarea")) if (shown(box)) texts.push(box.value);
  const content = document.querySelector(".block-container"), below = document.querySelector(".bar-below");
  return {
    links: [...document.querySelectorAll("[data-testid=stHeader] a")].filter(shown).map(box),
    below: below && shown(below) ? box(below) : null,
    width: box(content)[2], texts, broken,
  };
}
"""
"""Of a view: where the ways to the others are, how wide its content is, its own words as they are read, and the short
words that a line's end goes through: not of scripts whose lines end anywhere."""


@dataclass(frozen=True)
class Seen:
    """A view as it stands: in a wide window, on a desk and on a phone."""

    title: str
    wide: dict
    desk: dict
    phone: dict
    trouble: list
    """What the console said, such as that something is not there."""


@pytest.fixture(scope="module")
def seen(browser, tmp_path_factory, model_folder):
    """Every view over real documents, looked at once, by its name."""
    home = make_workspace(tmp_path_factory.mktemp("real") / "home", Path(DATA))
    known = named_in(open_workspace(home))
    with (home / "rag.toml").open("a") as settings:  # one that nobody named, and that does not answer
        settings.write('[generator]\nbase_url = "http://127.0.0.1:9/v1"\n')
    with page_over(home) as address:
        return {
            view: look(browser, address + there.format(**known))
            for view, there in ADDRESSES.items()
            if view not in BEFORE
        }


def look(browser, address):
    """Open a view, and measure it in three windows."""
    with tab_of(browser, address, viewport=WIDE) as tab:
        found = [measure(tab, size, phone=size is PHONE) for size in (WIDE, DESK, PHONE)]
        return Seen(tab.title(), *found, tab.trouble)


def measure(tab, size, *, phone):
    """Measure once the ways to the views are where a window of that size has them."""
    tab.set_viewport_size(size)
    settled(tab)
    tab.evaluate("document.fonts.ready")
    tab.wait_for_function(
        "(most) => [...document.querySelectorAll('[data-testid=stHeader] a')]"
        ".filter((one) => one.checkVisibility({ opacityProperty: true })).length === most",
        arg=0 if phone else SHOWN,
    )
    return tab.evaluate(MEASURE)


SHOWN = len(VIEWS) - len(ELSEWHERE)
"""Views that the navigation leads to."""


def test_the_navigation_stands_at_one_place_in_every_view_and_below_on_phones(seen):
    for size in ("wide", "desk"):
        places = {view: getattr(one, size)["links"] for view, one in seen.items()}
        assert [view for view in places if places[view] != places["ask"]] == [], size
        assert len(places["ask"]) == SHOWN
    for view, one in seen.items():
        assert one.desk["below"] is None, view
        left, top, width, height = one.phone["below"]
        assert (left, width, top + height) == (0, PHONE["width"], PHONE["height"]) and height < 80, view


def test_each_kind_of_view_has_one_width(seen):
    for view, one in seen.items():
        width = VIEWS[OPENED[view].partition("?")[0].strip("/") or "ask"].width
        assert one.wide["width"] == float(width.removesuffix("rem")) * 16, view
    assert len({one.wide["width"] for one in seen.values()}) == 3


SAME = {"within", "chat", "shared", "found", "why", "document", "original", "about", "history", "passages", "cited",
        "pdf", "revisions", "older", "watch", "grid", "cell", "column", "row", "new-grid-found", "collections",
        "missing", "add", "add-any", "new-template", "own-assistant", "compared"}  # fmt: skip
"""Views of one thing, which is what their tabs are called after, in whatever part of it."""


def test_each_view_names_its_tab(seen):
    assert all(one.title.endswith(" · Ask your documents") for one in seen.values())
    titles = [one.title for view, one in seen.items() if view not in SAME]
    assert len(titles) == len({*titles}), sorted(titles)
    named = {"collection": "Physics, first year", "source": "proposals", "versions": "Versions · Quality"}
    assert {view: seen[view].title.removesuffix(" · Ask your documents") for view in named} == named


INSIDES = {
    "the id of a version": r"\bv\d{6}",
    "a hash": r"\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b",
    "an address of this machine": r"localhost|127\.0\.0\.1",
    "a name that nobody gave": r"\bdefault\b|\bextractive\b",
    "a size that a line may end in": r"\d ?[kMGT]?B\b",
    "a size with an idle zero": r"\.0\s[kMGT]?B\b",
}


TOLD = {"servers", "operate"}
"""Views that tell admins where servers are."""


@pytest.mark.parametrize("what", INSIDES)
def test_no_view_speaks_of_its_insides(seen, what):
    said = {
        (view, text.strip())
        for view, one in seen.items()
        for size in (one.desk, one.phone)
        for text in size["texts"]
        if re.search(INSIDES[what], text) and not (view in TOLD and what == "an address of this machine")
    }
    assert said == set()
    assert "The language model" in seen["chat"].desk["texts"], "who writes has a name all the same"
    assert any("MB" in text for text in seen["holding"].desk["texts"]), "sizes are seen"


def test_no_line_ends_within_a_short_word(seen):
    broken = {(view, size): getattr(one, size)["broken"] for view, one in seen.items() for size in ("desk", "phone")}
    assert {where: words for where, words in broken.items() if words} == {}


def test_no_link_into_the_page_asks_for_what_is_not_there(seen):
    assert {view: one.trouble for view, one in seen.items() if one.trouble} == {}
