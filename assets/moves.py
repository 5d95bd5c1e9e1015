"""Jobs that move the live version by hand: what `rag index promote` and `rag index rollback` do."""

import dagster as dg

from assets.failures import failing_without_retries
from rag_platform.workspace import Workspace


class MoveConfig(dg.Config):
    """The target version, and the reason for the log."""

    version: str = ""
    """An id, its beginning or its number; empty: the candidate to promote, the version before to go back to."""
    why: str


class PromoteConfig(MoveConfig):
    """As `MoveConfig`, and whether to override the gate."""

    force: bool = False
    """Also a version that the gate refused or has not judged."""


@dg.op
def promote_version(
    context: dg.OpExecutionContext, config: PromoteConfig, workspace: dg.ResourceParam[Workspace]
) -> None:
    """Make a version the live one; after a rollback, resume publication."""
    versions = workspace.versions
    with failing_without_retries():
        chosen = versions.resolve(config.version or "candidate")
        versions.refuse_unfit(chosen, force=config.force)
        versions.promote(chosen, config.why, run_id=context.run.run_id)
    context.log.info("%s is live", chosen)


@dg.op
def roll_back_version(
    context: dg.OpExecutionContext, config: MoveConfig, workspace: dg.ResourceParam[Workspace]
) -> None:
    """Go back to a version; automatic publication stops until one is promoted."""
    versions = workspace.versions
    with failing_without_retries():
        target = versions.resolve(config.version) if config.version else None
        chosen = versions.rollback(target, why=config.why, run_id=context.run.run_id)
    context.log.info("%s is live; publication is held", chosen)


@dg.job(name="promote", description=promote_version.description)
def promote_job() -> None:
    """Promote one version."""
    promote_version()


@dg.job(name="roll_back", description=roll_back_version.description)
def rollback_job() -> None:
    """Go back to one version."""
    roll_back_version()
