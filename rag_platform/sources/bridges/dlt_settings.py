"""What may be set for a resource of dlt."""

from typing import Any, Literal

from pydantic import Field

from rag_platform.config.source_kinds import Kind, opened_by
from rag_platform.sources.bridges.settings import BridgeSettings


class DltSource(BridgeSettings):
    """The rows or files of one resource of a dlt source."""

    kind: Literal["dlt"]
    source: str
    """``rest_api``, ``sql_database``, ``sql_table``, ``filesystem``, or a function as ``module:function``."""
    resource: str | None = None
    """Which of the source's; None: it has only one."""
    incremental: dict[str, Any] = Field(default_factory=dict)
    """For `dlt.sources.incremental`: at least ``cursor_path``."""


EXAMPLE = """
[[sources]]
id = "tickets"
kind = "dlt"
source = "rest_api"
title = "{subject}"
template = "{description}"

[sources.arguments]
client = { base_url = "https://desk.example.org/api/", auth = { type = "bearer", token = "${secret:desk}" } }
resources = [{ name = "tickets", primary_key = "id", endpoint = { path = "tickets" } }]
"""
KIND = Kind(DltSource, opened_by("rag_platform.sources.bridges.dlt_source:Dlt"), example=EXAMPLE, extras=("dlt",))
