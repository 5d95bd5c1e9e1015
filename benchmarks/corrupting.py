"""A true sentence to false ones, each wrong in one way: for benchmarks/corruptions.py.

A name is what stands in capitals inside a sentence, or an accepted answer of a question; so a script without capitals
has names too.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from rag_platform.text.analysis.stopwords import is_stop_word

_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[\w,] )[A-ZÀ-Þ][\w’'-]+(?: (?:(?:of|the|de|von|der|di) )?[A-ZÀ-Þ][\w’'-]+)*")
_NAMED_ALONE = "de"  # every noun of German has a capital: there a name has two words, or was an answer
_MONTHS = (
    "January February March April May June July August September October November December",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
)
_UNITS = (
    "years months weeks days hours minutes seconds",
    "year month week day hour minute second",
    "miles yards feet inches",
    "kilometres kilometers metres meters",
    "km m cm mm μm",
    "kg g mg µg",
    "l ml dl",
    "percent points",
    "million billion thousand",
    "dollars euros pounds",
    "Jahre Monate Wochen Tage Stunden Minuten",
    "Millionen Milliarden Tausend",
    "Prozent Punkte",
    "Meter Kilometer Meilen",
    "años meses semanas días horas minutos",
    "millones miles",
    "metros kilómetros millas",
    "वर्ष महीने दिन घंटे",
    "मिलियन अरब लाख",
    "年 月 日",
    "万 亿",
    "米 公里 英里",
    "% ‰",
)
_NOT = (
    (r"\b(is|are|was|were|has|have|had|can|could|will|would|should|may|might|did|does|do)\b(?! not)", r"\1 not"),
    (r"\b(ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|hatte|hatten|kann|können)\b(?! nicht)", r"\1 nicht"),
    (r"\b(es|era|fue|son|eran|fueron|ha|han|había|tiene|tienen|puede|pueden|está|están)\b", r"no \1"),
    (r"(है|हैं|था|थे|थी)(?=[\s।,])", r"नहीं \1"),
    (r"(是|能|会|可以|被)", r"不\1"),
)
_LANGUAGES = "en", "de", "es", "hi", "zh"
_NEGATION = re.compile(r" not\b|(?<=\w)n't\b| nicht\b|\bno (?=\w+[aeéó]n?\b)| नहीं|不(?=[是能会可])|没(?=有)")


@dataclass(frozen=True, slots=True)
class Truth:
    """A sentence that its sources support, and what it may be confused with."""

    text: str
    names: tuple[str, ...]
    """In it."""
    near: tuple[str, ...]
    """Names in the sources that are not in it."""
    far: tuple[str, ...]
    """Names, and below sentences, of documents that are not among the sources."""
    sentences: tuple[str, ...]
    sources: str
    """All text of the sources."""
    language: str


Corruption = Callable[[Truth, Random], str | None]


def names(text: str, answers: Sequence[str], language: str) -> tuple[str, ...]:
    """List the names in a text, each once."""
    found = [match[0] for match in _NAME.finditer(text)] if language != "zh" else []
    found = [name for name in found if language != _NAMED_ALONE or " " in name]
    found = [name for name in found if not is_stop_word(name.lower(), language)]  # "We", behind a heading's last word
    given = [answer for answer in answers if _named(answer, text)]
    every = [name for name in dict.fromkeys([*found, *given]) if len(name) > 1]
    return tuple(name for name in every if not any(name != other and name in other for other in every))


def _named(answer: str, text: str) -> bool:
    """Tell whether an accepted answer stands in a text as words of their own, and is no number, "yes" or "no"."""
    if answer not in text or _NUMBER.search(answer) or len(answer) > 40 or (answer.isascii() and len(answer) < 4):
        return False
    spaced = not re.search(r"[\u3400-\u9fff]", answer)
    return not spaced or re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text) is not None


def number(truth: Truth, rng: Random) -> str | None:
    """Write another number, which no source has."""
    found = list(_NUMBER.finditer(truth.text))
    if not found:
        return None
    chosen = rng.choice(found)
    had = set(_NUMBER.findall(truth.sources))
    for _ in range(20):
        other = str(max(1, int(chosen[0]) + rng.choice([-1, 1]) * rng.randint(1, max(9, int(chosen[0]) // 4))))
        if other not in had:
            return truth.text[: chosen.start()] + other + truth.text[chosen.end() :]
    return None


def number_of_the_source(truth: Truth, rng: Random) -> str | None:
    """Write another number, which stands elsewhere in the sources."""
    found = list(_NUMBER.finditer(truth.text))
    others = sorted(set(_NUMBER.findall(truth.sources)) - {match[0] for match in found})
    if not found or not others:
        return None
    chosen = rng.choice(found)
    like = [other for other in others if len(other) == len(chosen[0])] or others
    return truth.text[: chosen.start()] + rng.choice(like) + truth.text[chosen.end() :]


def date(truth: Truth, rng: Random) -> str | None:
    """Write another month."""
    return _exchanged(truth, rng, [months.split() for months in _MONTHS], "")


def unit(truth: Truth, rng: Random) -> str | None:
    """Write another unit behind a number."""
    return _exchanged(truth, rng, [units.split() for units in _UNITS], r"(?<=[\d½])\s?|(?<=million )|(?<=billion )")


def _exchanged(truth: Truth, rng: Random, groups: Sequence[Sequence[str]], before: str) -> str | None:
    for words in groups:
        inside = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
        edge = "" if re.search(r"[\u4e00-\u9fff%‰]", words[0]) else r"(?!\w)"
        ahead = f"(?:{before})" if before else (r"(?<!\w)")
        found = list(re.finditer(f"{ahead}({inside}){edge}", truth.text))
        if found:
            chosen = rng.choice(found)
            other = rng.choice([word for word in words if word != chosen[1]])
            return truth.text[: chosen.start(1)] + other + truth.text[chosen.end(1) :]
    return None


def foreign_name(truth: Truth, rng: Random) -> str | None:
    """Put a name of another document in a name's place."""
    return _renamed(truth, rng, truth.far)


def near_name(truth: Truth, rng: Random) -> str | None:
    """Put another name of the sources in a name's place."""
    return _renamed(truth, rng, truth.near)


def _renamed(truth: Truth, rng: Random, others: Sequence[str]) -> str | None:
    if not truth.names or not others:
        return None
    return truth.text.replace(rng.choice(truth.names), rng.choice(others), 1)


def swapped(truth: Truth, rng: Random) -> str | None:
    """Exchange two names of the sentence."""
    if len(truth.names) < 2:
        return None
    left, right = rng.sample(truth.names, 2)
    between = "\0"
    return truth.text.replace(left, between).replace(right, left).replace(between, right)


def negated(truth: Truth, rng: Random) -> str | None:
    """Lose a "not", or put one in."""
    if found := list(_NEGATION.finditer(truth.text)):
        chosen = rng.choice(found)
        return truth.text[: chosen.start()] + truth.text[chosen.end() :]
    if truth.language not in _LANGUAGES:
        return None
    pattern, put = _NOT[_LANGUAGES.index(truth.language)]
    found = list(re.finditer(pattern, truth.text))
    if not found:
        return None
    chosen = rng.choice(found)
    return truth.text[: chosen.start()] + chosen.expand(put) + truth.text[chosen.end() :]


def made_up(truth: Truth, rng: Random) -> str | None:
    """Take a sentence of another document."""
    return rng.choice(truth.sentences) if truth.sentences else None


def grafted(truth: Truth, rng: Random) -> str | None:
    """Let the sentence end as one of another document does."""
    if not truth.sentences:
        return None
    return _half(truth.text, first=True) + _half(rng.choice(truth.sentences), first=False)


def _half(text: str, *, first: bool) -> str:
    spaces = [match.end() for match in re.finditer(r"\s+", text)]
    middle = spaces[len(spaces) // 2] if len(spaces) > 3 else len(text) // 2
    return text[:middle] if first else text[middle:]


KINDS: dict[str, Corruption] = {
    "number, of no source": number,
    "number, of a source": number_of_the_source,
    "month": date,
    "unit": unit,
    "name of another document": foreign_name,
    "name of the source": near_name,
    "two names exchanged": swapped,
    "not lost or put in": negated,
    "made up": made_up,
    "half made up": grafted,
}
