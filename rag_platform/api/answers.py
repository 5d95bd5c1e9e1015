"""Search and ask: the same as on the command line, with the same JSON."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from datetime import datetime
from typing import Any

from rag_platform.api.calls import Call
from rag_platform.api.problems import Problem
from rag_platform.config.settings import MODES
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.hits import Filters
from rag_platform.documents.times import parse_time
from rag_platform.operations.replies import answer_document, search_document, why_document
from rag_platform.provenance.why import why as find_why

_LISTS = {"collection": "collections", "source": "sources", "lang": "languages", "type": "types", "tag": "tags"}
SINGLE = ("k", "mode", "since", "until")
OPTIONS = (*SINGLE, *_LISTS, "as")


def search(call: Call) -> Any:
    """Find passages."""
    question, options = _asked(call, "q", "explain")
    call.count("searches")
    explain = call.query.get("explain", [""])[0].lower() in ("1", "true", "yes")
    return search_document(call.workspace.retriever.search(question, **{"k": 10} | options, explain=explain))


def why(call: Call) -> Any:
    """Tell at which stage a document was lost for a question."""
    question, options = _asked(call, "q", "uri")
    uri = call.query.get("uri", [""])[0]
    if not uri.strip():
        raise Problem(400, "no document is named", "&uri=…", "Give a document's address, the end of one, or its id.")
    call.count("searches")
    return why_document(find_why(call.workspace, question, uri, **options))


def _asked(call: Call, *own: str) -> tuple[str, dict[str, Any]]:
    """Return the question and the options of an address; `own` are the parameters that are no options."""
    question = call.query.get("q", [""])[0]
    given = {name: values if name in (*_LISTS, "as") else values[0] for name, values in call.query.items()}
    options = _options(call, {name: value for name, value in given.items() if name not in (*own, "per_document")})
    if not question.strip():
        raise Problem(400, "there is no question", "?q=…", "Say what to look for.")
    if "per_document" in given:
        options["per_document"] = _count("per_document", given["per_document"], 0)
    return question, options


def ask(call: Call) -> Any:
    """Answer a question, every sentence cited."""
    given = call.fields(["question"], (*OPTIONS, "generator", "history"))
    question, generator, history = given.pop("question"), given.pop("generator", None), given.pop("history", [])
    if not isinstance(question, str) or not question.strip():
        raise Problem(400, f"question = {question!r}", "a text", "Ask something.")
    known = call.workspace.generators.names()
    if generator is not None and generator not in known:
        raise Problem(400, f"generator = {generator!r}", f"one of: {', '.join(known)}", "Choose one.")
    asked = {"generator": generator, "history": _turns(history), **_options(call, given)}
    call.count("questions")
    with closing(call.workspace.answerer.stream(question, **asked)) as parts:  # closing it ends the server's work
        for part in parts:
            if isinstance(part, Answer):
                return answer_document(part)
            if call.hung_up():
                raise Problem(499, "nobody waits for the answer", "a connection that stays open", "Ask again.")
    raise AssertionError("a stream ends with its answer")


def generators(call: Call) -> Any:
    """List who may write an answer, and how their servers are."""
    told = [asdict(health) for health in call.workspace.generators.health()]
    if not call.asker.local:  # an address of the house, and what its server said, are not for everybody
        told = [health | {"url": None, "problem": health["problem"] and "it does not answer"} for health in told]
    return {"generators": told, "default": call.workspace.generators.default}


def _options(call: Call, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return k, mode and filters; whoever has a token reads as it says."""
    unknown = sorted(given.keys() - set(OPTIONS))
    if unknown:
        raise Problem(400, f"there is no {unknown[0]!r}", f"one of: {', '.join(OPTIONS)}", "Leave it out.")
    if "as" in given and not call.asker.local:
        raise Problem(403, "a token reads as it was made to", "no `as`", "Leave it out, or make another token.")
    chosen = {field: _texts(name, given[name]) for name, field in _LISTS.items() if name in given}
    principals = _texts("as", given["as"]) if "as" in given else call.asker.principals
    times = {name: _moment(name, given[name]) for name in ("since", "until") if name in given}
    options: dict[str, Any] = {"filters": Filters(**chosen, **times, principals=principals)}
    if "k" in given:
        options["k"] = _count("k", given["k"], 1)
    if given.get("mode") is not None:
        if given["mode"] not in MODES:
            raise Problem(400, f"mode = {given['mode']!r}", f"one of: {', '.join(MODES)}", "Choose one.")
        options["mode"] = given["mode"]
    return options


def _turns(value: Any) -> list[Turn]:
    keys = {"question", "answer"}
    if not isinstance(value, list) or not all(isinstance(one, dict) and one.keys() == keys for one in value):
        raise Problem(400, "history", 'a list of {"question": "…", "answer": "…"}, oldest first', "Mend it.")
    if not all(isinstance(text, str) for one in value for text in one.values()):
        raise Problem(400, "history", "questions and answers as texts", "Mend it.")
    return [Turn(**one) for one in value]


def _texts(name: str, value: Any) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Problem(400, f"{name} = {value!r}", "a text or a list of texts", "Mend it.")
    return tuple(texts)


def _moment(name: str, value: Any) -> datetime:
    found = parse_time(value) if isinstance(value, str) else None
    if found is None:
        raise Problem(400, f"{name} = {value!r}", "a date such as 2026-05-31 or 2026-05-31T08:00", "Mend it.")
    return found


def _count(name: str, value: Any, least: int) -> int:
    try:
        count = int(value) if isinstance(value, str) or type(value) is int else -1
    except (TypeError, ValueError):
        count = -1
    if not least <= count <= 1000:
        raise Problem(400, f"{name} = {value!r}", f"a number from {least} to 1000", "Mend it.")
    return count
