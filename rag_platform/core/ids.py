"""Identities, which are hashes (see docs/architecture.md).

- ``doc_id``   = hash(source, canonical uri): neither content nor position, so an edit keeps it.
- ``revision`` = hash(text): which text of the document this is.
- ``chunk_id`` = hash(doc_id, chunk text, occurrence): an edit elsewhere in the document leaves it.
  It has 64 bits and is, read as a number, the key of the chunk in the vector and lexical indexes.
- an embedding is identified by (model fingerprint, hash of the text embedded).
"""

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import polars as pl


def digest(*parts: str | bytes, length: int = 16) -> str:
    """Hash the parts, unambiguously joined, to `length` hexadecimal digits."""
    blake = hashlib.blake2b(digest_size=length // 2)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        blake.update(len(data).to_bytes(8, "big"))
        blake.update(data)
    return blake.hexdigest()


def document_id(source: str, uri: str) -> str:
    """Identify a document by where it comes from."""
    return digest("document", source, uri)


def answer_digest(answer: str) -> str:
    """Tell an answer from all others without keeping its words, whatever its white space."""
    return digest("answer", " ".join(answer.split()))


def chunk_key(chunk_id: str) -> int:
    """Return the 64-bit key of a chunk in the vector and lexical indexes."""
    return int(chunk_id, 16)


def passage_hash(passage: str) -> str:
    """Identify what is embedded of a chunk."""
    return digest("passage", passage, length=32)


def passage_key(hashed: str) -> int:
    """Return the 64-bit key of a passage, given its hash."""
    return int(hashed[:16], 16)


def passage_keys(hashes: "pl.Series") -> "np.ndarray":
    """Return the key of each passage, given their hashes: uint64."""
    import polars as pl

    return hashes.str.head(16).str.to_integer(base=16, dtype=pl.UInt64).to_numpy()


def embedding_text(header: str, text: str) -> str:
    """Return what is embedded of a chunk."""
    return f"{header}\n{text}" if header else text
