"""Chunks: spans that cover the text, fit the model, keep to sections and stay where an edit is far away."""

import random
import re
import time
import unicodedata
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from rag_platform.chunks import Chunker, split_documents
from rag_platform.core.errors import SettingsError
from rag_platform.core.ids import digest, embedding_text
from rag_platform.core.schemas import CHUNKS, DOCUMENTS


def wordpiece(more_letters: str = "") -> Tokenizer:
    """A WordPiece tokenizer like BERT's: every letter is known, alone and as a continuation."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?#*-_>|`'\"()[]/\\" + more_letters
    words = ["the", "and", "of", "section", "sentence", "field", "water", "harvest", "farm", "about"]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters), *words]
    tokenizer = Tokenizer(models.WordPiece({word: place for place, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.enable_truncation(16)  # as shipped ones do; it must not count
    return tokenizer


TOKENIZER = wordpiece()
CHUNKER = Chunker(TOKENIZER, size=40, overlap=10, limit=64)
WORDS = ["the", "and", "of", "section", "sentence", "field", "water", "harvest", "farm", "about"]

nasty = st.text(max_size=300) | st.text(
    alphabet=st.sampled_from("ab .\n\t#>-*`|=~\u200b‍é́中。ไทยक्षि।👩‍🌾🇫🇮́\U0001f468 漢字仮名ﷺ 　\u2028\x1c"), max_size=400
)
blocks = st.lists(
    st.sampled_from(
        [
            "# One",
            "## Two",
            "### Three",
            "Setext\n===",
            "```\ncode here\n\n# no heading\n```",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "- item one\n- item two\n\n  more of it",
            "> quoted the water",
            "A sentence about water. Another one! " * 6,
            "क्षेत्र में पानी है। " * 12,
            "这是一个句子。" * 20,
            "ประเทศไทยเป็นประเทศที่ตั้งอยู่ในเอเชีย" * 6,
            "x" * 700,
            "[ref]: http://example.org/a",
            "---",
            "",
        ]
    ),
    max_size=12,
).map("\n\n".join)


@settings(max_examples=150, deadline=None)
@given(text=nasty | blocks, title=st.text(max_size=80), headings=st.booleans())
def test_chunks_are_spans_that_cover_the_text_and_fit_the_model(text, title, headings):
    pieces = CHUNKER.split(text, title=title, headings=headings)
    covered = set()
    for piece in pieces:
        assert piece.text == text[piece.start : piece.end]
        assert piece.text.strip() == piece.text != ""
        assert piece.tokens <= 64
        covered.update(range(piece.start, piece.end))
    assert all(place in covered for place, character in enumerate(text) if not character.isspace())
    assert pieces == sorted(pieces, key=lambda piece: (piece.start, piece.end))
    assert pieces == CHUNKER.split(text, title=title, headings=headings)


@settings(max_examples=50, deadline=None)
@given(text=nasty | blocks, language=st.sampled_from(["en", "hi", "zh", "th", ""]))
def test_a_chunk_is_shown_with_its_text_and_little_more(text, language):
    for piece in CHUNKER.split(text, language=language):
        start, end = piece.shown
        assert 0 <= start <= piece.start < piece.end <= end <= len(text)
        assert piece.start - start <= 400 and end - piece.end <= 400
        assert text[start:end] == text[start:end].strip()


def test_a_chunk_that_leans_is_shown_with_the_sentence_before():
    text = " ".join(f"{name} is a field of the farm. It has water about it." for name in ["North", "South"] * 20)
    leaning = [piece for piece in CHUNKER.split(text, language="en") if piece.text.startswith("It ")]
    assert leaning
    for piece in leaning:
        assert text[piece.shown[0] : piece.start].endswith("is a field of the farm. ")
    assert all(piece.shown == (piece.start, piece.end) for piece in CHUNKER.split(text))


@pytest.mark.parametrize(
    ("sentence", "language"), [("水在田里流动。", "zh"), ("水は畑を流れる。", "ja"), ("น้ำไหลในทุ่งนา ", "th")]
)
def test_scripts_without_spaces_are_cut_at_their_sentences(sentence, language):
    chunker = Chunker(wordpiece("".join(set(sentence))), size=40, overlap=10, limit=64)
    pieces = chunker.split(sentence * 40, language=language)
    assert len(pieces) > 5
    assert all(set((piece.text + " ").replace(sentence, "").split()) <= {sentence.strip()} for piece in pieces)


def test_tokens_are_those_of_what_is_embedded():
    bare = wordpiece()
    bare.no_truncation()
    for piece in CHUNKER.split(prose(30), title="The farm"):
        assert piece.tokens == len(bare.encode(embedding_text(piece.header, piece.text)))


def prose(sentences: int, seed: int = 0) -> str:
    chance = random.Random(seed)
    return " ".join(
        " ".join(chance.choices(WORDS, k=chance.randint(4, 9))).capitalize() + "." for _ in range(sentences)
    )


def test_long_prose_is_cut_at_sentences_and_headed_by_whole_ones_of_the_chunk_before():
    text = prose(60)
    pieces = CHUNKER.split(text, title="Farm")
    assert len(pieces) > 5 and pieces[0].header == "Farm"
    for before, after in pairwise(pieces):
        assert before.text.endswith(".") and after.text[0].isupper()
        context = after.header.removeprefix("Farm\n")
        assert context == "Farm" or (context[0].isupper() and before.text.endswith(context))
    assert sum("\n" in piece.header for piece in pieces) > 5
    assert min(len(piece.text.split()) for piece in pieces) >= 8  # no crumb at the end


def test_no_chunk_ends_in_a_title_of_a_text_with_a_paragraph_per_line():
    lines = [part for number in range(30) for part in (f"Chapter {number}", prose(30, number))]
    assert all(len(line) > 200 for line in lines[1::2])
    pieces = CHUNKER.split("\n".join(lines), headings=False)
    assert len(pieces) > 60
    assert not any(piece.text.rpartition("\n")[2].startswith("Chapter ") for piece in pieces)


@pytest.mark.parametrize("overlap", [0, 10, 20])
def test_no_text_is_in_two_chunks(overlap):
    text = prose(60)
    pieces = Chunker(TOKENIZER, size=40, overlap=overlap, limit=64).split(text)
    assert "".join(re.sub(r"\s", "", piece.text) for piece in pieces) == re.sub(r"\s", "", text)
    assert any(piece.header for piece in pieces) == bool(overlap)


def test_the_last_chunk_is_no_crumb():
    for sentences in range(8, 80):
        text = prose(sentences, sentences)
        before, last = CHUNKER.split(text)[-2:]
        added = text[before.end :]
        assert len(added.split()) + added.count(".") >= 40 // 4 and last.end == len(text)


def test_lines_of_a_paragraph_are_no_sentences():
    text = prose(40).replace(" ", "\n")
    assert all(piece.text.endswith(".") for piece in CHUNKER.split(text, headings=False))


def test_a_chunk_keeps_to_its_section_and_says_its_path():
    text = f"Before.\n\n# Water\n\n{prose(5)}\n\n## Rain\n\n{prose(5, 1)}\n\n# Land\n\n{prose(5, 2)}"
    pieces = CHUNKER.split(text, title="Farm")
    assert {piece.section for piece in pieces} == {"", "Water", "Water > Rain", "Land"}
    for piece in pieces:
        assert sum(piece.text.count(f"{mark} ") for mark in ("#",)) <= 1
    rain = [piece for piece in pieces if piece.section == "Water > Rain"]
    assert rain[0].text.startswith("## Rain\n\n") and rain[0].header == "Farm > Water > Rain"


def test_a_title_is_not_said_twice():
    assert CHUNKER.split("# The farm\n\nWater.", title="The Farm")[0].header == "The farm"


def test_headings_in_code_are_code():
    pieces = CHUNKER.split("# A\n\n```sh\n# not a heading\nrun\n```\n\nEnd.")
    assert [piece.section for piece in pieces] == ["A"]


def test_without_headings_marks_are_text():
    assert [piece.section for piece in CHUNKER.split("# 1\n\nWater.\n\n# 2\n\nLand.", headings=False)] == [""]


def test_tiny_siblings_share_a_chunk_and_their_parents_path():
    text = "# A\n\n## B\n\nWater.\n\n## C\n\nLand.\n\n## D\n\n" + prose(6)
    pieces = CHUNKER.split(text)
    assert pieces[0].text == "# A\n\n## B\n\nWater.\n\n## C\n\nLand." and pieces[0].section == "A"
    assert {piece.section for piece in pieces[1:]} == {"A > D"}


@pytest.mark.parametrize("body", [prose(5), "```\n" + "x = water\n" * 30 + "```"], ids=["prose", "code"])
def test_a_mere_heading_goes_with_what_follows(body):
    pieces = CHUNKER.split(f"# Part\n\n## Chapter\n\n{body}")
    assert pieces[0].text.startswith("# Part\n\n## Chapter\n\n") and len(pieces[0].text) > 30
    assert pieces[0].section == "Part > Chapter"


def test_a_mere_heading_at_the_end_goes_with_what_came_before():
    assert CHUNKER.split("# A\n\nWater.\n\n# B")[-1].text.endswith("# B")
    assert len(CHUNKER.split("# A\n\nWater.\n\n# B")) == 1


def test_code_that_fits_is_not_torn():
    code = "```python\n" + "\n".join(f"farm({n})" for n in range(5)) + "\n```"
    for before in range(1, 8):
        pieces = CHUNKER.split(f"{prose(before)}\n\n{code}\n\n{prose(8, 3)}")
        assert any(code in piece.text for piece in pieces), before


def test_a_word_without_end_is_cut():
    word = "z" * 5000
    pieces = CHUNKER.split(f"Water. {word} Land.")
    assert max(len(piece.text) for piece in pieces) <= 400
    rest = [piece for piece in pieces if "zz" in piece.text]
    assert len(rest) >= 12


def test_an_unknown_word_without_end_is_cut_too():
    """WordPiece takes it for a single unknown token, which would hide all of it from the model."""
    pieces = CHUNKER.split("漢" + "ไ" * 5000)
    assert max(len(piece.text) for piece in pieces) <= 400


def test_a_long_title_leaves_room_for_the_text():
    pieces = CHUNKER.split(prose(20), title="water " * 500)
    for piece in pieces:
        assert 0 < len(TOKENIZER.encode(piece.header).ids) <= 16 + 2
        assert piece.tokens <= 64


@pytest.mark.timeout(20)
def test_a_title_whose_characters_are_several_tokens_each_is_cut():
    hangul = "\uad6d\ud68c\uc785\ubc95\uc870\uc0ac"  # composed; the model's normaliser takes them apart
    pieces = "".join(sorted(set(unicodedata.normalize("NFD", hangul))))
    chunker = Chunker(wordpiece(pieces), size=40, overlap=10, limit=64)
    (piece,) = chunker.split("the water of the farm", title=hangul * 4)
    assert hangul.startswith(piece.header[:2])
    assert 0 < len(piece.header) < len(hangul * 4)
    assert piece.tokens <= 64


def test_pages_count_from_one():
    text = f"{prose(10)}\n\n{prose(10, 1)}\n\n{prose(10, 2)}"
    second, third = len(prose(10)) + 2, len(prose(10)) + len(prose(10, 1)) + 4
    for piece in CHUNKER.split(text, pages=(0, second, third), headings=False):
        assert piece.page == 1 + (piece.start >= second) + (piece.start >= third)
    assert CHUNKER.split("Water.")[0].page is None


@pytest.mark.parametrize(("size", "overlap"), [(40, 21), (8, 0), (40, -1)])
def test_sizes_that_make_no_sense_are_refused(size, overlap):
    with pytest.raises(SettingsError, match=rf"chunks.size = {size}.*expected a size of at least 16 tokens"):
        Chunker(TOKENIZER, size=size, overlap=overlap, limit=64)


def test_a_model_that_reads_next_to_nothing_is_refused():
    with pytest.raises(SettingsError, match="reads 10 tokens of a text; expected at least 16"):
        Chunker(TOKENIZER, limit=12)


def test_a_size_above_what_the_model_reads_is_as_much_as_it_reads():
    text = prose(80)
    large, most = (Chunker(TOKENIZER, *sizes, limit=64).split(text) for sizes in ((500, 12), (62, 12 * 62 // 500)))
    assert large == most and 48 < max(piece.tokens for piece in large) <= 64


def test_blank_texts_have_no_chunks():
    assert CHUNKER.split("") == CHUNKER.split(" \n\t\u2028") == []


@pytest.mark.parametrize("overlap", [0, 10])
def test_a_tokenizer_that_is_not_additive_still_fits(overlap):
    """A tokenizer may need more tokens for a text than for its parts: then chunks are halved."""
    greedy = wordpiece()
    between = normalizers.Replace(Regex(r"\. (?=[A-Z])"), " the of the of the of the of the of ")
    greedy.normalizer = normalizers.Sequence([between, normalizers.BertNormalizer()])
    text = "The farm. " * 40
    pieces = Chunker(greedy, size=40, overlap=overlap, limit=48).split(text)
    assert all(piece.tokens <= 48 for piece in pieces)
    assert "".join(piece.text for piece in pieces).replace(" ", "") == text.replace(" ", "")


# --- the stage --------------------------------------------------------------------------------------


def documents(texts: dict[str, str], **columns) -> pl.DataFrame:
    rows = [
        {"doc_id": digest(name), "uri": name, "status": "ok", "title": name, "type": "markdown", "text": text,
         "revision": digest(text), "pages": [], "page_labels": []} | columns
        for name, text in texts.items()
    ]  # fmt: skip
    filled = [{name: row.get(name) for name in DOCUMENTS} for row in rows]
    return pl.DataFrame(filled, schema=DOCUMENTS)


EMPTY = pl.DataFrame(schema=CHUNKS)


def test_the_table_has_its_columns_and_order():
    table = split_documents(documents({"b": prose(30), "a": prose(30, 1)}), EMPTY, CHUNKER)
    assert table.schema == CHUNKS
    assert table.equals(table.sort("doc_id", "ordinal"))
    assert table["chunk_id"].is_unique().all()
    counted = table.select(pl.int_range(pl.len(), dtype=pl.Int32).over("doc_id"))
    assert table["ordinal"].to_list() == counted.to_series().to_list()
    same = table.filter(pl.col("text_hash") == table["text_hash"][0])
    assert same.select("header", "text").unique().height == 1


def test_the_same_text_twice_in_a_document_has_two_ids():
    section = "## Same\n\n" + prose(5)
    table = split_documents(documents({"a": f"# A\n\n{section}\n\n# B\n\n{section}"}), EMPTY, CHUNKER)
    repeated = table.filter(pl.col("text").is_duplicated())
    assert repeated.height >= 2 and table["chunk_id"].is_unique().all()


def test_only_documents_that_are_ok_are_cut():
    table = documents({"a": prose(3)}, status="excluded")
    assert split_documents(table, EMPTY, CHUNKER).is_empty()


def test_what_has_not_changed_is_not_cut_again(monkeypatch):
    before = documents({"a": prose(30), "b": prose(30, 1), "c": prose(3)})
    table = split_documents(before, EMPTY, CHUNKER)
    cut = []
    original = Chunker.split
    monkeypatch.setattr(Chunker, "split", lambda self, text, **more: cut.append(text) or original(self, text, **more))
    after = documents({"a": prose(30), "b": prose(30, 1) + " Water.", "d": prose(4)})
    seen = []
    result = split_documents(after, table, CHUNKER, progress=lambda done, total: seen.append((done, total)))
    assert sorted(cut) == sorted([prose(30, 1) + " Water.", prose(4)])
    assert seen == [(2, 3), (3, 3)]
    assert result.equals(split_documents(after, EMPTY, CHUNKER))


@pytest.mark.parametrize(
    "columns",
    [{"title": "Other"}, {"language": "de"}, {"format": "text"}, {"pages": [0, 50]}, {"page_labels": ["i"]}],
    ids=str,
)
def test_what_the_chunks_depend_on_cuts_them_again(columns):
    first = split_documents(documents({"a": "# H\n\n" + prose(20)}), EMPTY, CHUNKER)
    other = documents({"a": "# H\n\n" + prose(20)}, **columns)
    assert split_documents(other, first, CHUNKER).equals(split_documents(other, EMPTY, CHUNKER))
    assert not split_documents(other, first, CHUNKER).equals(first)


def test_another_size_or_tokenizer_cuts_again():
    table = split_documents(documents({"a": prose(20)}), EMPTY, CHUNKER)
    bigger = Chunker(TOKENIZER, size=50, overlap=10, limit=64)
    assert split_documents(documents({"a": prose(20)}), table, bigger)["stage_key"][0] != table["stage_key"][0]
    other = wordpiece()
    other.normalizer = normalizers.BertNormalizer(lowercase=False)
    assert Chunker(other, size=40, overlap=10, limit=64).fingerprint != CHUNKER.fingerprint


def sectioned(paragraphs: list[str]) -> str:
    return "\n\n".join(f"# Section {n}\n\n{text}" for n, text in enumerate(paragraphs))


@settings(max_examples=40, deadline=None)
@given(edited=st.integers(0, 7), seed=st.integers(0, 10_000))
def test_an_edit_leaves_the_chunks_of_other_sections(edited, seed):
    paragraphs = [prose(8, seed + n) for n in range(8)]
    before = split_documents(documents({"a": sectioned(paragraphs)}), EMPTY, CHUNKER)
    paragraphs[edited] = prose(9, seed + 99)
    after = split_documents(documents({"a": sectioned(paragraphs)}), EMPTY, CHUNKER)
    others = pl.col("section") != f"Section {edited}"
    assert before.filter(others)["chunk_id"].to_list() == after.filter(others)["chunk_id"].to_list()


@pytest.mark.parametrize("joint", ["\n\n", " "], ids=["paragraphs", "sentences"])
def test_an_edit_at_the_start_of_a_long_text_leaves_most_chunks(joint):
    """Sentences of equal length are the hard case: cutting every so many tokens would never meet the old cuts again."""
    chance = random.Random(7)
    sentences = [" ".join(chance.choices(WORDS, k=5)).capitalize() + "." for _ in range(500)]
    before = split_documents(documents({"a": joint.join(sentences)}), EMPTY, CHUNKER)
    sentences.insert(1, "Water and the harvest field.")
    after = split_documents(documents({"a": joint.join(sentences)}), EMPTY, CHUNKER)
    new = set(after["chunk_id"]) - set(before["chunk_id"])
    assert before.height > 80 and 0 < len(new) <= 12


texts = st.sampled_from(
    [prose(2), prose(12, 1), "# A\n\n" + prose(9, 2) + "\n\n# B\n\n" + prose(9, 3), "水。" * 50, " "]
)
corpora = st.dictionaries(st.sampled_from("abcd"), texts, max_size=4)


@settings(max_examples=40, deadline=None)
@given(history=st.lists(corpora, min_size=1, max_size=5))
def test_incremental_equals_rebuild(history):
    table = EMPTY
    for corpus in history:
        table = split_documents(documents(corpus), table, CHUNKER)
        assert table.equals(split_documents(documents(corpus), EMPTY, CHUNKER))


@pytest.mark.parametrize(
    ("unit", "size", "measure"), [("characters", 200, len), ("words", 30, lambda text: len(text.split()))]
)
def test_sizes_in_other_units_hold_beside_what_the_model_reads(unit, size, measure):
    text = "# One\n\n" + "A sentence about water. Another one! " * 40 + "\n\n" + "x" * 900 + " क्षेत्र में पानी है। " * 30
    chunker = Chunker(TOKENIZER, size, size // 5, limit=64, unit=unit)
    pieces = chunker.split(text)
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    assert max(measure(piece.text) for piece in pieces) <= size
    assert max(piece.tokens for piece in pieces) <= 64
    assert all(one.end >= two.start or not text[one.end : two.start].strip() for one, two in pairwise(pieces))
    assert chunker.fingerprint != Chunker(TOKENIZER, 40, size // 5 if size < 100 else 10, limit=64).fingerprint


def test_a_size_in_characters_may_be_reached():
    text = "The water and the field. " * 60
    pieces = Chunker(TOKENIZER, 200, 40, limit=512, unit="characters").split(text)
    sizes = [len(embedding_text(piece.header, piece.text)) for piece in pieces]
    assert len(sizes) > 5 and 140 < max(sizes) <= 200 and min(sizes[:-1]) > 60


def test_an_unknown_unit_is_named():
    with pytest.raises(SettingsError, match=r"chunks\.unit = 'pages': expected one of tokens, characters, words"):
        Chunker(TOKENIZER, unit="pages")
    with pytest.raises(SettingsError, match="a size of at least 16 words"):
        Chunker(TOKENIZER, 40, 30, unit="words")


def test_what_the_model_reads_ends_a_chunk_of_characters_at_a_sentence():
    text = "The water and the field. " * 60
    pieces = Chunker(TOKENIZER, 2000, 100, limit=64, unit="characters").split(text)
    assert all(piece.text.endswith(".") and piece.tokens <= 64 for piece in pieces)


def test_a_paragraph_without_end_takes_no_square_of_its_length():
    sentence = "The water and the harvest of the farm. "
    took = []
    for count in (1_000, 16_000):  # the second took two minutes when sentences were looked for in one go
        start = time.process_time()
        pieces = CHUNKER.split(sentence * count, headings=False)
        took.append(time.process_time() - start)
        assert all(piece.text.endswith("farm.") for piece in pieces)
    assert took[1] < 120 * took[0]  # 256 times, were it the square


def test_many_headings_without_a_word_take_no_square_of_their_number():
    start = time.process_time()
    CHUNKER.split("# a\n\n" * 8_000)
    assert time.process_time() - start < 10
