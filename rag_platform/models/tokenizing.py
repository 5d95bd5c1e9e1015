"""What is asked of the tokenizer of an embedding model, and how it is opened.

`tokenizers.Tokenizer` fulfils it, and so does `UnigramTokenizer`, which is for large sets of pieces.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from tokenizers import Tokenizer

from rag_platform.models.packed_model import PackedModel, packed_file
from rag_platform.models.unigram import UnigramTokenizer, normalised

_LARGE = 2_000_000
"""Bytes of a file of pieces from which on `UnigramTokenizer` saves much memory."""
_METASPACE = (["Metaspace"], ["WhitespaceSplit", "Metaspace"])
_PROBE = "Straße ÀA\u0301 ﬁ½㎏ ～ Ａｂ \x07\u200b\u2581 가각 ＝①Ⅳ ｶﾞ क़ ﷺ"


class Encoded(Protocol):
    """A text as a model reads it."""

    @property
    def ids(self) -> list[int]:
        """The number of each piece."""
        ...

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Characters of the text that each piece stands for."""
        ...

    @property
    def word_ids(self) -> list[int | None]:
        """The word, counted from 0, that each piece is of; None: the piece is not of the text."""
        ...

    def __len__(self) -> int: ...


class TextTokenizer(Protocol):
    """Cuts texts into the pieces that a model reads."""

    def encode(self, sequence: str, *, add_special_tokens: bool = True) -> Encoded:
        """Cut a text; the model's own signs are put around it unless they are not wanted."""
        ...

    def encode_batch(self, input: Any, *, add_special_tokens: bool = True) -> Sequence[Encoded]:  # noqa: A002
        """Cut texts."""
        ...

    def encode_batch_fast(self, input: Any, *, add_special_tokens: bool = True) -> Sequence[Encoded]:  # noqa: A002
        """Cut texts, of whose pieces the places are not asked for."""
        ...

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Count the signs that are put around a text."""
        ...

    def to_str(self) -> str:
        """Name everything that the pieces of a text depend on."""
        ...


def open_text_tokenizer(folder: Path, max_tokens: int) -> TextTokenizer:
    """Open the tokenizer of the model in `folder`, which cuts texts after so many tokens and pads nothing."""
    if packed := packed_file(folder):
        return _of_packed(PackedModel(packed)).cutting(max_tokens)
    path = folder / "tokenizer.json"
    if path.stat().st_size > _LARGE and (unigram := _of_saved(json.loads(path.read_text(encoding="utf-8")))):
        return unigram.cutting(max_tokens)
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def without_limit(tokenizer: TextTokenizer) -> TextTokenizer:
    """Return a tokenizer that cuts nothing, of the same pieces."""
    if isinstance(tokenizer, UnigramTokenizer):
        return tokenizer.cutting(None)
    other = Tokenizer.from_str(tokenizer.to_str())
    other.no_truncation()
    other.no_padding()
    return other


def _of_packed(model: PackedModel) -> UnigramTokenizer:
    first, last, _, unknown = model.special
    return UnigramTokenizer(model.pieces, model.scores.tolist(), (first, last), unknown)


def _of_saved(saved: Mapping[str, Any]) -> UnigramTokenizer | None:
    """Return the tokenizer of a file that `tokenizers` saved, if it is one like XLM-RoBERTa's."""
    cutters = saved["pre_tokenizer"] or {}
    kinds = [kind["type"] for kind in cutters.get("pretokenizers", [cutters]) if kind]
    frame = _frame(saved["post_processor"] or {})
    if saved["model"].get("type") != "Unigram" or kinds not in _METASPACE or not frame or not _as_nmt_nfkc(saved):
        return None
    pieces, scores = zip(*saved["model"]["vocab"], strict=True)
    return UnigramTokenizer(pieces, scores, frame, saved["model"]["unk_id"])


def _frame(template: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the signs before and after a text, if it is one each."""
    if [*map(list, template.get("single", ()))] != [["SpecialToken"], ["Sequence"], ["SpecialToken"]]:
        return None
    names = (template["single"][place]["SpecialToken"]["id"] for place in (0, 2))
    first, last = (template["special_tokens"][name]["ids"][0] for name in names)
    return first, last


def _as_nmt_nfkc(saved: Mapping[str, Any]) -> bool:
    """Return whether a file's normaliser does with characters of many kinds what `unigram.normalised` does."""
    words = {"type": "WordLevel", "vocab": {"": 0}, "unk_token": ""}
    empty = {"version": "1.0", "added_tokens": [], "normalizer": saved["normalizer"], "model": words}
    normaliser = Tokenizer.from_str(json.dumps(empty)).normalizer
    return normaliser is not None and " ".join(normaliser.normalize_str(_PROBE).split()) == normalised(_PROBE)
