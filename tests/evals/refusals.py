"""A refused version whose documents and questions are as hostile to a page as they can be."""

from pathlib import Path

from evals.candidate_evaluation import evaluate, report_path
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

ATTACK = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"
LONG = f"https://example.org/{'a-segment-without-any-break/' * 8}नदी-का-जलस्तर/河川水位/مستوى-النهر.html"
PAGES = [document(f"page{n}.md", f"page {n} tells of topic{n} and the river", title=f"Page {n}") for n in range(6)]
HINDI = document(LONG, "नदी का जलस्तर बढ़ रहा है और चेतावनी जारी है", title=f"नदी {ATTACK}", language="hi")
ARABIC = document("ar.html", "ارتفع منسوب النهر اليوم في المدينة", title="مستوى النهر", language="ar", source="news")
QUESTIONS = [
    {"id": f"q{n}", "question": f"topic{n} river", "relevant": [{"uri": f"page{n}.md", "quote": f"tells of topic{n}"}],
     "tags": ["pages", "synthetic"] if n % 2 else ["pages"], "language": "en"}
    for n in range(6)
] + [
    {"id": "hi", "question": f"नदी {ATTACK} {'x' * 300}", "relevant": [{"uri": LONG, "quote": "चेतावनी जारी है"}]},
    {"id": "ar", "question": "ارتفع منسوب النهر", "relevant": [{"uri": "ar.html", "quote": "منسوب النهر اليوم"}]},
]  # fmt: skip


def refused_version(home: Path) -> tuple[SmallWorkspace, str]:
    """Make a workspace whose third version read two documents as menus and lost others, and was refused."""
    workspace = SmallWorkspace(home)
    workspace.questions(*QUESTIONS[:6])
    workspace.publish(*PAGES, HINDI, ARABIC)
    workspace.questions(*QUESTIONS)
    workspace.publish(*PAGES, HINDI, ARABIC, document("more.md", "more"))
    edited = document("page1.md", "page 1 was rewritten", title="Page 1")
    menus = [row | {"text": "menu", "revision": "menu"} for row in (PAGES[5], HINDI)]
    version = workspace.build(PAGES[0], edited, *PAGES[2:5], *menus, document("new.md", "new", title="New"))
    assert evaluate(workspace, version).verdict.outcome == "refused"
    return workspace, version


def html_of(made: tuple[SmallWorkspace, str]) -> Path:
    """Return where the page of its report lies."""
    return report_path(*made).with_suffix(".html")
