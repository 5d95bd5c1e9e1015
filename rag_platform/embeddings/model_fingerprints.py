"""What the vectors of a model depend on."""

import contextlib
import json
from pathlib import Path

from rag_platform.core.errors import StorageError
from rag_platform.core.ids import digest
from rag_platform.models.cards import ModelCard
from rag_platform.models.tokenizing import TextTokenizer
from rag_platform.models.unigram import UnigramTokenizer
from rag_platform.models.weight_files import weights_checksum
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.user_cache import name_by_content, noted_sha256, undamaged, user_cache


def vector_fingerprint(card: ModelCard, folder: Path, tokenizer: TextTokenizer, *runtime: str) -> str:
    """Name everything that a vector depends on beside the text."""
    pieces = tokenizer.to_str() if isinstance(tokenizer, UnigramTokenizer) else _pieces(folder)
    prefixes = (card.query_prefix, card.passage_prefix)
    return digest(
        card.name, weights_checksum(card, folder), pieces, card.pooling, str(card.max_tokens), *prefixes, *runtime
    )


def _pieces(folder: Path) -> str:
    """Return what cuts texts into pieces; it is kept in the cache, for to parse it anew takes 40 ms of each start."""
    path, cache = folder / "tokenizer.json", user_cache() / "pieces"
    stem = noted_sha256(path)[:16]
    if kept := undamaged(cache, stem, ".json"):
        return kept.read_text(encoding="utf-8")
    tokenizer = json.loads(path.read_text(encoding="utf-8"))
    pieces = json.dumps({key: tokenizer[key] for key in tokenizer if key not in ("truncation", "padding")})
    with contextlib.suppress(OSError, StorageError):  # where nobody may write, it is parsed each time
        write_bytes(cache / f"{stem}.json", pieces.encode())
        name_by_content(cache / f"{stem}.json")
    return pieces
