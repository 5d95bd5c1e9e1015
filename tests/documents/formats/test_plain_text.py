"""Plain text of any encoding."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.plain_text import decode, read_text

GERMAN = "Die Bäuerin säte größere Felder und überprüfte täglich die Wasserhöhe für die Äcker. " * 5
RUSSIAN = "Крестьяне собрали урожай пшеницы и проверили уровень воды в реке. " * 5


@given(
    st.text(
        alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff\ufffd"),
        min_size=1,
    )
)
def test_utf8_is_read_as_written(text):
    assert decode(text.encode()) == (text, ())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_is_obeyed(encoding):
    assert decode("Grüße, दुनिया".encode(encoding)) == ("Grüße, दुनिया", ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(encoding):
    assert decode(GERMAN.encode(encoding)) == (GERMAN, ())


@pytest.mark.parametrize(
    ("text", "encoding", "label"),
    [
        (GERMAN, "cp1252", "iso-8859-1"),
        ("“Quoted” – 5 €", "cp1252", "ISO-8859-1"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        ("汉字编码", "gb18030", "gb2312"),
        ("漢字かな", "cp932", '"Shift_JIS"'),
    ],
)
def test_what_the_server_declares(text, encoding, label):
    assert decode(text.encode(encoding), label) == (text, ())


@pytest.mark.parametrize("label", ["no-such-code", "", "\x00", "utf-8"])
def test_a_wrong_label_does_no_harm(label):
    assert decode("Grüße".encode(), label)[0] == "Grüße"


@pytest.mark.parametrize(("text", "encoding"), [(GERMAN, "cp1252"), (RUSSIAN, "cp1251")])
def test_a_guess_is_flagged(text, encoding):
    found, flags = decode(text.encode(encoding))
    assert found == text
    assert flags[0].startswith("encoding guessed: ")


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        ("Name;Preis\nMüller;3,20\nÖzil;1,50\n", "cp1252 cp850"),
        ("Le barrage coûte 5 € par œuvre, a déclaré le meunier naïf.", "cp1252 iso8859-15"),
        ("Le barrage est fermé depuis midi, a déclaré le meunier naïf.", "mac_roman"),
        ("Jez na řece je od poledne zavřený, říká mlynář.", "cp1250 iso8859-2 cp852"),
        ("Jaz na rzece jest zamknięty od południa, mówi młynarz.", "cp1250 iso8859-2"),
        ("Плотина закрыта с полудня, говорит мельник.", "cp1251 koi8-r cp866"),
        ("Το φράγμα είναι κλειστό από το μεσημέρι.", "cp1253"),
        ("הסכר סגור מאז הצהריים, אומר הטוחן.", "cp1255"),
        ("ฝายปิดตั้งแต่เที่ยงวัน", "cp874"),
        ("堰は正午から閉まっていると粉屋は言う。", "euc-jp cp932"),
        ("보는 정오부터 닫혀 있다고 방앗간 주인이 말한다.", "cp949"),
        ("水壩從中午起關閉，磨坊主說。", "big5"),
    ],
)
def test_the_encoding_of_a_short_text_is_that_in_which_its_words_are_spelt(text, encodings):
    assert {encoding: decode(text.encode(encoding))[0] for encoding in encodings.split()} == dict.fromkeys(
        encodings.split(), text
    )


@pytest.mark.parametrize(
    ("text", "encoding", "label"),
    [
        ("Le café est fermé.", "mac_roman", "x-mac-roman"),
        ("שלום", "iso8859-8", "ISO-8859-8-I"),
        ("Café", "utf-7", "unicode-1-1-utf-7"),
    ],
)
def test_names_of_encodings_that_mail_programs_write(text, encoding, label):
    assert decode(text.encode(encoding), label) == (text, ())


def test_the_colours_of_a_log_are_no_words():
    assert (
        read_text(b"\x1b[32mINFO\x1b[0m gate shut\n\x1b[1;31mERROR\x1b[m stuck").text == "INFO gate shut\nERROR stuck"
    )


def test_what_stands_far_below_tells_the_encoding_too():
    text = f"{'Plain words.' * 9}\n" * 3000 + "Der Müller prüfte die Wehre über der Mühle."
    assert decode(text.encode("cp1252"))[0] == text


def test_a_few_damaged_bytes_do_not_change_the_encoding():
    found, flags = decode(RUSSIAN.encode() * 10 + b"\xd0")
    assert found == RUSSIAN * 10 + "\ufffd" and flags == ("undecodable bytes replaced",)


@pytest.mark.parametrize(
    "content", [random.Random(1).randbytes(4000), bytes(range(256)) * 4, b"\x00" * 100, b"abc\x00\x01\x02" * 9]
)
def test_what_is_no_text_is_refused(content):
    with pytest.raises(ExtractionError, match=r"not text: .* control characters or undecodable"):
        read_text(content)


def test_nothing_is_an_empty_text():
    assert read_text(b"").text == ""


def test_seven_bits_that_change_their_characters():
    japanese = "日本語の文章です。漢字と仮名。" * 3
    assert (
        decode(japanese.encode("iso-2022-jp"), "iso-2022-jp")
        == decode(japanese.encode("iso-2022-jp"))
        == (japanese, ())
    )
    assert decode("中文~文本".encode("hz"), "hz-gb-2312")[0] == "中文~文本"


def test_a_western_label_on_a_text_in_other_letters_is_not_believed():
    assert decode(RUSSIAN.encode("cp1251"), "iso-8859-1") == (RUSSIAN, ("encoding guessed: cp1251",))
    for latin in (GERMAN, "Été où l'âge naît à Évry, çà et là. " * 9, "ÜBER ÄRGER ÖFTERS, ÅÄÖ ÆØÅ. " * 9):
        assert decode(latin.encode("cp1252"), "iso-8859-1") == (latin, ())
