"""What a workspace's assets, partitions and pools are called: in a Dagster that several share, each has a prefix."""

from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg

from rag_platform.config.sections.operations import DagsterSettings
from rag_platform.config.settings import Settings

POOLS = ("fetch", "embed", "index")
"""In each of which one run is at a time, unless somebody allows more."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one workspace; without a prefix it is alone in its Dagster, or the one that was there first."""

    dagster: DagsterSettings

    @classmethod
    def of(cls, settings: Settings) -> "Names":
        """Return those that the settings choose."""
        return cls(settings.dagster)

    @property
    def partitions(self) -> str:
        """The name of `sources`."""
        return self.dagster.named("source")

    @property
    def sources(self) -> dg.DynamicPartitionsDefinition:
        """One partition per source of rag.toml; sources come and go."""
        return dg.DynamicPartitionsDefinition(name=self.partitions)

    def pool(self, what: str) -> str:
        """Return the pool in which runs wait for each other; those of other workspaces wait in another one."""
        return self.dagster.named(what)

    def key(self, asset: str) -> dg.AssetKey:
        """Return an asset's key."""
        return dg.AssetKey([part for part in (self.dagster.prefix, asset) if part])

    def keyed(self, assets: Sequence[dg.AssetsDefinition]) -> list[dg.AssetsDefinition]:
        """Return assets under this workspace's keys; their steps keep their names."""
        keys = {key: self.key(key.to_user_string()) for one in assets for key in (*one.keys, *one.dependency_keys)}
        return [one.with_attributes(asset_key_replacements=keys) for one in assets]
