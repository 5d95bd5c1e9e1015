"""Hebrew and Arabic in every view: such a text runs from right to left, and its full stop stands at its left end."""

import json
from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from app.rendering import place
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.sharing import Sharer
from rag_platform.operations.grids.filling import fill_waiting
from rag_platform.operations.grids.grid_making import documents_found, make_grid
from rag_platform.operations.watching.looking import look_first
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.question_templates import QuestionTemplate
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.browsing import in_browser, page_over, settled, tab_of
from tests.app.looking import DESK, LOOKS, wrong
from tests.copies import copy_of

pytestmark = in_browser

TITLE, FACT = "מדיניות החופשה של החברה!", "העובדים מקבלים 25 ימי חופשה בשנה (ולא 22)."
ARABIC, OPENS = "ساعات عمل المكتب!", "يفتح المكتب أبوابه في الساعة 8 صباحا."
QUESTION, UNKNOWN = "כמה ימי חופשה העובדים מקבלים?", "מי המציא את הטלפון?"
WRONG = r"""() => {
  const wrong = [], seen = document.createTreeWalker(document.querySelector(".stApp"), NodeFilter.SHOW_TEXT);
  let found = 0;
  const left = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  for (let node = seen.nextNode(); node; node = seen.nextNode()) {
    const text = node.data.trimEnd(), begins = text.search(/\S/);
    if (!/^\s*[\u0590-\u06ff]/.test(text) || !/[.!?\u061f]$/.test(text)) continue;
    const [first, last] = [left(node, begins), left(node, text.length - 1)];
    if (!first.width || !last.width || Math.abs(first.top - last.top) > first.height / 2)
      continue; // it is hidden, or on two lines
    found++;
    const part = node.parentElement.closest(".answer :is(blockquote, ul, ol)"); // with a border, or bullets
    if (last.left >= first.left || (part && getComputedStyle(part).direction !== "rtl"))
      wrong.push(node.parentElement.outerHTML.slice(0, 200));
  }
  const boxes = [...document.querySelectorAll(".stApp :is(textarea, input[type=text], input[type=search])")];
  wrong.push(...boxes.filter((one) => getComputedStyle(one).unicodeBidi !== "plaintext").map((one) => one.outerHTML));
  return [found, wrong];
}"""


@pytest.fixture(scope="module")
def home(published, tmp_path_factory):
    """A workspace whose documents, files, questions, chats, watches, assistants and people have such names."""
    home = copy_of(published, tmp_path_factory.mktemp("right") / "home")
    (home / "docs" / "leave-he.md").write_text(f"---\ntitle: {TITLE}\n---\n# {TITLE}\n\n{FACT}\n")
    (home / "docs" / "office-ar.md").write_text(f"---\ntitle: {ARABIC}\n---\n# {ARABIC}\n\n{OPENS}\n")
    with (home / "rag.toml").open("a") as settings:
        settings.write('\n[[sources]]\nid = "uploads"\nkind = "upload"\n')
    workspace = open_workspace(home)
    collections = workspace.collections()
    collections.create(TITLE, id="courses", description=FACT)
    collections.add("courses", "מסמך ראשון!", [f"# {TITLE}\n\n{FACT}\n".encode()])
    pipeline = Pipeline(workspace)
    for source in workspace.settings.sources:
        pipeline.sync_source(source.id)
    workspace.versions.promote(pipeline.build().version, FACT)
    fill(workspace)
    (home / "questions").mkdir()
    row = {"id": "q", "question": QUESTION, "relevant": [{"uri": "handbook/leave-he.md", "quote": FACT}]}
    (home / "questions" / "own.jsonl").write_text(json.dumps(row | {"answerable": True, "answer": FACT}) + "\n")
    return home


def fill(workspace):
    """Let people have asked, watched, described and named things."""
    asked = workspace.answerer.ask(QUESTION)
    chat = workspace.chats.begin(QUESTION)
    workspace.chats.say(chat, "user", QUESTION)
    workspace.chats.say(chat, "assistant", asked.answer, asked.receipt_id)
    workspace.feedback.give(asked.receipt_id, good=False, comment=FACT, reason="wrong")
    workspace.answerer.ask(UNKNOWN)
    watch = workspace.watches.begin("", QUESTION, datetime.now(UTC))
    assert look_first(workspace, watch) == []
    workspace.assistants.put("", TITLE, Assistant(about=FACT, starters=(QUESTION,)))
    workspace.templates.put("", TITLE, QuestionTemplate(QUESTION))
    workspace.access.rules.join(f"group:{TITLE}", ["user:ilse"], who=TITLE, why=FACT)
    found = documents_found(workspace, QUESTION, Filters(), 2, None)
    grid = make_grid(workspace, Sharer("", (), "test"), TITLE, [(QUESTION, "")], found)
    workspace.grid_cells.want(grid, "", (), datetime.now(UTC))
    fill_waiting(workspace, grid)
    Tokens(workspace.journal).create("robot", principals=[f"group:{TITLE}"], who=TITLE)


def views(workspace):
    """Return the addresses of all views, and how many such texts stand in each at least."""
    hit = workspace.retriever.search(QUESTION, k=1).hits[0]
    document = "document?" + "&".join(f"{name}={value}" for name, value in place(hit.doc_id, hit.span).items())
    (chat,), (watch,) = workspace.chats.of(), workspace.watches.of("")
    token = workspace.chats.share(chat.id)
    (assistant,), (grid,) = workspace.assistants.of([""]), workspace.grids.of([""])
    return {
        "?": 1,  # the assistant; chats stand beside it
        f"?chat={chat.id}": 3,
        f"?shared={token}": 2,
        f"?assistant={assistant.id}": 2,
        f"search?q={quote(QUESTION)}": 1,
        document: 2,
        **{f"{document}&tab={tab}": 1 for tab in ("original", "about", "history", "passages", "cited")},
        "collections": 1,
        "collections?collection=courses": 1,
        "collections?show=sources": 0,
        "quality": 0,
        **{f"quality?part={part}": least for part, least in (("versions", 0), ("questions", 1), ("feedback", 1))},
        "quality?part=proposed": 1,
        "quality?part=edit&id=q": 1,
        **{f"operate?part={part}": 0 for part in ("now", "sources", "holding", "costs", "decided", "audit")},
        "operate?part=asked": 1,
        **{f"admin?part={part}": 0 for part in ("people", "reading", "tokens", "limits", "servers", "backups")},
        "grids": 1,
        f"grids?grid={grid.id}": 3,
        "grids?new=1": 0,
        "watches": 1,
        f"watches?watch={watch.id}": 1,
        "assistants": 3,
        f"assistants?edit={assistant.id}": 0,
    }


def test_in_every_view_a_text_runs_as_its_words_do_and_nothing_else_is_wrong(browser, home):
    faults = {}
    with page_over(home) as address, tab_of(browser, address) as tab:
        for number, (view, least) in enumerate(views(open_workspace(home)).items()):
            tab.set_viewport_size(DESK)
            settled(tab)
            tab.evaluate("(view) => window.followLinks(new URL(view, location.origin))", view)
            settled(tab)
            tab.wait_for_function(f"(least) => ({WRONG})()[0] >= least", arg=least)  # on a busy machine it comes late
            found, odd = tab.evaluate(WRONG)
            seen = wrong(tab, f"right-to-left-{number}", LOOKS[number % len(LOOKS)])
            if odd or seen:
                faults[view] = found, odd, seen
        assert faults == {}
