"""Documents, what their sources said of them last, and the policy that is applied to both.

A document is read by whom people allow it; where they do not, by whom its source says today. A denial counts more than
either. A text that is not the document's last is read only by those who might read that text then as well.
"""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np
import polars as pl

from rag_platform.access.decisions import Target
from rag_platform.access.policy import Policy
from rag_platform.core.lazy import locked_cached_property
from rag_platform.core.principals import limits, private_readers
from rag_platform.core.schemas import CANARY
from rag_platform.storage.columnar.columns import Lists

COLUMNS = ("doc_id", "uri", "source", "collection", "revision", "principals", "type")
_KEPT = 32
"""Askers whose masks are kept: a byte for each document."""
_FEW = 100
"""Documents up to which only their rows of a table are looked at."""


@dataclass(frozen=True, eq=False, slots=True)
class Readable:
    """What an asker may read, until something changes: then it is another object."""

    documents: np.ndarray
    """Of each document: bool; not to be written to."""
    everything: bool
    number: int = field(default_factory=count().__next__)
    """No other object of this process has it: a key of caches."""


class Standing:
    """The documents with what their sources said of them last."""

    def __init__(self, documents: pl.DataFrame, said: pl.DataFrame) -> None:
        """`documents` has `COLUMNS`, `said` those of `ACCESS`."""
        if documents.height < _FEW:
            said = said.filter(pl.col("doc_id").is_in(documents["doc_id"].implode()))
        last = said.rename({"revision": "last", "principals": "own"}).with_columns(known=True)
        planted = pl.col("type").eq_missing(CANARY)
        self.frame = documents.join(last, on="doc_id", how="left", maintain_order="left").with_columns(
            own=pl.when(planted).then("principals").otherwise("own"),
            private=pl.col("private").fill_null(value=False),
            known=planted | pl.col("known").fill_null(value=False),
            earlier=~planted & pl.col("last").ne_missing(pl.col("revision")),
        )
        self.planted = documents["type"].eq_missing(CANARY).to_numpy()
        self.unknown = ~self.frame["known"].to_numpy()
        self.earlier = self.frame["earlier"].to_numpy()
        """Whose text is not the last one that is known."""
        self.then = Lists(documents["principals"])
        self.own = Lists(self.frame["own"])
        self.has_own = (self.frame["own"].list.len() > 0).fill_null(value=False).to_numpy()
        self.private = np.flatnonzero(self.frame["private"].to_numpy())

    @locked_cached_property
    def places(self) -> dict[str, int]:
        """The place of each document by its id."""
        return {doc_id: place for place, doc_id in enumerate(self.frame["doc_id"])}

    @locked_cached_property
    def origins(self) -> tuple[np.ndarray, list[tuple[str, str]]]:
        """A number for each document, and the source and collection of each number."""
        by = ["source", "collection"]
        known = self.frame.select(by).unique(maintain_order=True).with_row_index("number")
        numbers = self.frame.select(by).join(known, on=by, how="left", nulls_equal=True, maintain_order="left")
        return numbers["number"].to_numpy(), known.select(by).rows()


class Ruled:
    """Documents under a policy."""

    def __init__(self, standing: Standing, policy: Policy) -> None:
        self.standing, self.policy = standing, policy
        self._origin, self._origins = standing.origins
        self._by_origin = _lists([policy.said(source, collection, None) for source, collection in self._origins])
        filled = standing.frame["source"].is_in(list(policy.collections)).to_numpy()
        self._follows = ~standing.has_own | filled
        """Whose readers are those of its source or its collection."""
        self._private = _lists([self.said(place) for place in standing.private.tolist()])
        self._allowed, self._by_rule = self._allow()
        self._denied = self._denials()
        shut = [*policy.quarantined, *policy.forgotten]
        self.closed = standing.unknown | standing.frame["doc_id"].is_in(shut).to_numpy()
        """Whether nobody may read it: it is held back, was forgotten, or nothing is known of it."""
        self._masks: OrderedDict[frozenset[str], Readable] = OrderedDict()

    def readable(self, asker: frozenset[str]) -> Readable:
        """Return what they may read."""
        found = self._masks.get(asker)
        if found is None:
            documents = self._readable(asker)
            documents.flags.writeable = False
            found = self._masks[asker] = Readable(documents, bool(documents.all()))
            if len(self._masks) > _KEPT:
                self._masks.popitem(last=False)
        return found

    def said(self, place: int) -> Sequence[str]:
        """Return whom the source of a document lets read it."""
        row = self.standing.frame.row(place, named=True)
        readers = self.policy.said(row["source"], row["collection"], row["own"])
        return private_readers(readers, row["owner"]) if row["private"] else readers

    def _readable(self, asker: frozenset[str]) -> np.ndarray:
        standing = self.standing
        documents: np.ndarray = np.where(
            self._follows, self._by_origin.any(asker)[self._origin], standing.own.any(asker)
        )
        documents[standing.private] = self._private.any(asker)
        allowed = self._allowed >= 0
        documents[allowed] = self._by_rule.any(asker)[self._allowed[allowed]]
        if standing.earlier.any():
            documents &= ~standing.earlier | standing.then.any(asker)
        for principal in asker & self._denied.keys():
            documents[self._denied[principal]] = False
        documents[self.closed] = False
        if limited := limits(asker):
            documents &= np.array([collection in limited for _, collection in self._origins], bool)[self._origin]
        return documents

    def _allow(self) -> tuple[np.ndarray, Lists]:
        """Return for each document the number of the most particular target at which somebody is allowed, or -1.

        Those who are allowed take the place of those whom the source names, also when that has ended.
        """
        rules = [rule for rule in self.policy.rules if rule.effect == "allow"]
        numbers = np.full(self.standing.frame.height, -1)
        readers: list[list[str]] = []
        by_target: dict[Target, list[str]] = {
            rule.target: [] for rule in sorted(rules, key=lambda one: one.target.place)
        }
        for rule in rules:
            by_target[rule.target] += [rule.principal] if rule.holds(self.policy.moment) else []
        for target, principals in by_target.items():
            numbers[self.places(target)] = len(readers)
            readers.append(principals)
        return numbers, _lists(readers)

    def _denials(self) -> dict[str, np.ndarray]:
        """Return the places of what each principal is denied."""
        found: dict[str, list[np.ndarray]] = {}
        for rule in self.policy.rules:
            if rule.effect == "deny" and rule.holds(self.policy.moment):
                found.setdefault(rule.principal, []).append(self.places(rule.target))
        return {principal: np.concatenate(places) for principal, places in found.items()}

    def places(self, target: Target) -> np.ndarray:
        """Return the places of the documents that a target means; planted ones are nobody's."""
        if target.kind == "document":
            place = self.standing.places.get(target.name)
            return np.array([] if place is None else [place], np.int64)
        meant = self.standing.frame.select(about(target)).to_series().fill_null(value=False).to_numpy()
        return np.flatnonzero(meant & ~self.standing.planted)


def about(target: Target) -> pl.Expr:
    """Return whether a document (columns `COLUMNS`) is meant by a target."""
    match target.kind:
        case "document":
            meant = pl.col("doc_id") == target.name
        case "source":
            meant = pl.col("source") == target.name
        case "collection":
            meant = pl.col("collection") == target.name
        case "address":
            meant = pl.col("uri").str.contains(_pattern(target.name))
    return meant & (pl.col("source") == target.source) if target.source else meant


def _pattern(glob: str) -> str:
    """Return the regular expression of a pattern in which * stands for any characters and ? for one."""
    escaped = re.escape(glob).replace(r"\*", ".*").replace(r"\?", ".")
    return f"(?s)^{escaped}$"


def _lists(readers: Sequence[Sequence[str]]) -> Lists:
    return Lists(pl.Series([list(one) for one in readers], dtype=pl.List(pl.String)))
