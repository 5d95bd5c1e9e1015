"""Text layers that only look like text to a program."""

import pytest

from rag_platform.documents.formats.page_layout.legibility import doubtful, same_words

LANGUAGES = {
    "en": "The farmers of the valley share the water of the river, and the office writes down who takes how much. ",
    "de": "Die Bauern des Tals teilen das Wasser des Flusses, und das Amt schreibt auf, wer wie viel davon nimmt. ",
    "cs": "Zemědělci v údolí se dělí o vodu z řeky a úřad zapisuje, kdo z ní kolik bere; smlč, vlk, krk, prst, čtvrt. ",
    "vi": "Nông dân trong thung lũng chia nhau nước sông, và văn phòng ghi lại ai lấy bao nhiêu nước mỗi mùa khô. ",
    "ru": "Крестьяне долины делят между собой воду реки, и контора записывает, кто и сколько её берёт каждый год. ",
    "hi": "घाटी के किसान नदी का पानी आपस में बाँटते हैं, और कार्यालय लिखता है कि कौन कितना पानी लेता है। ",
    "zh": "山谷的农民共用河水，办公室记录每个人取用多少水，干旱的月份要先照顾老人和孩子的田地。",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_are_not_doubted(language):
    assert not doubtful(LANGUAGES[language] * 4)


def moved(text: str, by: int) -> str:
    return "".join(chr((ord(one) - 97 + by) % 26 + 97) if "a" <= one <= "z" else one for one in text.lower())


@pytest.mark.parametrize(
    "rubbish",
    [
        moved(LANGUAGES["en"], 7),
        "".join(chr(ord(one) - 29) if one.isalpha() else one for one in LANGUAGES["en"]),
        LANGUAGES["ru"].encode("cp1251").decode("latin-1"),
        "".join(chr(ord(one) + 777) for one in LANGUAGES["zh"]),
        " ".join(LANGUAGES["de"].replace(" ", "")),
        "Hkkjr ,d fo'kky ns'k gSA ;gk¡ dh lH;rk cgqr iqjkuh gSA f'k{kk dk vf/kdkj lHkh cPpksa dks feyuk pkfg,A ",
        LANGUAGES["en"].replace("e", "\ufffd"),
    ],
)
def test_rubbish_is_doubted(rubbish):
    assert doubtful(rubbish * 4)


def test_little_text_tells_nothing():
    assert not doubtful(moved(LANGUAGES["en"], 7)[:80])


def test_a_layer_is_about_the_page_if_it_has_its_words():
    assert same_words("The Water of\nthe valley", "water VALLEY river rain") == 0.5
    assert same_words("anything", "1 2 3") == 1.0
