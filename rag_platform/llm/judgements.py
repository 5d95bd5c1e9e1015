"""What a language model is asked to judge several things in one reply: the form of the reply, and reading it."""

import json
from typing import Any


def judgements_schema(**properties: str | tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON schema of ``{"judgements": [{…}, …]}``, each with all these properties.

    A property is given by the name of its JSON type, or by the words that it may have.
    """
    one = _object({name: _kind(kind) for name, kind in properties.items()})
    return _object({"judgements": {"type": "array", "items": one}})


def _kind(kind: str | tuple[str, ...]) -> dict[str, Any]:
    return {"type": kind} if isinstance(kind, str) else {"type": "string", "enum": list(kind)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_judgements(said: str) -> list[dict[str, Any]]:
    """Return the judgements of a reply, whatever stands around the JSON; their values are not checked.

    Raises:
        ValueError: the reply holds none of that form.
    """
    said = said.rpartition("</think>")[2]
    try:
        found = json.loads(said[said.find("{") : said.rfind("}") + 1])["judgements"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"no judgements in {said[:200]!r}") from error
    if not isinstance(found, list):
        raise ValueError(f"the judgements are a {type(found).__name__}; expected a list")
    return [judgement for judgement in found if isinstance(judgement, dict)]
