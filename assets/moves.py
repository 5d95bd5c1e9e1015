"""Jobs that move the live version by hand: what `rag index promote` and `rag index rollback` do."""

import dagster as dg

from assets.failures import failing_without_retries
from rag_platform.workspace import Workspace


class MoveConfig(dg.Config):
    """Where to, and the reason, for the log."""

    version: str = ""
    """An id, its beginning or its number; empty: the candidate to promote, the version before to go back to."""
    why: str


class PromoteConfig(MoveConfig):
    """As `MoveConfig`; and whether the gate's verdict counts."""

    force: bool = False
    """Also a version that the gate refused or has not judged."""


@dg.op
def make_live(context: dg.OpExecutionContext, config: PromoteConfig, workspace: dg.ResourceParam[Workspace]) -> None:
    """Make a version the live one; after a rollback, let publication go on."""
    versions = workspace.versions
    with failing_without_retries():
        chosen = versions.resolve(config.version or "candidate")
        versions.refuse_unfit(chosen, force=config.force)
        versions.promote(chosen, config.why, run_id=context.run.run_id)
    context.log.info("%s is live", chosen)


@dg.op
def go_back(context: dg.OpExecutionContext, config: MoveConfig, workspace: dg.ResourceParam[Workspace]) -> None:
    """Go back to a version; nothing is published by itself until one is promoted."""
    versions = workspace.versions
    with failing_without_retries():
        target = versions.resolve(config.version) if config.version else None
        chosen = versions.rollback(target, why=config.why, run_id=context.run.run_id)
    context.log.info("%s is live; publication is held", chosen)


@dg.job(name="promote", description=make_live.description)
def promote_job() -> None:
    """Promote one version."""
    make_live()


@dg.job(name="roll_back", description=go_back.description)
def rollback_job() -> None:
    """Go back to one version."""
    go_back()
