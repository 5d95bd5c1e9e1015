"""Who may read each of some documents now, such as those of a version: a mask for whoever asks."""

from collections.abc import Collection, Hashable, Sequence
from typing import Protocol

import numpy as np
import polars as pl

from rag_platform.access.policy import Policy
from rag_platform.access.reasons import Reasons, reasons
from rag_platform.access.ruled import COLUMNS, Readable, Ruled, Standing
from rag_platform.core.schemas import ACCESS, CANARY


class Deciding(Protocol):
    """What decides, as it is now: `Access`."""

    def policy(self) -> Policy:
        """Return what holds now; the same object while nothing changes."""

    def table(self, source: str) -> tuple[Sequence[Hashable], pl.DataFrame]:
        """Return what a source said last of each document (columns `ACCESS`), and what changes with it."""


class DocumentAccess:
    """Who may read these documents, in their order. Safe to ask from many threads."""

    def __init__(self, access: Deciding, documents: pl.DataFrame, *, said: pl.DataFrame | None = None) -> None:
        """`said` stands in for what the sources' tables say: columns `ACCESS`."""
        self._access, self._documents, self._given = access, documents.select(COLUMNS), said
        self._sources = sorted(set(documents.filter(pl.col("type").ne_missing(CANARY))["source"].unique()))
        self._made: tuple[Hashable, Standing] | None = None
        self._ruled: Ruled | None = None

    def readable(self, principals: Collection[str]) -> Readable:
        """Return what these principals may read now.

        Raises:
            StorageError: what decides is missing or damaged: nothing may be shown.
        """
        ruled = self.ruled()
        return ruled.readable(ruled.policy.asker(principals))

    def then(self, principals: Collection[str]) -> np.ndarray:
        """Tell of each document whether these principals might read it when it was as it is here: bool."""
        asker = self._access.policy().asker(principals)  # first: what the tables say is of when it was asked
        return self._standing().then.any(asker)

    def reasons(self, place: int = 0) -> Reasons:
        """Return what decides on the document at that place."""
        return reasons(self.ruled(), place)

    def ruled(self) -> Ruled:
        """Return the documents under the policy that holds now; the same object while nothing changes."""
        policy, standing, ruled = self._access.policy(), self._standing(), self._ruled
        if ruled is None or ruled.policy is not policy or ruled.standing is not standing:
            ruled = self._ruled = Ruled(standing, policy)
        return ruled

    def _standing(self) -> Standing:
        tables = [] if self._given is not None else [self._access.table(source) for source in self._sources]
        state, made = tuple(tuple(state) for state, _ in tables), self._made
        if made is None or made[0] != state:
            said = [pl.DataFrame(schema=ACCESS), *(table for _, table in tables)]
            made = self._made = (
                state,
                Standing(self._documents, pl.concat(said) if self._given is None else self._given),
            )
        return made[1]
