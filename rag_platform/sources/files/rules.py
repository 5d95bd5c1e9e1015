"""What is said of files by where they lie: who may read them, what they are, whose they are."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import field_validator

from rag_platform.config.sections.section import Section
from rag_platform.core.ids import digest
from rag_platform.core.ports import Item
from rag_platform.core.principals import PUBLIC
from rag_platform.sources.files.globs import matches

_FACTS = {"principals", "type", "owner", "tags"}


class FileRule(Section):
    """What is said of the files that match; of several rules the last one that says something of a key decides."""

    match: str
    """A glob pattern over paths in the source."""
    principals: tuple[str, ...] | None = None
    """Who may read them, in place of the source's `principals`."""
    type: str | None = None
    owner: str | None = None
    tags: tuple[str, ...] | None = None

    @field_validator("principals")
    @classmethod
    def _somebody(cls, principals: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if principals == ():
            raise ValueError(f"expected at least one principal, such as 'group:desk', or {PUBLIC!r} for everyone")
        return principals


def item_of(uri: str, mark: str | None, path: str, rules: Sequence[FileRule]) -> Item:
    """Return a file as an item. What the rules say of it is part of its mark: other rules are a change of the file."""
    facts: dict[str, Any] = {}
    for rule in rules:
        if matches(path, [rule.match]):
            facts |= rule.model_dump(mode="json", include=_FACTS, exclude_none=True)
    return Item(uri, f"{mark}-{digest(json.dumps(facts, sort_keys=True))}" if mark and facts else mark, facts)
