"""Tokens of a model whose tokenizer is not here: an estimate that is rather too high, so that nothing is cut."""

from functools import lru_cache

from tokenizers import Regex, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split
from tokenizers.processors import TemplateProcessing

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_PIECE = rf"[{_UNSPACED}]|[\p{{Latin}}]{{1,5}}|(?![{_UNSPACED}\p{{Latin}}])[\p{{L}}\p{{M}}]{{1,2}}|\p{{N}}{{1,2}}|\S"
"""Five Latin letters, two of another alphabet, one sign of a script without spaces: multilingual models take more of a
text for a token, English ones about as much."""


@lru_cache(maxsize=1)
def estimating_tokenizer() -> Tokenizer:
    """Return a tokenizer that cuts any text into pieces about as long as tokens, between two special ones."""
    tokenizer = Tokenizer(WordLevel({"": 0, "<s>": 1, "</s>": 2}, unk_token=""))
    tokenizer.pre_tokenizer = Split(Regex(_PIECE), "removed", invert=True)
    tokenizer.post_processor = TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    return tokenizer
