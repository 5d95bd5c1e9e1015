"""Ways in which words are written so that people, or a model, still read them and a search for them does not.

Letters of another script that look the same (Unicode Technical Standard 39, "Unicode Security Mechanisms": its table of
confusables, of which the small letters that are like Latin ones stand here), accents and marks put on letters, joiners
within words, digits for letters, letters set apart, and words turned round or shifted by 13 (Boucher et al., "Bad
Characters: Imperceptible NLP Attacks", IEEE S&P 2022). A form is made only of texts that show signs of it, so that
ordinary ones cost little.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

ALIKE = {
    "a": "аɑα⍺",
    "b": "ЬƄᏏ",
    "c": "сϲᴄⅽ",
    "d": "ԁᏧɗ",
    "e": "еҽєε",
    "f": "ƒք",
    "g": "ɡցԌ",
    "h": "һհᏂ",
    "i": "іıɩιӏ",
    "j": "јϳ",
    "k": "кκᴋ",
    "l": "ⅼӀ",
    "m": "мᴍⅿ",
    "n": "ոпηռ",
    "o": "оοօᴏσ૦",
    "p": "рρ⍴",
    "q": "ԛզ",
    "r": "гᴦⲅ",
    "s": "ѕꜱƽ",
    "t": "тτᴛ",
    "u": "υսᴜʋ",
    "v": "νѵᴠ",
    "w": "ԝѡᴡա",
    "x": "хχ×",
    "y": "уγүყ",
    "z": "ᴢʐ",
    "A": "АΑᎪ",
    "B": "ВΒᏴ",
    "C": "СϹᏟ",
    "D": "Ꭰ",
    "E": "ЕΕᎬ",
    "F": "Ϝ",
    "G": "Ꮐ",
    "H": "НΗᎻ",
    "I": "ІΙ",
    "J": "ЈᎫ",
    "K": "КΚᏦ",
    "L": "Ꮮ",
    "M": "МΜᎷ",
    "N": "Ν",
    "O": "ОΟՕ",
    "P": "РΡᏢ",
    "R": "Ꭱ",
    "S": "ЅᏚ",
    "T": "ТΤᎢ",
    "U": "Ս",
    "V": "ᏙѴ",
    "W": "ᎳԜ",
    "X": "ХΧ",
    "Y": "ΥҮ",
    "Z": "ΖᏃ",
}
"""Latin letter -> letters of other scripts that look like it."""
_LATIN = str.maketrans({letter: latin for latin, letters in ALIKE.items() for letter in letters})
_OTHER = "ƒɑɗɡɩʋʐͰ-ϿЀ-ԯԱ-֏Ꭰ-Ᏽᴀ-ᴢⲀ-⳿⍴⍺Ⅰ-ⅿꜱ"
_MIXED = re.compile(rf"[A-Za-z][{_OTHER}]|[{_OTHER}][A-Za-z]|[Ѐ-ԯ][Ͱ-ϿԱ-֏]|[Ͱ-ϿԱ-֏][Ѐ-ԯ]")
"""Two scripts in one word, of which one is Latin or looks so."""
_MARKED = re.compile(
    "[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff\u200c\u200d\u2100-\u214f\u2460-\u24ff\uff01-\uff5e\U0001d400-\U0001d7ff]"
)
_DIGITS = str.maketrans({"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"})
_LEET = re.compile(r"[^\W\d_][013457@$]+[^\W\d_]")
_LEET_WORD = re.compile(r"[A-Za-z013457@$!]*(?:[A-Za-z][013457@$!]|[013457@$!][A-Za-z])[A-Za-z013457@$!]*")
_APART = re.compile(r"(?<!\w)\w(?:[ .\-_*|/·,]{1,3}\w(?!\w)){5,}")
_LETTER = re.compile(r"\w")
_SHIFTED = "vtaber", "qvfertneq", "sbetrg", "vafgehpgvba", "cebzcg"
_TURNED = "erongi", "dragersid", "tegrof", "noitcurtsni", "tpmorp"
"""Words of such instructions, shifted by 13 and backwards."""

Form = tuple[str, Sequence[int]]
"""A text as it is read, and the place of each of its characters in the text as it is written."""


def forms(text: str) -> Iterator[Form]:
    """Yield the other forms in which a text can be read; none of most texts."""
    if _MIXED.search(text):
        yield text.translate(_LATIN), range(len(text))
    if not text.isascii() and _MARKED.search(text):
        yield _plain(text)
    if _LEET.search(text):
        yield _LEET_WORD.sub(_letters, text), range(len(text))
    lowered = text.lower()
    if any(word in lowered for word in _SHIFTED):
        yield codecs.encode(text, "rot13"), range(len(text))
    if any(word in lowered for word in _TURNED):
        yield text[::-1], range(len(text) - 1, -1, -1)


def apart(text: str) -> Iterator[Form]:
    """Yield each run of letters that are set apart, as in "I g n o r e", without what is between them.

    Where something else is between two letters than between the first two, a word ends.
    """
    for run in _APART.finditer(text):
        letters = [run.start() + letter.start() for letter in _LETTER.finditer(run[0])]
        usual, form, places = text[letters[0] + 1 : letters[1]], text[letters[0]], letters[:1]
        for before, place in pairwise(letters):
            ends = text[before + 1 : place] != usual
            form += " " * ends + text[place]
            places += [before + 1] * ends + [place]
        yield form, places


def _letters(word: re.Match[str]) -> str:
    return word[0].replace("11", "ll").translate(_DIGITS)


@cache
def _base(character: str) -> str:
    """Return a character without marks, width and style; nothing for a mark or a joiner."""
    read = unicodedata.normalize("NFKD", character)
    return "".join(one for one in read if not unicodedata.combining(one) and unicodedata.category(one) != "Cf")


def _plain(text: str) -> Form:
    read, places = [], []
    for place, character in enumerate(text):
        base = character if character.isascii() else _base(character)
        read.append(base)
        places += [place] * len(base)
    return "".join(read).translate(_LATIN), places
