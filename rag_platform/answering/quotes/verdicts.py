"""A question for yes or no, and the quote that answers it -> "yes", "no", or nothing where the quote does not say it.

Whoever answers such a question begins with the word itself ("Not at the moment. …"), behind the question or a title
that says it again: that alone is sure. A statement about the same thing is quoted without a verdict, because
conditions, comparisons and hedges decide there, which words do not tell: of PubMedQA's questions no more are "yes"
where a sentence has all their words than elsewhere.
"""

import re

from rag_platform.answering.coverage import TermWeight, coverage, term_weights
from rag_platform.answering.quotes.asked_for import LETTER
from rag_platform.core.answers import Verdict
from rag_platform.core.generation import QuotedSpan
from rag_platform.core.hits import Hit

_RESTATED = 0.6
"""Share of the question's words, by rarity, that stand before the quote, from which it answers this question."""
_ASKS = re.compile(
    r"^[\s¿\"'“„«]*(?:(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|should|shall|will|would)"
    r"(?:n['’]t)?|ist|sind|war|waren|hat|haben|hatte|kann|können|könnte|darf|dürfen|muss|müssen|soll|sollen|sollte|wird"
    r"|werden|gibt es|gab es|es|son|está|están|fue|era|hay|puede|pueden|puedo|podemos|se puede|tiene|tienen"
    r"|ha|han"
    r"|debe|deben|debo|existe|existen|est-ce|est|sont|peut|peut-on|puis-je|peuvent|faut-il"
    r"|y a-t-il|a-t-(?:il|elle|on)|è"
    r"|sono|può|posso|possono|si può|c['’]è|ci sono|deve|devono|há|pode|podem|tem|is|zijn|kan|kunnen"
    r"|mag|mogen|heeft|moet"
    rf"|можно|есть ли|क्या|के)(?!{LETTER})|(?:吗|嗎|么|麼)[？?\s]*$|是否|能否|可否|是不是|能不能|可不可以|有没有"
    r"|(?:です|ます|でした|ました|でしょう|ません|ある|いる|できる)か[。？?\s]*$",
    re.IGNORECASE,
)
_CHOICE = re.compile(rf"(?<!{LETTER})(?:or|oder|ou|или|या)(?!{LETTER})|还是|還是|それとも", re.IGNORECASE)
_STOP = r"(?=[\s]*[.,;:!–—-]|\s*[，。、！；：।])"
_YES = re.compile(
    rf"(?:yes|ja|jawohl|doch|sí|oui|si|sì|sim|да|так|हाँ|हां|जी हाँ|जी हां|是的?|可以的?|能|对|有的?|はい|ええ|네|예"
    rf"|نعم){_STOP}"
    r"|(?:yes|jawohl|oui|sim)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    rf"(?:no|nein|non|não|nee|нет|ні|नहीं|जी नहीं|不|不是|不能|不可以|不行|没有|否|いいえ|いえ|아니요"
    rf"|아니오|لا){_STOP}"
    r"|(?:not(?! only| just| least)|never|currently not|nicht(?! nur)|derzeit nicht|momentan nicht|zurzeit nicht|nein"
    r"|niemals|nunca|jamais|de momento no|por ahora no|actualmente no|pas (?:pour|en)|não"
    r"|niet(?! alleen)|нельзя|फिलहाल नहीं)\b"
    r"|目前不|暂时不|现在不|尚未|現在は?できません",
    re.IGNORECASE,
)


def asks_yes_or_no(question: str) -> bool:
    """Tell whether a question can be answered by yes or no; one that offers a choice cannot."""
    return bool(_ASKS.search(question)) and not _CHOICE.search(question)


def verdict_of(question: str, quote: QuotedSpan, hit: Hit, weight: TermWeight) -> Verdict:
    """Return what a quote says to a question; "": it is none for yes or no, or the quote does not begin with either."""
    if not asks_yes_or_no(question):
        return ""
    before = f"{hit.title}\n{hit.section}\n{hit.text[: quote.span[0]]}"
    said = hit.text[slice(*quote.span)].lstrip(" *_\"'“„«>")
    if coverage(term_weights(question, hit.language, weight), before, hit.language) < _RESTATED:
        return ""
    return "no" if _NO.match(said) else "yes" if _YES.match(said) else ""
