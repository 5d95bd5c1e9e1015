"""Content that tries to be more than text, in every view of a real browser: nothing of it acts, all of it is shown."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from rag_platform.answering.suggestions.examples import EXAMPLES
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.attaching import attach
from rag_platform.operations.asking.sharing import Sharer
from rag_platform.operations.grids.filling import fill_waiting
from rag_platform.operations.grids.grid_making import documents_found, make_grid
from rag_platform.operations.watching.looking import look_first
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.question_templates import QuestionTemplate
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.browsing import becomes, expect, in_browser, page_over, settled, tab_of

pytestmark = in_browser

DATA = os.environ.get("RAG_SHARED_DATA")
OWN = (
    "<script>window.owned=1</script>",
    '"><img src=x onerror=window.owned=1>',
    "<svg onload=window.owned=1><circle r=9></svg>",
    "</style></title></textarea><iframe srcdoc='<script>parent.owned=1</script>'></iframe>",
    "[go](javascript:window.owned=1) ![p](http://evil.example/p.png)",
    "<a href=javascript:window.owned=1>go</a> <http://evil.example/>",
    "<a href='data:text/html,<script>opener.owned=1</script>'>d</a>",
    "' onmouseover='window.owned=1' autofocus onfocus='window.owned=1",
    "{{constructor.constructor('window.owned=1')()}} ${window.owned=1}",
    ":material/delete: :red[red] $\\href{javascript:window.owned=1}{x}$ :smile: www.evil.example a@evil.example",
    "\u202eevil\u202c \u2066turned\u2069 z\u200be\u200br\u200bo",
    "W" * 400,
    "<style>*{display:none!important}</style><base href=http://evil.example/>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'><form action=http://evil.example><input></form>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=window.owned=1>'>",
    "\x07bell \x1b[31mred \x7f\x85\u2028line\ufeff ![p](http://evil.example/q.png) https://evil.example/",
)
RICH = (
    "| a<img src=x onerror=window.owned=1> | [b](javascript:window.owned=1) | n |\n|---|---|---|\n"
    "| \u202e7 <script>window.owned=1</script> | $\\htmlData{a=b}{x_1}$ | 5 |\n"
    "| `8` | $\\href{javascript:owned}{y_1}$ | 7 |\n\n"
    "```<img/src=x/onerror=window.owned=1>\n<img src=x onerror=window.owned=1>\n```\n\n"
    "$$\n\\includegraphics{x_1}\n$$\n\n\\(\\def\\a{\\a\\a}\\a\\) $\\rule{9999em}{9999em}_1$ $\\sqrt{x_1}$\n"
)
"""Tables, code and formulas that try the same."""
SOME = (*(OWN[place] for place in (0, 1, 4, 9, 10)), f"{OWN[10]} {OWN[-1]} {'W' * 70}")
"""Of each sort one: a script, a tag, links, Streamlit's own signs, signs that turn, control characters, a long word."""
BESIDE = "Two answers"
"""The title of a chat that has them."""
FILE_NAME = '<img src=x onerror="window.owned=1">[a](javascript:b) `c` .md'
RESULT = "li.hit a.open"
QUESTION = "What does the zebra protocol demand of keepers?"


def naughty():
    """The big list of naughty strings, and the inputs of html5lib's tokenizer tests, where there are any."""
    if not DATA:
        return [], []
    strings = json.loads((Path(DATA) / "security_blns" / "blns.json").read_text())
    folder = Path(DATA) / "security_html5lib_malformed" / "tokenizer"
    tests = [test for path in sorted(folder.glob("*.test")) for test in json.loads(path.read_text()).get("tests", [])]
    return strings, [test["input"] for test in tests]


def told(number, text):
    """A document that says something worth finding, and names itself with a hostile text."""
    title = json.dumps(text)
    return (
        f"---\ntitle: {title}\nauthor: {title}\ntags: [{title}, {json.dumps('tag ' + text)}]\nowner: {title}\n---\n"
        f"# {text}\n\nThe zebra protocol demands that keeper {number} counts every animal twice: {text}\n\n"
        f"## Part {number} {text}\n\nThe stripes of zebra {number} are counted by its keeper.\n"
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory, model_folder):
    """A workspace of hostile documents, collections and chats."""
    home = tmp_path_factory.mktemp("hostile")
    docs = home / "docs"
    docs.mkdir()
    for number, text in enumerate(OWN):
        (docs / f"{number}.md").write_text(told(number, text), encoding="utf-8")
    (docs / "rich.md").write_text(f"# Rich\n\n{RICH}\nThe zebra protocol has a table.\n")
    (docs / FILE_NAME).write_text("The zebra protocol demands that a file may have any name.\n")
    strings, inputs = naughty()
    lines = "\n\n".join(OWN) + "\n\n" + "\n\n".join(strings)
    (docs / "list.txt").write_text(
        f"The zebra protocol lists what is naughty.\n\n{lines}", encoding="utf-8", errors="replace"
    )
    body = "\n".join(
        f"<p>The zebra protocol page, line {n}. {text}</p>" for n, text in enumerate((*OWN, *strings, *inputs))
    )
    page = (
        f"<!doctype html><html><head><title>{OWN[0]}</title></head><body onload='window.owned=1'>{body}</body></html>"
    )
    (docs / "page.html").write_text(page, encoding="utf-8", errors="replace")
    (home / "rag.toml").write_text(
        f'[[sources]]\nid = "zoo"\nkind = "folder"\npath = "docs"\ncollection = {json.dumps(OWN[0])}\n'
        '[[sources]]\nid = "uploads"\nkind = "upload"\n'
    )
    workspace = open_workspace(home)
    collections = workspace.collections()
    for number, text in enumerate(SOME):
        made = collections.create(text, id=f"c{number}", description=text)
        collections.add(made.id, FILE_NAME, [told(90 + number, text).encode()], title=text)
    pipeline = Pipeline(workspace)
    for source in workspace.settings.sources:
        pipeline.sync_source(source.id)
    workspace.versions.promote(pipeline.build().version, OWN[1])
    (docs / "0.md").write_text(told(0, OWN[0]).replace("twice", OWN[1]))
    pipeline.sync_source("zoo")
    workspace.versions.promote(pipeline.build().version, OWN[1])
    for text in SOME:
        chat = workspace.chats.begin(text)
        workspace.chats.say(chat, "user", text)
        workspace.chats.say(chat, "assistant", f"{text} says the answer. [1] [?]")
        workspace.folders.move(chat, text)
        workspace.answerer.ask(f"Who wrote {text} about tungsten?")
    chat = workspace.chats.begin("Rich <b>")
    workspace.chats.say(chat, "user", "Show it.")
    workspace.chats.say(chat, "assistant", RICH, workspace.answerer.ask(QUESTION).receipt_id)
    for text in SOME:
        watch_of(workspace, f"zebra protocol {text}", kind="search")
        answers = [workspace.answerer.ask(f"{asked} {text}").receipt_id for asked in (QUESTION, "Who wrote")]
        watch_of(workspace, f"{QUESTION} {text}", *answers)
        workspace.feedback.give(answers[0], good=False, comment=text, reason="wrong")
        workspace.assistants.put("", text, Assistant(about=text, instructions=text, starters=(text,)))
        workspace.templates.put("", text, QuestionTemplate(f"{text} {{{{{text}}}}}"))
        workspace.access.rules.join("group:keepers", [f"user:{text}"], who=text, why=text)
        workspace.access.rules.join(f"group:{text}", [f"user:{text}", "group:keepers"], who=text, why=text)
    grid_of(workspace)
    beside(workspace)
    offer(workspace)
    (home / "questions").mkdir()
    labelled = [
        {
            "id": f"q{number}",
            "question": f"What of zebra {text}?",
            "relevant": [{"uri": f"zoo/{number}.md", "quote": text}],
            "answerable": True,
            "answer": text,
            "tags": [text],
        }
        for number, text in enumerate(SOME)
    ]
    lines = (json.dumps(question) for question in labelled)
    (home / "questions" / "own.jsonl").write_text("\n".join(lines) + "\n")
    (docs / "broken <img src=x onerror=window.owned=1>.pdf").write_bytes(b"%PDF-1.4 broken")
    pipeline.sync_source("zoo")
    return home


def grid_of(workspace):
    """Ask some documents hostile questions, in a grid that is as hostile."""
    filters = Filters(sources=("zoo",))
    found = documents_found(workspace, "zebra protocol keeper", filters, 12, None)
    named = [(f"{QUESTION} {text}", text) for text in SOME[:3]]
    grid = make_grid(workspace, Sharer("", (), "test"), OWN[1], [(QUESTION, ""), *named], found)
    workspace.grid_cells.want(grid, "", (), datetime.now(UTC))
    fill_waiting(workspace, grid)


def beside(workspace):
    """Let a chat have two versions of its question, and several answers: hostile ones that cite such documents."""
    chat = workspace.chats.begin(BESIDE)
    for text in SOME[:2]:
        asked = workspace.chats.say(chat, "user", f"{QUESTION} {text}")
        workspace.branches.turn_back(chat, asked)
    for text in SOME:
        answer = workspace.answerer.ask(f"zebra protocol {text}")
        said = workspace.chats.say(chat, "assistant", f"{answer.answer}\n\n{text}", answer.receipt_id, after=asked)
    workspace.branches.show(chat, said)
    for text in SOME:
        attach(workspace, chat, "", text, b"The zebra protocol demands that what is attached is counted, too.", None)


def offer(workspace):
    """Let the first page offer hostile questions, as if an evaluation had chosen them."""
    documents = workspace.retriever.live().documents()["doc_id"]
    found = zip(SOME[-3:], documents, strict=False)
    examples = [{"question": text, "documents": [doc_id], "language": "en"} for text, doc_id in found]
    workspace.versions.record_evaluation(workspace.versions.live().id, {EXAMPLES: examples}, {"passed": True})


def watch_of(workspace, question, *receipts, kind="question"):
    """Watch it, and let something have changed."""
    now, live = datetime.now(UTC), workspace.retriever.live().id
    watch = workspace.watches.find(workspace.watches.begin("", question, now, kind=kind), "")
    for receipt in receipts or (None,):
        workspace.watches.add(watch, live, now, receipt_id=receipt)
    assert look_first(workspace, watch.id) == []


@pytest.fixture(scope="module")
def workspace(home):
    """The workspace of that folder."""
    return open_workspace(home)


@pytest.fixture(scope="module")
def tab(home, browser):
    """A tab that notes dialogs, too."""
    with page_over(home) as address, tab_of(browser, address) as page:
        page.address = address
        page.on("dialog", lambda shown: (page.trouble.append(shown.message), shown.dismiss()))
        yield page


ODD = r"""() => {
  const odd = [], all = [...document.querySelectorAll("*")];
  for (const one of all) {
    for (const { name, value } of one.attributes)
      if (name.startsWith("on") || /^\s*(javascript|vbscript|data:text)/i.test(value)) odd.push(name + "=" + value);
  }
  const ours = '[data-testid="stHtml"], [data-testid="stMarkdownContainer"]';
  for (const place of document.querySelectorAll(ours)) {
    for (const one of place.querySelectorAll("svg, math, base, meta, object, embed, iframe, video, link"))
      if (!one.matches(".formula > .katex *, .formula > .katex-display *")) // KaTeX's own
        odd.push(one.outerHTML.slice(0, 200));
    for (const one of place.querySelectorAll("p [role=img], p .katex")) // of a label, by Streamlit
      if (!one.matches(".formula *")) odd.push(one.outerHTML.slice(0, 200));
    for (const one of place.querySelectorAll("form, input")) // ours chooses dates, and leads to the page itself
      if (new URL(one.closest("form")?.getAttribute("action") ?? "none:", location).origin !== location.origin)
        odd.push(one.outerHTML.slice(0, 200));
    for (const one of place.querySelectorAll("script, style"))
      if (/owned|evil|display:none!important/.test(one.textContent)) odd.push(one.outerHTML.slice(0, 200));
    for (const one of place.querySelectorAll("img"))
      if (!one.matches('.sheet > img[src^="data:image/webp;base64,"]')) odd.push(one.outerHTML.slice(0, 200));
  }
  for (const one of document.querySelectorAll("a[href]"))
    if (new URL(one.href).origin !== location.origin) odd.push(one.outerHTML.slice(0, 200));
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.getAttribute("sandbox") !== "" && !(frame.matches("aside.beside > *") && frame.src.startsWith(origin)))
      odd.push(frame.outerHTML.slice(0, 200));
  const names = ["title", "alt", "aria-label", "placeholder"];
  const told = all.flatMap((one) => names.map((name) => one.getAttribute(name) ?? ""));
  for (const text of [document.title, document.body.innerText, ...told])
    for (const turned of text.match(/.{0,20}[\u202a-\u202e\u2066-\u2069].{0,20}/g) ?? [])
      odd.push("turned around: " + turned);
  if (window.owned !== undefined) odd.push("owned");
  if (document.documentElement.scrollWidth > innerWidth) odd.push("wider than the window");
  return odd;
}"""


def harmless(tab):
    """Nothing of the content acts, leads away or is more than text."""
    settled(tab)
    tab.wait_for_timeout(100)  # for what would act
    ours = [frame for frame in tab.frames if frame.url.startswith(tab.address)]  # the page, and a source beside it
    assert [odd for frame in ours for odd in frame.evaluate(ODD)] == []
    for frame in (frame for frame in tab.frames if frame not in ours):
        content = frame.content().lower()
        assert not [
            tag for tag in ("<script", "<svg", "<iframe", "<form", "<a ", " href=", "onerror=") if tag in body(content)
        ]
        assert "http-equiv" not in body(content)
    assert tab.trouble == []


def body(content):
    """What a frame shows; text that looks like tags is escaped in it."""
    return content.partition("<body>")[2]


def doc_of(workspace, name):
    documents = workspace.retriever.live().documents().iter_rows(named=True)
    return next(row for row in documents if row["uri"].endswith(name))


def test_an_answer_and_its_sources(tab):
    tab.goto(tab.address)
    tab.get_by_placeholder("Ask about your documents").fill(QUESTION)
    tab.keyboard.press("Enter")
    tab.locator("a.cite").first.wait_for()
    harmless(tab)
    for number, text in enumerate((OWN[0], OWN[10]), 1):
        tab.get_by_placeholder("Ask about your documents").fill(f"zebra protocol {text}")
        tab.keyboard.press("Enter")
        tab.locator("h2.question").nth(number).wait_for()
    harmless(tab)


def test_old_chats(tab, workspace):
    for chat in workspace.chats.of():
        tab.goto(f"{tab.address}/?chat={chat.id}")
        tab.locator("h2.question").first.wait_for()
        harmless(tab)
    expect(tab.locator("h2.question").first).to_contain_text("<")


def test_the_folders_of_chats(tab, workspace):
    kept = [chat for chat in workspace.chats.of() if chat.folder]
    assert len(kept) == len(SOME)
    for chat in kept:
        tab.goto(f"{tab.address}/?chat={chat.id}")
        tab.locator("nav.chats details[open] summary").wait_for()
        harmless(tab)
        tab.get_by_role("button", name="More").click()
        tab.get_by_role("combobox", name="Folder").click()
        expect(tab.get_by_role("option")).to_have_count(len(SOME))
        harmless(tab)


def test_versions_of_a_question_answers_side_by_side_and_a_source_beside_them(tab, workspace):
    tab.set_viewport_size({"width": 1280, "height": 900})
    chat = next(chat for chat in workspace.chats.of() if chat.title == BESIDE)
    tab.goto(f"{tab.address}/?chat={chat.id}")
    tab.get_by_role("button", name="Side by side").wait_for()
    harmless(tab)
    tab.get_by_role("button", name="Edit").click()
    tab.get_by_role("textbox", name="Edit").wait_for()
    harmless(tab)
    tab.keyboard.press("Escape")
    for version in "123456":
        tab.get_by_role("radiogroup", name="Versions of this answer").get_by_text(version, exact=True).click()
        settled(tab)
        tab.get_by_role("button", name="Side by side").click()
        expect(tab.get_by_role("dialog").locator(".answer")).to_have_count(2)
        harmless(tab)
        tab.get_by_role("dialog").get_by_role("button", name="Close").click()
        tab.get_by_role("dialog").wait_for(state="detached")
        tab.locator("a.card").first.click()
        tab.frame_locator("aside.beside iframe").locator("mark#cited").wait_for()
        harmless(tab)
        tab.keyboard.press("Escape")
        tab.locator("aside.beside").wait_for(state="detached")
    tab.set_viewport_size({"width": 1100, "height": 800})


def test_tables_code_and_formulas(tab, workspace):
    chat = next(chat for chat in workspace.chats.of() if chat.title == "Rich <b>")
    tab.goto(f"{tab.address}/?chat={chat.id}")
    tab.locator(".formula .katex").first.wait_for()
    harmless(tab)
    expect(tab.locator(".answer pre")).to_have_text("<img src=x onerror=window.owned=1>")
    tab.get_by_role("button", name="Draw a chart").click()
    tab.locator(".stVegaLiteChart").wait_for()
    harmless(tab)


def test_search(tab):
    tab.goto(f"{tab.address}/search?q=zebra+protocol")
    tab.locator(RESULT).first.wait_for()
    harmless(tab)
    expect(tab.locator(".stMain")).to_contain_text("<script>window.owned=1</script>")
    tab.goto(f"{tab.address}/search?q={quote('zebra ' + OWN[1])}&why={quote(OWN[0])}&collection={quote(OWN[0])}")
    tab.locator(RESULT).first.wait_for()
    harmless(tab)


@pytest.mark.parametrize("name", ["/0.md", "/4.md", "/10.md", "/list.txt", "/page.html", FILE_NAME])
def test_every_tab_of_a_document(tab, workspace, name):
    document = doc_of(workspace, name)
    start = document["text"].find("zebra protocol")
    tab.goto(f"{tab.address}/document?doc={document['doc_id']}&start={start}&end={start + 14}")
    tab.locator("mark#cited").wait_for()
    harmless(tab)
    for label in ("Original", "About", "History", "Passages", "Cited by"):
        tab.locator("nav.tabs a", has_text=label).click()
        tab.locator("nav.tabs a[aria-current]", has_text=label).wait_for()
        harmless(tab)
    if name == "/0.md":
        expect(tab.locator("h2.title")).to_contain_text("<script>window.owned=1</script>")


def test_a_narrow_window_is_not_left_by_a_long_word(tab, workspace):
    tab.set_viewport_size({"width": 390, "height": 844})
    for name in ("/11.md", "/list.txt"):
        tab.goto(f"{tab.address}/document?doc={doc_of(workspace, name)['doc_id']}")
        tab.locator(".document").wait_for()
        harmless(tab)
    tab.goto(f"{tab.address}/search?q=zebra+{'W' * 400}")
    tab.locator(RESULT).first.wait_for()
    harmless(tab)
    tab.set_viewport_size({"width": 1100, "height": 800})


def test_collections(tab):
    tab.goto(f"{tab.address}/collections")
    tab.get_by_text("window.owned").first.wait_for()
    harmless(tab)
    for number in range(len(SOME)):
        tab.goto(f"{tab.address}/collections?collection=c{number}")
        tab.locator(".file").first.wait_for()
        harmless(tab)


def test_watches(tab, workspace):
    tab.goto(f"{tab.address}/watches")
    tab.locator("ul.watches li").first.wait_for()
    harmless(tab)
    for watch in workspace.watches.of(""):
        tab.goto(f"{tab.address}/watches?watch={watch.id}")
        tab.locator("section.change").first.wait_for()
        harmless(tab)


def test_grids(tab, workspace):
    tab.goto(f"{tab.address}/grids")
    tab.locator("ul.watches a").first.wait_for()
    harmless(tab)
    tab.locator("ul.watches a").first.click()
    tab.locator(".grid td a.cite").first.wait_for()
    harmless(tab)
    tab.locator(".grid .marks a", has_text="…").first.click()
    tab.get_by_role("dialog").locator(".answer").wait_for()
    harmless(tab)
    tab.get_by_role("dialog").get_by_role("button", name="Close").click()
    tab.get_by_role("dialog").wait_for(state="detached")
    tab.locator(".grid thead a").last.click()
    tab.get_by_role("dialog").get_by_role("textbox").first.wait_for()
    harmless(tab)


def test_assistants_and_what_is_shared(tab, workspace):
    tab.goto(f"{tab.address}/assistants")
    tab.get_by_text("window.owned").first.wait_for()
    harmless(tab)
    for assistant in workspace.assistants.of([""]):
        tab.goto(f"{tab.address}/?assistant={assistant.id}")
        tab.locator(".hero").wait_for()
        harmless(tab)
        tab.goto(f"{tab.address}/assistants?edit={assistant.id}")
        tab.get_by_role("textbox").first.wait_for()
        harmless(tab)
    for chat in workspace.chats.of()[:2]:
        tab.goto(f"{tab.address}/?shared={workspace.chats.share(chat.id)}")
        tab.locator("h2.question").first.wait_for()
        harmless(tab)


def test_names_that_are_offered_in_the_box(tab):
    tab.goto(tab.address)
    box = tab.get_by_placeholder("Ask about your documents")
    for sign in ("#", "@", "!"):
        box.fill("")
        box.press_sequentially(sign)
        tab.locator("ul.names li").first.wait_for()
        harmless(tab)
    box.fill("")


def test_the_first_pages_questions(tab):
    tab.goto(tab.address)
    expect(tab.locator(".st-key-examples button")).to_have_count(3)
    harmless(tab)
    expect(tab.locator(".st-key-examples")).to_contain_text("\\href{javascript:window.owned=1}{x}")


def test_what_a_chat_is_asked_of_and_what_is_attached_to_it(tab, workspace):
    hits = [doc_of(workspace, f"/{place}.md")["doc_id"] for place in (1, 4, 10, 15)]
    named = "&".join((*(f"collection=c{n}" for n in range(len(SOME))), *(f"document={doc_id}" for doc_id in hits)))
    tab.goto(f"{tab.address}/?{named}")
    hovered(tab, "scope-", len(SOME) + len(hits))
    tab.goto(f"{tab.address}/?chat={next(chat.id for chat in workspace.chats.of() if chat.title == BESIDE)}")
    hovered(tab, "attached-", len(SOME))


def hovered(tab, key, count):
    """Look at so many chips, and at what each tells of itself."""
    chips = tab.locator(f"[class*=st-key-{key}] .stTooltipHoverTarget")
    expect(chips).to_have_count(count)
    harmless(tab)
    told = tab.get_by_test_id("stTooltipContent")
    for chip in chips.all():
        tab.mouse.move(0, 0)
        expect(told).to_have_count(0)
        becomes(tab, lambda chip=chip: chip.hover() or told.is_visible())  # the view scrolls back to its end at first
        harmless(tab)


@pytest.mark.parametrize("part", ["people", "reading", "tokens", "limits", "servers", "backups"])
def test_admin(tab, part):
    tab.goto(f"{tab.address}/admin?part={part}")
    harmless(tab)
    if part == "people":
        expect(tab.locator("table.figures")).to_contain_text("user:<script>window.owned=1</script>")


@pytest.mark.parametrize("part", ["overview", "questions", "proposed", "versions", "feedback", "edit&id=q0"])
def test_quality(tab, part):
    tab.goto(f"{tab.address}/quality?part={part}")
    harmless(tab)


@pytest.mark.parametrize("part", ["now", "sources", "asked", "holding", "costs", "review", "decided", "audit"])
def test_operate(tab, part):
    tab.goto(f"{tab.address}/operate?part={part}")
    harmless(tab)
    if part == "asked":
        expect(tab.locator(".stMain")).to_contain_text("<script>window.owned=1</script>")
