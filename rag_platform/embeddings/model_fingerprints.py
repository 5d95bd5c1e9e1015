"""What the vectors of a model depend on."""

import json
from pathlib import Path

from rag_platform.core.ids import digest
from rag_platform.models.cards import ModelCard
from rag_platform.models.tokenizing import TextTokenizer
from rag_platform.models.unigram import UnigramTokenizer
from rag_platform.models.weight_files import weights_checksum


def vector_fingerprint(card: ModelCard, folder: Path, tokenizer: TextTokenizer, *runtime: str) -> str:
    """Name everything that a vector depends on beside the text."""
    pieces = tokenizer.to_str() if isinstance(tokenizer, UnigramTokenizer) else _pieces(folder)
    prefixes = (card.query_prefix, card.passage_prefix)
    return digest(
        card.name, weights_checksum(card, folder), pieces, card.pooling, str(card.max_tokens), *prefixes, *runtime
    )


def _pieces(folder: Path) -> str:
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    return json.dumps({key: tokenizer[key] for key in tokenizer if key not in ("truncation", "padding")})
