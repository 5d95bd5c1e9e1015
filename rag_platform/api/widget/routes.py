"""The widget: its script, its panel, and what the panel asks; and the page of the bookmarklet.

Its token stands in public pages, so it opens nothing but these routes, and nothing that another visitor asked. The
panel is a frame of this server's origin; which sites may show it is for [http] `widget_on` to say.
"""

from collections.abc import Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Request
from starlette.responses import Response

from rag_platform.answering.ask_options import AskOptions
from rag_platform.answering.events import AnswerEvents
from rag_platform.api.access import Caller, CurrentVisitor, Served
from rag_platform.api.answer_events import EventsTold
from rag_platform.api.answers import answering
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.asking import TurnsRequest
from rag_platform.api.models.fields import Flag, Question, RequestModel, Text
from rag_platform.api.problems import reply
from rag_platform.core.answers import Answer
from rag_platform.core.generation import Retracted
from rag_platform.core.hits import Filters
from rag_platform.journal.answer_judgements import Judgement
from rag_platform.journal.answer_notes import answer_notes
from rag_platform.operations.asking.answer_feedback import give_feedback
from rag_platform.operations.asking.assisting import asker_of, assisted, refuse_unknown_assistant
from rag_platform.people.locality import network_of
from rag_platform.workspace import Workspace

router = APIRouter(route_class=JsonRoute, include_in_schema=False)
_TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html"}
_ONLY_OURS = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'"


class Asked(TurnsRequest):
    """A question of a visitor."""

    question: Question
    site: Text = ""
    """The origin of the page around the panel, as that says."""
    assistant: Text = ""
    """The id of who answers, as the page's script says; empty: no assistant."""


class Judged(RequestModel):
    """What a visitor thinks of an answer."""

    receipt: Text
    good: Flag


@router.get("/widget.js")
def script() -> Response:
    """Return the script that a page names."""
    return _file("widget.js")


@router.get("/widget/panel")
def panel(workspace: Served) -> Response:
    """Return the panel, to be shown by the sites of the settings."""
    sites = " ".join(workspace.settings.http.widget_on) or "'none'"
    return _file(
        "panel.html", {"content-security-policy": f"{_ONLY_OURS}; form-action 'none'; frame-ancestors {sites}"}
    )


@router.get("/widget/panel.js")
def panel_script() -> Response:
    """Return the panel's script."""
    return _file("panel.js")


@router.get("/widget/panel.css")
def panel_style() -> Response:
    """Return the panel's style."""
    return _file("panel.css")


@router.get("/save")
def save_page() -> Response:
    """Return where the bookmarklet leads: a page that asks and saves with a token of whoever opened it."""
    return _file("save.html", {"content-security-policy": f"{_ONLY_OURS}; frame-ancestors 'none'"})


@router.get("/widget/save.js")
def save_script() -> Response:
    """Return that page's script."""
    return _file("save.js")


@router.post("/widget/ask")
def ask(request: Request, workspace: Served, caller: CurrentVisitor, given: Asked) -> Response:
    """Answer a visitor's question, as events for whoever accepts them."""
    visitor = str(network_of(request.client.host) if request.client else None)
    _count(workspace, caller, visitor, given.site)
    asker = asker_of(workspace, caller.owner, caller.principals)
    refuse_unknown_assistant(workspace, given.assistant, asker)
    options: AskOptions = {"history": given.turns(), "filters": Filters(principals=caller.principals)}
    options |= {"session": visitor, "asker": caller.owner, "who": caller.who}
    parts = _widget(workspace).answerer.stream(given.question, **assisted(workspace, options, given.assistant, asker))
    return answering(request, parts, _events, _shown)


@router.post("/widget/feedback")
def judge(workspace: Served, caller: CurrentVisitor, given: Judged) -> Response:
    """Keep what a visitor thinks of an answer that this widget gave."""
    judged = Judgement(given.good, "", "")
    give_feedback(workspace, given.receipt, judged, owner=caller.owner, readers=caller.readers)
    return reply({"good": given.good})


def _count(workspace: Workspace, caller: Caller, visitor: str, site: str) -> None:
    """Count a question: of its visitor, whose network cannot spend what the token and the site have for all."""
    everybody = "questions of visitors"
    there = f"site {_named(site, workspace.settings.http.widget_on)}"
    workspace.rates.take_each(("questions", f"{caller.who} {visitor}"), (everybody, caller.who), (everybody, there))


def _named(site: str, sites: Sequence[str]) -> str:
    """Return which of the settings' sites that is; "": none, so that nobody makes up one for each question."""
    return next((one for one in sites if fnmatchcase(site, one)), "")


def _events(parts: AnswerEvents) -> EventsTold:
    """Yield what a visitor is told of an answer while it is written: its text, and then the whole."""
    with closing(parts):
        for part in parts:
            match part:
                case str(text):
                    yield "token", {"text": text}
                case Retracted():
                    yield "retracted", {}
                case Answer():
                    yield "answer", _shown(part)
                case _:
                    yield None


def _widget(workspace: Workspace) -> Workspace:
    return workspace.reached_by("widget")


def _shown(answer: Answer) -> dict[str, object]:
    """Return what a visitor sees of an answer."""
    cited = [{"n": one.n, "title": one.title, "uri": one.uri, "quote": one.quote} for one in answer.citations]
    notes = answer_notes(answer)
    return {"answer": answer.answer, "citations": cited, "notes": notes, "receipt": answer.receipt_id}


def _file(name: str, headers: dict[str, str] | None = None) -> Response:
    """Return a file of the widget; the browser asks again after five minutes."""
    common = {"cache-control": "max-age=300", "x-content-type-options": "nosniff"}
    common |= {"cross-origin-resource-policy": "cross-origin"}
    return Response(_text(name), headers=common | (headers or {}), media_type=_TYPES[name.rpartition(".")[2]])


@cache
def _text(name: str) -> str:
    return files(__package__).joinpath("files", name).read_text(encoding="utf-8")
