"""The lean tokenizer gives what `tokenizers` gives for the same pieces."""

import json
import random
import unicodedata
from pathlib import Path

import pytest
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from rag_platform.chunks import Chunker
from rag_platform.config.settings import ModelSettings
from rag_platform.models import tokenizing
from rag_platform.models.packed_model import PACKED, PackedModel, packed_file
from rag_platform.models.tokenizing import open_text_tokenizer, without_limit
from rag_platform.models.unigram import UnigramTokenizer, normalised
from rag_platform.models.weights import locate
from tests.packed_models import write_packed_model

TEXTS = [
    "",
    " \t\n",
    "the ferry, the red ferry",
    "Überfähre straße ﬁsh ½ ㎏ Ⅳ ①",
    "渡し船は赤い。船が来る！　全角　ＡＢＣ～",
    "नमस्ते दुनिया क\u094dष क\u093c",
    "e\u0301cole a\u0323\u0301 \u1100\u1161\u11a8 각 ﷺ ¨x",
    "zero\u200bwidth\ufeffand \u2581meta▁ \x07bell \x85next a\u00a0b\u3000c",
    "🦆🦆 emoji 👩‍👩‍👧 \U0001f1e9\U0001f1ea",
    "x" * 500,
]


def theirs(pieces, scores) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram([*zip(pieces, scores, strict=True)], 3))
    kept = normalizers.Replace("\uff5e", "\ue000"), normalizers.Nmt(), normalizers.NFKC()
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([*kept, normalizers.Replace("\ue000", "\uff5e"), spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


@pytest.fixture(scope="module")
def pair() -> tuple[UnigramTokenizer, Tokenizer]:
    """Return both tokenizers of some hundred pieces in several scripts, many of them overlapping."""
    chance = random.Random(4)
    letters = "abcdefghijklmnoprstuxyzÜßäé,.!船渡し赤は来नमस्तेदुिया각▁～A"
    made = {"".join(chance.choices(letters, k=chance.randint(1, 4))) for _ in range(900)} | {*"▁abcdefghuxे船"}
    made |= {f"▁{word}" for word in ("the", "red", "ferry", "straße", "नमस", "赤")}
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(made)]
    scores = [0.0] * 4 + [-chance.uniform(2, 15) for _ in made]
    return UnigramTokenizer(pieces, scores, (0, 2), 3), theirs(pieces, scores)


def assert_same(text: str, ours: UnigramTokenizer, other: Tokenizer) -> None:
    mine, expected = ours.encode(text), other.encode(text)
    assert mine.ids == expected.ids, text
    assert len(mine.ids) == len(mine.offsets) == len(mine.word_ids) == len(mine)
    if not unicodedata.is_normalized("NFKC", text):  # a letter stands for all of its parts; theirs for the first
        return
    for number, span, their_span in zip(mine.ids, mine.offsets, expected.offsets, strict=True):
        if other.id_to_token(number) != "▁":  # the mark of a word's beginning stands for nothing
            assert span == their_span, text


@pytest.mark.parametrize("text", TEXTS)
def test_ids_and_places_are_those_of_tokenizers(pair, text):
    assert_same(text, *pair)


def test_ids_of_random_texts_are_those_of_tokenizers(pair):
    chance = random.Random(7)
    odd = "½ﬁ①Ａ～\u0301\u0323\u200b\u00a0\u3000\u1100\u1161\u11a8\u2581"
    letters = [*"the red ferry  straße 船渡し赤は नमस्ते ", *odd]
    for _ in range(400):
        assert_same("".join(chance.choices(letters, k=chance.randint(1, 40))), *pair)


def test_texts_are_cut_after_so_many_tokens(pair):
    ours, _ = pair
    whole = ours.encode(TEXTS[2])
    for most in range(2, len(whole) + 3):
        cut = ours.cutting(most).encode(TEXTS[2])
        assert cut.ids == ([*whole.ids[: most - 1], 2] if most < len(whole) else whole.ids)
        assert cut.word_ids[1:-1] == whole.word_ids[1:-1][: len(cut) - 2]
    bare = ours.encode(TEXTS[2], add_special_tokens=False)
    assert (bare.ids, bare.offsets, bare.word_ids) == (whole.ids[1:-1], whole.offsets[1:-1], whole.word_ids[1:-1])


def test_a_composed_letter_stands_for_its_parts(pair):
    ours, other = pair
    encoded = ours.encode("e\u0301 \u1100\u1161\u11a8")
    found = [*zip(map(other.id_to_token, encoded.ids), encoded.word_ids, encoded.offsets, strict=True)][1:-1]
    assert found == [("▁", 0, (0, 0)), ("é", 0, (0, 2)), ("▁", 1, (3, 3)), ("각", 1, (3, 6))]


def test_the_model_s_own_signs_are_not_read_from_a_text(pair):
    assert not {0, 1, 2} & {*pair[0].encode("a</s>b <s> <pad>").ids[1:-1]}


def test_normalising_is_that_of_unicode_with_spaces_for_what_nobody_sees():
    for text in TEXTS:
        spaces = str.maketrans(dict.fromkeys("\u200b\ufeff\u2581\u200d", " ") | {"\x07": None, "～": "\ue000"})
        expected = unicodedata.normalize("NFKC", text.translate(spaces)).replace("\ue000", "～")
        assert normalised(text) == " ".join(expected.replace("\x85", " ").split()), text


def test_saved_tokenizer_of_that_kind_is_read_into_little_memory(pair, tmp_path, monkeypatch):
    ours, other = pair
    other.save(str(tmp_path / "tokenizer.json"))
    assert isinstance(open_text_tokenizer(tmp_path, 20), Tokenizer), "small ones stay what they were"
    monkeypatch.setattr(tokenizing, "_LARGE", 100)
    read = open_text_tokenizer(tmp_path, 20)
    assert isinstance(read, UnigramTokenizer)
    assert [len(read.encode(text)) <= 20 for text in TEXTS] == [True] * len(TEXTS)
    assert [without_limit(read).encode(text).ids for text in TEXTS] == [ours.encode(text).ids for text in TEXTS]


@pytest.mark.parametrize(
    "change",
    [
        {"normalizer": {"type": "Lowercase"}},
        {"normalizer": None},
        {"pre_tokenizer": None},
        {"pre_tokenizer": {"type": "BertPreTokenizer"}},
        {"post_processor": None},
        {"model": {"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "a"}},
    ],
)
def test_saved_tokenizer_of_another_kind_is_not_taken_for_it(pair, change):
    assert tokenizing._of_saved(json.loads(pair[1].to_str())) is not None
    assert tokenizing._of_saved(json.loads(pair[1].to_str()) | change) is None


def test_chunks_are_counted_with_it(tmp_path):
    write_packed_model(tmp_path / PACKED)
    tokenizer = open_text_tokenizer(tmp_path, 64)
    pieces = Chunker(tokenizer, 16, 4, limit=32).split("the red ferry. " * 40 + "船" * 90)
    assert len(pieces) > 5
    assert all(len(without_limit(tokenizer).encode(piece.text)) == piece.tokens <= 32 for piece in pieces)
    assert pieces[-1].end == 15 * 40 + 90


@pytest.fixture(scope="module")
def real(multilingual) -> Path:
    """Return the packed file of the multilingual model."""
    found = packed_file(locate(ModelSettings(name=multilingual.card.name)))
    return found or pytest.skip("the model is there in full precision")


def test_real_pieces_are_those_of_tokenizers(real):
    model = PackedModel(real)
    scores = model.scores.tolist()
    ours, other = UnigramTokenizer(model.pieces, scores, (0, 2), 3), theirs(model.pieces, scores)
    for text in TEXTS:
        assert_same(text, ours, other)
