"""What `dg` and Dagster load in a workspace: the pipeline of `assets`, from the checkout or from the wheel.

`rag up` names this module, and so does the dg.toml that `rag init` writes.
"""

from rag_platform.workspace.applications import load_application

defs = load_application("assets.definitions", extra="dagster", purpose="the pipeline in Dagster").defs
