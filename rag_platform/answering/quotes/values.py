"""Text -> the times, numbers and names in it, with exact positions, in the languages that people ask in.

Names of months and days are CLDR's (by babel), in every language; numbers are digits, or the words for small ones.
"""

import re
from functools import cache

from babel import Locale, UnknownLocaleError

from rag_platform.answering.quotes.asked_for import LETTER, AskedFor

Span = tuple[int, int]

_YEAR = r"(?:1\d{3}|20\d{2})"
_DAY = r"(?:[12]?\d|3[01])(?:st|nd|rd|th|er|º|\.)?"
_BEFORE = r"(?:B\.?C\.?E?\.?|A\.?D\.?|C\.?E\.?|v\. ?Chr\.|n\. ?Chr\.|a\. ?C\.|d\. ?C\.|av\. J\.-C\.|ईसा पूर्व|ई\.? ?पू\.?)"
_OF = r"[\s,]*(?:\b(?:of|de|del|di|da)\b\s*)?"
_FREE = r"(?<![\d.,:/$€£-])"
_ENDS = r"(?![\d%‰]|[.,:/]\d)"
_CENTURY = (
    r"(?:\d{1,2}(?:st|nd|rd|th) century|\d{1,2}\. Jahrhundert(?:s|er?n?)?|siglos? [IVX]+|[IVX]+e siècle|secolo [IVX]+"
    r"|século [IVX]+|\d{1,2}\s?(?:वीं|वी) (?:सदी|शताब्दी))"
)
_DECADE = rf"(?:(?:early|mid|late)[ -])?(?:{_YEAR}['’]?s\b|{_YEAR}er(?:n?\b|[ -]Jahren?\b))|década de {_YEAR}"
_CLOCK = r"\d{1,2}[:.h]\d{2}(?: ?[ap]\.?m\b\.?| Uhr)?|\d{1,2} ?(?:[ap]\.?m\b\.?|Uhr\b|o['’]clock)"
_EAST = (
    r"(?:公元前?|紀元前|西元)?\s?\d{1,4}\s?(?:年代?|년)(?:\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日号일])?)?"
    r"|(?:明治|大正|昭和|平成|令和|[\u4e00-\u9fff]{2})\d{1,2}年(?:\d{1,2}月(?:\d{1,2}日)?)?"
    r"|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日号일]|(?:公元前|紀元前)?\d{1,2}\s?(?:世纪|世紀)(?:\s?\d0\s?年代)?|(?:午前|午後|上午|下午)?\d{1,2}[時点시](?:\d{1,2}分)?"
)
_NUMERALS = {
    "en": "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen half once twice",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend einmal zweimal",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente "
    "quarante cinquante soixante cent mille",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici venti trenta "
    "quaranta cinquanta cento mille",
    "pt": "dois duas três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze vinte trinta quarenta "
    "cinquenta cem mil",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien twintig dertig veertig "
    "vijftig honderd duizend",
    "ru": "два две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать двадцать тридцать сорок сто",
    "hi": "दो तीन चार पाँच पांच छह छः छे सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस तीस चालीस "
    "पचास साठ सत्तर अस्सी नब्बे सौ",
}
_SCALE = (
    r"(?:\s?(?:million|billion|trillion|thousand|hundred|Millionen|Milliarden|Million|Milliarde|Tausend|Mio\.?|Mrd\.?"
    r"|mil millones|millones|millón|mil|millions?|milliards?|milioni|miliardi|milhões|bilhões|miljoen|miljard|тысяч|"
    r"млн|млрд|миллион(?:ов|а)?|हजार|हज़ार|लाख|करोड़|अरब|मिलियन|बिलियन)(?!\w)|[万萬亿億千百억만천])*"
)
_SHARE = (
    r"(?:\s?(?:%|％|‰|percent\b|per cent\b|Prozent\b|por ciento\b|pour cent\b|per cento\b|procent\b"
    r"|प्रतिशत|फीसदी|パーセント|°\s?[CF]\b))?"
)
_DIGITS = r"(?<![A-Za-z\d])(?<![A-Za-z\d][.,:/-])(?:[$€£¥]\s?)?\d+(?:[.,\u00a0\u202f' ]\d{3})*(?:[.,]\d+)?"
_HAN = r"[一二两兩三四五六七八九十百千万亿]{1,6}[个個名位次种種条只家座岁倍点]|[百千]分之[一二三四五六七八九十百\d]+"
_COUNTED = (
    r"(?:\d+)?(?:[個个箇か名位次種种条只家座岁歳才人回本冊枚台度円元つ期階层頭匹羽隻校件票戦勝点代]"
    r"|(?:センチ|ミリ|キロ)?(?:メートル|グラム)|キロワット|[公英平]里|米|公斤|時間|分鐘|小时|天|年間|か月|ヶ月|명|개|번|세|살"
    r"|킬로미터|미터)*"
)
_NAME_PART = r"[A-ZÀ-ÖØ-ÞŁŚŻČŠŽ][\w'’.-]*"
_NAME = rf"{_NAME_PART}(?:\s(?:(?:of|de|del|la|van|von|der|den|di|da|al|bin|ibn|du|le)\s)*{_NAME_PART})*"


def values(text: str, kind: AskedFor, language: str) -> list[Span]:
    """Return where a text names what is asked for, in order; a year is looked for as a time is."""
    pattern = _numbers(language) if kind == "number" else _names() if kind == "person" else _times(language)
    found = [match.span() for match in pattern.finditer(text)]
    return [(start, _trimmed(text, start, end)) for start, end in found]


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in " .,;:":
        end -= 1
    return end


@cache
def _times(language: str) -> re.Pattern[str]:
    months, days = (rf"(?:{'|'.join(names)})" if names else r"(?!)" for names in _named(language))
    edge, end = rf"(?<!{LETTER})", rf"(?!{LETTER})"
    month = rf"{edge}{months}\.?{end}"
    parts = [
        rf"{_FREE}{_DAY}{_OF}{month}{_OF}{_YEAR}{_ENDS}",
        rf"{month}\s{_DAY},?\s{_YEAR}{_ENDS}",
        rf"{month}{_OF}{_YEAR}{_ENDS}",
        rf"{_FREE}{_DAY}{_OF}{month}",
        rf"{month}\s{_DAY}(?!\d)",
        r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)|(?<![\d.])\d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\d)",
        _CENTURY,
        rf"{_FREE}(?:{_DECADE})",
        rf"(?<![\d.,]){_CLOCK}",
        _EAST,
        rf"{_FREE}\d{{1,4}}\s?{_BEFORE}(?!\w)",
        rf"(?:{_FREE}|(?<=[-–/(]))(?<!\d){_YEAR}(?!\w){_ENDS}",
        rf"{edge}{days}{end}",
        rf"(?=\w{{4}}){month}",  # "May" alone is seldom a month
    ]
    return re.compile("|".join(parts))


@cache
def _named(language: str) -> tuple[list[str], list[str]]:
    """Return the names of months and days, as patterns, longest first; none of a language without them."""
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return [], []
    found = []
    for names in (locale.months, locale.days):
        forms = {name for use in names.values() for width in ("wide", "abbreviated") for name in use[width].values()}
        written = {
            name.rstrip(".") for name in forms if len(name.rstrip(".")) > name.isascii() + 1 and not name[0].isdigit()
        }
        found.append([re.escape(name) for name in sorted(written, key=len, reverse=True)])
    return found[0], found[1]


@cache
def _numbers(language: str) -> re.Pattern[str]:
    words = "|".join(_NUMERALS.get(language, "").split()) or r"(?!)"
    spelt = rf"(?<!{LETTER})(?:{words})(?:[ -](?:and |und |y )?(?:{words}))*(?!{LETTER})"
    return re.compile(rf"(?:{_DIGITS}|{spelt}){_SCALE}{_SHARE}{_COUNTED}|{_HAN}", re.IGNORECASE)


@cache
def _names() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){_NAME}")
