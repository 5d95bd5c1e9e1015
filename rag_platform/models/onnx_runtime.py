"""Tokenizer and session of a model that runs in ONNX Runtime."""

import os
from pathlib import Path

import onnxruntime as ort
from tokenizers import Regex, Tokenizer
from tokenizers.models import Unigram
from tokenizers.normalizers import NFKC, Nmt, Replace
from tokenizers.normalizers import Sequence as NormalizerSequence
from tokenizers.pre_tokenizers import Metaspace, WhitespaceSplit
from tokenizers.pre_tokenizers import Sequence as PreTokenizerSequence
from tokenizers.processors import TemplateProcessing

from rag_platform.models.packed_model import PackedModel, packed_file

LONGEST_TOKEN = 64
"""Characters: of a text no more are looked at than so many for each token that a model reads."""


def cores() -> int:
    """Count the cores that this process may use; macOS and Windows tell only how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_session(graph: Path) -> ort.InferenceSession:
    """Open a graph to be run by one thread at a time each on one core: the texts are shared out, not one's work."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    unfused = ["SkipLayerNormFusion"]  # the fused operator is not vectorised
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"], disabled_optimizers=unfused)


def open_tokenizer(folder: Path, max_tokens: int | None, strategy: str = "longest_first") -> Tokenizer:
    """Open a model's tokenizer, which pads nothing; `max_tokens` None: it cuts nothing either."""
    tokenizer = _packed_tokenizer(packed) if (packed := packed_file(folder)) else _saved_tokenizer(folder)
    tokenizer.no_padding()
    if max_tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_tokens, strategy=strategy)
    return tokenizer


def _saved_tokenizer(folder: Path) -> Tokenizer:
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def _packed_tokenizer(packed: Path) -> Tokenizer:
    """Build the tokenizer of a packed model, which is that of XLM-RoBERTa."""
    model = PackedModel(packed)
    first, last, _, unknown = model.special
    tokenizer = Tokenizer(Unigram(list(zip(model.pieces, model.scores.tolist(), strict=True)), unknown))
    kept = Replace("\uff5e", "\ue000"), Nmt(), NFKC(), Replace("\ue000", "\uff5e")
    tokenizer.normalizer = NormalizerSequence([*kept, Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = PreTokenizerSequence([WhitespaceSplit(), Metaspace()])
    special = [(model.pieces[first], first), (model.pieces[last], last)]
    tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=special
    )
    return tokenizer


def encodable(text: str) -> str:
    """Replace lone surrogates, which tokenizers and servers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")
