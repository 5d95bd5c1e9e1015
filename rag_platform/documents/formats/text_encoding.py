"""Which encoding bytes are in that do not say it: the one in which they are spelt as some language spells its words.

Detectors by statistics need a page of text. A list of names, a subtitle or a short note has a dozen letters that tell:
those are compared with the alphabets of languages, and with where signs and capitals can stand.
"""

import re
from collections import Counter

from charset_normalizer import from_bytes

SAMPLE = 1 << 15
"""Bytes of lines that are not ASCII, by which an encoding is guessed."""
_LATIN = (
    "cp1252",
    "iso8859_15",
    "cp1250",
    "iso8859_2",
    "cp1254",
    "cp1257",
    "mac_roman",
    "cp850",
    "cp852",
    "mac_latin2",
)
"""In the order in which they are met; of those that explain a text alike the first is taken."""
_ALPHABETS = {
    languages: frozenset(letters)
    for languages, letters in {
        "de": "äöüß", "fr": "àâæçèéêëîïôœùûüÿ", "es gl": "áéíñóúü", "pt": "áâãàçéêíóôõú", "it": "àèéìíîòóùú",
        "nl": "éèëïóöüê", "sv fi": "åäöé", "da no": "æøåéäö", "is": "áðéíóúýþæö", "pl": "ąćęłńóśźż",
        "cs": "áčďéěíňóřšťúůýž", "sk": "áäčďéíĺľňóôŕšťúýž", "hu": "áéíóöőúüű", "ro": "ăâîșțşţ", "hr sl": "čćđšž",
        "tr": "çğıöşüâîû", "et": "äõöüšž", "lv": "āčēģīķļņšūž", "lt": "ąčęėįšųūž", "ca": "àçèéíïòóúü",
    }.items()
}  # fmt: skip
"""Letters beyond ASCII, by language."""
_SIGNS = frozenset("„“”‚‘’«»‹›–—…€£§°©®™¿¡·•×½¼¾²³µ\u00a0ªº†‰¨´")
_WITHIN = frozenset("’·\u00a0–—´")
"""Signs that also stand between two letters."""
_OTHERS: dict[str, tuple[str, ...]] = {
    "оеаинтсрвлкмдпуяіъ": ("cp1251", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic"),
    "αοιετσνηυρπκμλωάόέίής": ("cp1253", "iso8859_7", "cp737"),
    "יוהלאבתרשמנםדחקעכ": ("cp1255", "iso8859_8", "cp862"),
    "اليمونترةبعدسفهقكأ": ("cp1256", "iso8859_6", "cp864"),
    "านรอกเงมยลวดทสตะปบคหแจพช่้ัิีืุูไ็": ("cp874",),
}
"""The usual letters of other alphabets, and the encodings that have them."""
_ASIAN: dict[str, tuple[str, ...]] = {
    "".join(map(chr, range(0x3041, 0x3094))): ("euc_jp", "cp932"),
    "이다는을의에가고한하지로도서은를기사인자해": ("cp949",),
}
"""The kana between Japanese words, and usual syllables of Korean."""
_BEYOND = re.compile(r"([^\x00-\x7f])", re.DOTALL)
_ALL, _MOST, _MANY = 0.85, 0.65, 0.2
"""Shares of what is not ASCII by which a text is taken for Latin, another alphabet, or Japanese or Korean."""
_Seen = Counter[tuple[str, str, str]]
"""How often each character that is not ASCII stands between which others."""


def guess_encoding(content: bytes) -> str:
    """Return the encoding in which bytes most likely are that are no UTF-8."""
    sample = b"\n".join(line for line in content.split(b"\n") if not line.isascii())[:SAMPLE]
    letters = sum(map(str.isalpha, sample.decode("ascii", "ignore")))
    is_latin = sum(byte > 127 for byte in sample) <= letters
    kinds = (
        (_ALL, ((_spelt(_seen(sample, name)), name) for name in (_LATIN if is_latin else ()))),
        (_MOST, ((_usual(_seen(sample, name), usual), name) for usual, names in _OTHERS.items() for name in names)),
        (_MANY, ((_share(_seen(sample, name), usual), name) for usual, names in _ASIAN.items() for name in names)),
    )
    for least, ranked in kinds:  # what is found among the first ones is not looked for among the others
        score, name = max(ranked, key=lambda one: one[0], default=(0.0, ""))
        if score >= least:
            return name
    best = from_bytes(sample).best()
    return best.encoding if best else "cp1252"


def _seen(sample: bytes, encoding: str) -> _Seen:
    text = f" {sample.decode(encoding, 'replace')} "
    return Counter((text[at - 1], text[at], text[at + 1]) for at in (one.start() for one in _BEYOND.finditer(text)))


def _spelt(seen: _Seen) -> float:
    """Return the share that is explained by the letters of one language and by signs where they can stand."""
    letters, signs = Counter[str](), 0
    for (before, one, after), count in seen.items():
        if one.isalpha() and one not in _SIGNS:
            letters[one.lower()] += 0 if _is_odd(before, one, after) else count
        elif one in _WITHIN or (one in _SIGNS and not (before.isalpha() and after.isalpha())):
            signs += count
    best = max(sum(letters[one] for one in alphabet) for alphabet in _ALPHABETS.values())
    return (best + signs) / (seen.total() or 1)


def _usual(seen: _Seen, usual: str) -> float:
    """Return the share of what is no sign that is a usual letter of an alphabet."""
    found = sum(count for one, count in seen.items() if one[1].lower() in usual and not _is_odd(*one))
    return found / (sum(count for (_, one, _), count in seen.items() if one not in _SIGNS) or 1)


def _share(seen: _Seen, usual: str) -> float:
    return sum(count for (_, one, _), count in seen.items() if one in usual) / (seen.total() or 1)


def _is_odd(before: str, one: str, after: str) -> bool:
    """Return whether a capital stands within a word that is not all capitals."""
    return one.isupper() and (before.islower() or (before.isalpha() and after.islower()))
