"""The pipeline of this workspace: for the command `dg`, see dg.toml, and for a Dagster that several share."""

from pathlib import Path

from rag_platform.workspace.dagster_definitions import defs_in

defs = defs_in(Path(__file__).resolve().parents[1])
