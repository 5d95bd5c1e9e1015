"""The pipeline of this workspace, for the command `dg`; see dg.toml."""

from rag_platform.workspace.dagster_definitions import defs

__all__ = ["defs"]
