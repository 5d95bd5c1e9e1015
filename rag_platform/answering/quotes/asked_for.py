"""What a question asks for, as far as one of its words says so: a time, a number or a person.

The first word that asks decides: "What happens when …" asks for no time. Where such a word may stand anywhere, as in
Chinese, Japanese, Korean or Hindi, it does so alone.
"""

import re
from typing import Literal

AskedFor = Literal["time", "year", "number", "person"]

_BY_WORD: dict[AskedFor, str] = {
    "year": r"(?:(?:what|which|welche[mns]|qu[eé]|quell?e?|(?:in )?che|quale|welke?|каком|którym|vilket|hvilket|minä"
    r"|hangi|किस|कौन से|कुन) (?:years?|jahr|jahren|jahre|año|años|année|an|anno|ano|anos|jaar|году?|roku|år|vuonna"
    r"|yıl|वर्ष|साल|सन्?))",
    "time": r"when|wann|cuándo|quand|quando|wanneer|когда|коли|kiedy|när|hvornår|når|milloin|koska|ne zaman|कब|कहिले|متى"
    r"|(?:what|which) (?:date|day|month|century|decade|time)|at what time|um wie ?viel uhr"
    r"|welche[mnrs] (?:datum|tag|monat|jahrhundert|jahrzehnt)|qué (?:fecha|día|mes|siglo|década|hora)"
    r"|quelle (?:date|heure|époque)|quel (?:jour|mois|siècle)|(?:किस|कौन सी) (?:तारीख|दिन|महीने|दशक|सदी|शताब्दी)",
    "number": r"how (?:many|much|old|long|tall|high|far|deep|wide|fast|heavy|often)|what (?:percent|percentage|number"
    r"|age|amount|proportion|fraction)|wie ?viele?[nr]?"
    r"|wie (?:alt|lange?|hoch|groß|weit|tief|schwer|schnell|oft|häufig)"
    r"|welche[rn]? (?:prozentsatz|anteil|anzahl|zahl)|cuánt[oa]s?|qué (?:porcentaje|cantidad|número|edad|proporción)"
    r"|combien|quel (?:pourcentage|nombre|âge)|quant[oiae]|quant[oa]s|hoeveel|hoe (?:oud|lang|hoog|ver|vaak)|сколько"
    r"|скільки|ile|ilu|hur (?:många|mycket|gammal|lång|hög)|hvor (?:mange|meget|mye|gammel|lang|høj|høy)"
    r"|kuinka (?:monta|paljon|vanha|pitkä|korkea)|kaç|ne kadar|कितन[ाेी]|कति|كم",
    "person": r"who|whom|whose|wer|wen|wem|wessen|quién|quiénes|qui|chi|quem|кто|кого|кому|кем|хто|kto|kogo|vem|hvem"
    r"|kuka|kim|कौन(?! (?:सा|से|सी))|किसने|किसे|किसके|किसका|किसकी|कसले",
}
_ELSEWHERE = (
    r"what|which|where|why|how|was|welche[mnrs]?|wo|woher|wohin|warum|wie|womit|wodurch|qué|cuál|cuáles|dónde|cómo"
    r"|por qué|que|quel|quels|quelles?|où|comment|pourquoi|che|cosa|quale|dove|come|perché|qual|onde|wat|welke?|waar"
    r"|waarom|hoe|что|какой|какая|какие|где|почему|как"
)
_ANYWHERE: dict[AskedFor, str] = {
    "year": r"哪一?年|何年|几几年|몇 ?년",
    "time": r"何时|何時|什么时候|什麼時候|什么时间|哪天|哪一天|哪个(?:世纪|年代|月)|几月|几点"
    r"|いつ|何月|何日|何世紀|언제|몇 ?(?:월|일|시)",
    "number": r"多少|多大|多高|多长|多远|多久|多重|几(?=[个名位次种条只家座])"
    r"|いくつ|いくら|どれ(?:くらい|ぐらい|だけ)"
    r"|どの(?:くらい|ぐらい)|何(?=[人個回歳度種台本冊枚機校件票名万億%]|メートル|キロ|パーセント|か国)|몇|얼마",
    "person": r"谁|誰|だれ|누구|누가",
}
LETTER = r"[\w\u0900-\u0903\u093a-\u094f]"
"""What a word is made of; the vowel signs of Devanagari are no letters to `re`."""
_WORDS = re.compile(
    "|".join(f"(?P<{kind}>(?<!{LETTER})(?:{words})(?!{LETTER}))" for kind, words in _BY_WORD.items())
    + f"|(?<!{LETTER})(?:{_ELSEWHERE})(?!{LETTER})",
    re.IGNORECASE,
)
_SIGNS = re.compile("|".join(f"(?P<{kind}>{signs})" for kind, signs in _ANYWHERE.items()))


def asked_for(question: str) -> tuple[AskedFor, str] | None:
    """Return what a question asks for, and its words behind that; None: no word says so."""
    found = _SIGNS.search(question) or _WORDS.search(question)
    if found is None or found.lastgroup is None:
        return None
    kind: AskedFor = found.lastgroup  # type: ignore[assignment]
    return kind, question[found.end() :]
