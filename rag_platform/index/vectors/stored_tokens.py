"""The token vectors of a version's passages, by which they are reranked: packed, a folder for each model.

They are a copy of what the model says of a text, and a passage without them is read by the model when it is asked. So a
version may lack some, or all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.ids import passage_hash, passage_key, passage_keys
from rag_platform.storage.hashed.row_files import RowFiles, open_rows, write_rows

TOKENS = "tokens"
"""The folder of a version that holds one for each model."""


@dataclass(frozen=True, slots=True)
class StoredTokens:
    """The packed token vectors of a space; fulfils `ports.PassageTokens`. Safe to read from many threads."""

    bits: int
    rows: RowFiles

    def of(self, passages: Sequence[str]) -> list[bytes | None]:
        """Return those of each passage; None: they are not stored."""
        return self.rows.read([passage_key(passage_hash(passage)) for passage in passages])


def write_tokens(folder: Path, chunks: pl.DataFrame, givers: Mapping[str, Sequence[RowFiles]]) -> None:
    """Write into a version's folder what there is of its chunks; `givers` have some, by the model's fingerprint."""
    for fingerprint, rows in givers.items():
        if not chunks.is_empty() and any(map(len, rows)):
            write_rows(folder / TOKENS / fingerprint, np.unique(passage_keys(chunks["text_hash"])), rows)


def open_tokens(folder: Path, manifest: Mapping[str, Any], fingerprint: str) -> StoredTokens | None:
    """Open the token vectors of a model in a version; None: it has none."""
    bits, stored = manifest["parameters"].get(TOKENS, 0), folder / TOKENS / fingerprint
    return StoredTokens(bits, open_rows(stored)) if bits and stored.is_dir() else None


def token_problems(folder: Path, *, thorough: bool = True) -> list[str]:
    """Say which files of token vectors of a version are damaged; unless `thorough`, by their sizes alone."""
    stored = {one.name: open_rows(one).problems(thorough=thorough) for one in sorted((folder / TOKENS).glob("*/"))}
    return [f"{TOKENS}/{name}/{problem}" for name, problems in stored.items() for problem in problems.values()]
