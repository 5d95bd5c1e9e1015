"""A file of claims, one JSON object a line -> what is to be judged, and what people judged."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from rag_platform.core.errors import ClaimFileError

Label = Literal["supported", "partial", "unsupported", "contradicted"]
LABELS: tuple[Label, ...] = get_args(Label)
_PLAIN: dict[bool, Label] = {True: "supported", False: "unsupported"}


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim, and what it is held to."""

    line: int
    claim: str
    source: str = ""
    """The text that should support it; empty: what the index has for it."""
    question: str = ""
    """What it answers; without a source, what is searched for."""
    label: Label | None = None
    """What people say; None: nobody said."""


def read_claims(path: Path) -> tuple[list[ClaimRow], list[str]]:
    """Return the claims of a file, and what is wrong with the lines that hold none.

    Raises:
        ClaimFileError: the file cannot be read, or holds no claim.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # other separators may stand in a text
    except (OSError, UnicodeDecodeError) as error:
        raise ClaimFileError(f"{path} cannot be read: {error}") from error
    rows, problems = [], []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                rows.append(_row(number, json.loads(line)))
            except ValueError as error:
                problems.append(f"{path.name}, line {number}: {error}")
    if not rows:
        first = f"; {problems[0]}" if problems else ""
        raise ClaimFileError(
            f'{path} holds no claim{first}. Expected a JSON object a line, such as {{"claim": "…", "source": "…"}}'
        )
    return rows, problems


def _row(number: int, values: Any) -> ClaimRow:
    if not isinstance(values, dict):
        raise ValueError(f"{json.dumps(values)[:60]} is no JSON object")
    texts = {name: values.get(name) or "" for name in ("claim", "source", "question")}
    if wrong := [name for name, text in texts.items() if not isinstance(text, str)]:
        raise ValueError(f"{wrong[0]} is {texts[wrong[0]]!r:.60}; expected a text")
    if not texts["claim"].strip():
        raise ValueError("it has no claim")
    return ClaimRow(number, **texts, label=_label(values.get("label")))


def _label(said: Any) -> Label | None:
    if said is None:
        return None
    if said in (0, 1):  # true and false are these too
        return _PLAIN[bool(said)]
    if label := next((label for label in LABELS if label == said), None):
        return label
    raise ValueError(f"label is {said!r:.60}; expected one of {', '.join(LABELS)}, or true or false")
