"""Vector spaces: the vectors that one model gave to some chunks.

A version holds one space or several. Each chunk is in at most one that is not `cross`, its home; without a home, words
alone find it. Vectors of different spaces are never compared: each space has a file of its own in each segment that has
chunks in it. Which chunks are in a space is what the keys in its files say.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import ModelError
from rag_platform.core.ids import digest, embedding_text
from rag_platform.core.ports import Embedder, PassageTokens, VersionVectors
from rag_platform.index.keys import among
from rag_platform.index.vectors.gathered import VectorRows
from rag_platform.models.calibration import Curve

VECTORS = "vectors.usearch"
"""The file of a version's first space, most often the only one."""
REFERENCE = "reference.parquet"
"""Some public texts as every space sees them: `text_hash`, and a column of vectors for each fingerprint."""
SAMPLE = 256
"""Reference texts: those whose hashes are the smallest, so that newcomers change few of them."""
_SENTENCES = """The train to the coast leaves at half past nine. She planted beans and onions behind the house.
Water boils at a lower temperature in the mountains. The committee met on Tuesday and chose a new chair.
A violin has four strings. He paid the invoice within thirty days. Most birds of this island nest on the cliffs.
The function returns a list of numbers. Bread needs flour, water, salt and time. The bridge was closed for repairs.
Their team won the match in the last minute. The patient was given the medicine twice a day.
Rain is expected in the west tomorrow. Please switch off the machine before you open it.
The museum shows paintings of the seventeenth century. Prices rose more slowly than in the year before.
A triangle has three sides. The river freezes in January. The law was passed by a small majority.
Children learn to read at the age of six. The battery lasts for about ten hours. They moved to a larger flat.
The cat slept on the warm stones. The telescope saw a faint star beside the planet."""
NEUTRAL = {digest("neutral", text): text for text in re.split(r"(?<=[.])\s+", _SENTENCES)}
"""By their hashes, sentences that take the place of public texts where there are few."""


@dataclass(frozen=True, slots=True)
class Space:
    """A space that goes into a version."""

    model: dict[str, Any]
    """name, precision, fingerprint, dimension; languages, where its name does not tell them."""
    sources: tuple[str, ...]
    """Those that have chunks in it, sorted."""
    keys: np.ndarray
    """uint64, ascending."""
    vectors: VectorRows
    """One for each key."""
    cross: bool = False
    """Whether its chunks have vectors of another model as well, in another space of the version: it is asked only by a
    question that this other model does not read."""
    relevance: Curve | None = None
    """What its similarities say, fitted to the version's own texts; None: as the model's card says."""


@dataclass(frozen=True, slots=True)
class StoredSpace:
    """What a version tells of one of its spaces."""

    model: dict[str, Any]
    file: str
    sources: tuple[str, ...] | None
    """Those that have chunks in it; None: it is the only space."""
    cross: bool = False
    """See `Space`."""
    relevance: Curve | None = None
    """See `Space`."""

    @property
    def fingerprint(self) -> str:
        """The model's."""
        return str(self.model["fingerprint"])


@dataclass(frozen=True, slots=True, eq=False)
class OpenSpace:
    """A space opened for reading."""

    model: dict[str, Any]
    index: VersionVectors
    cross: bool = False
    """See `Space`."""
    relevance: Curve | None = None
    """See `Space`."""
    tokens: PassageTokens | None = None
    """Those of its model in the version."""

    @property
    def fingerprint(self) -> str:
        """The model's."""
        return str(self.model["fingerprint"])


def describe_spaces(spaces: Sequence[Space]) -> dict[str, Any]:
    """Return what a manifest tells of spaces; of a single one, its model alone."""
    if len(spaces) == 1:
        return {"model": spaces[0].model} | _fitted(spaces[0])
    stored = [
        space.model
        | {"sources": sorted(space.sources), "file": _file(space) if place else VECTORS}
        | ({"cross": True} if space.cross else {})
        | _fitted(space)
        for place, space in enumerate(spaces)
    ]
    return {"model": spaces[0].model, "spaces": stored}


def _fitted(space: Space) -> dict[str, Any]:
    curve = space.relevance
    return {"relevance": {"constant": curve.constant, "similarity": curve.similarity}} if curve else {}


def _file(space: Space) -> str:
    return f"vectors-{space.model['fingerprint']}{'-cross' if space.cross else ''}.usearch"


_OF_SPACE = ("sources", "file", "cross", "relevance")
"""What a manifest tells of a space beside its model."""


def stored_spaces(manifest: Mapping[str, Any]) -> tuple[StoredSpace, ...]:
    """Return the spaces that a version has, as its manifest tells."""
    alone = manifest["model"] | ({"relevance": manifest["relevance"]} if "relevance" in manifest else {})
    spaces = []
    for described in manifest.get("spaces", [alone]):
        file = described.get("file", VECTORS)
        spaces.append(
            StoredSpace(
                model={name: value for name, value in described.items() if name not in _OF_SPACE},
                file=file,
                sources=tuple(described["sources"]) if "sources" in described else None,
                cross=described.get("cross", False),
                relevance=Curve(**described["relevance"]) if "relevance" in described else None,
            )
        )
    return tuple(spaces)


def models_of(manifest: Mapping[str, Any]) -> dict[str, tuple[dict[str, Any], ...]]:
    """Return the models that each of a version's sources is embedded by, in the order of the spaces."""
    spaces = stored_spaces(manifest)
    return {
        source: tuple(
            space.model for space in spaces if not space.cross and (space.sources is None or source in space.sources)
        )
        for source in manifest["sources"]
    }


def moved_sources(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """Return the sources whose texts have other vectors in one manifest than in the other.

    A source that has only gained or lost documents in a language of their own is none of them.
    """
    then, now = (
        {source: {one["fingerprint"] for one in models} for source, models in models_of(manifest).items()}
        for manifest in (before, after)
    )
    return frozenset(
        source for source in then.keys() & now if not (then[source] <= now[source] or now[source] <= then[source])
    )


# --- reference texts ---------------------------------------------------------------------------------------


def reference_of(
    chunks: pl.DataFrame,
    spaces: Sequence[Space],
    embedder_of: Callable[[Mapping[str, Any]], Embedder],
    previous: pl.DataFrame | None = None,
) -> pl.DataFrame | None:
    """Embed the same few texts in every space, so that similarities of different spaces can be put on one scale.

    Args:
        chunks: Those that everybody may read, of all spaces together.
        spaces: Those of the version; None is returned when one model made them all.
        embedder_of: Gives the model of a space, or raises `ModelError`: then there is no column of it.
        previous: The reference texts of another version, whose vectors need not be made again.
    """
    by_model: dict[str, list[Space]] = {}
    for space in spaces:
        by_model.setdefault(space.model["fingerprint"], []).append(space)
    if len(by_model) == 1:
        return None
    read = among(chunks["key"].to_numpy(), np.unique(np.concatenate([space.keys for space in spaces])))
    sample = chunks.filter(read).unique("text_hash", keep="first").sort("text_hash").head(SAMPLE)
    sample = pl.concat([sample.select("key", "text_hash", "header", "text"), _neutral()])
    columns = {}
    for fingerprint, own in by_model.items():
        with suppress(ModelError):
            rows = _embedded(sample, own, embedder_of, previous)
            columns[fingerprint] = pl.Series(rows, dtype=pl.Array(pl.Float32, own[0].model["dimension"]))
    return sample.select("text_hash").with_columns(**columns)


def _neutral() -> pl.DataFrame:
    rows = {"key": 0, "text_hash": pl.Series(list(NEUTRAL)), "header": None, "text": pl.Series(list(NEUTRAL.values()))}
    schema = {"key": pl.UInt64, "text_hash": pl.String, "header": pl.String, "text": pl.String}
    return pl.DataFrame(rows).cast(schema)  # type: ignore[arg-type]  # names to types


def _embedded(
    sample: pl.DataFrame,
    spaces: Sequence[Space],
    embedder_of: Callable[[Mapping[str, Any]], Embedder],
    previous: pl.DataFrame | None,
) -> np.ndarray:
    """Return the sample's vectors in the spaces of one model, embedding what is in none."""
    model, known = spaces[0].model, dict[str, np.ndarray]()
    if previous is not None and model["fingerprint"] in previous.columns:
        known = dict(previous.select("text_hash", model["fingerprint"]).iter_rows())
    keys, hashes = sample["key"].to_numpy(), sample["text_hash"].to_list()
    rows, found = np.empty((sample.height, model["dimension"]), np.float32), np.zeros(sample.height, bool)
    for space in spaces:
        own = among(keys, space.keys)
        rows[own] = space.vectors[np.searchsorted(space.keys, keys[own])]
        found |= own
    missing = [row for row in np.flatnonzero(~found) if hashes[row] not in known]
    for row in set(np.flatnonzero(~found)).difference(missing):
        rows[row] = known[hashes[row]]
    if missing:
        texts = sample[np.array(missing)].select("header", "text").rows()
        passages = [embedding_text(header or "", text) for header, text in texts]
        rows[missing] = embedder_of(model).embed_passages(passages)
    return rows


def open_reference(folder: Path) -> pl.DataFrame | None:
    """Read a version's reference texts; None when it has a single space."""
    path = folder / REFERENCE
    return pl.read_parquet(path) if path.exists() else None
