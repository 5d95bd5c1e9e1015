"""What a generator yields, returns, and says when it has no answer.

A generator is a generator function: it yields text, and what a model thinks beside it, and returns an `Outcome`. Every
sentence carries marks ``[n]``, n being a 1-based place among the hits; `citations.verify` checks them afterwards,
whatever wrote them.
"""

from rag_platform.text.language import likeliest

ABSTENTIONS = {
    "en": "The sources do not contain an answer to this question.",
    "ar": "لا تحتوي المصادر على إجابة عن هذا السؤال.",
    "ca": "Les fonts no contenen cap resposta a aquesta pregunta.",
    "cs": "Zdroje neobsahují odpověď na tuto otázku.",
    "da": "Kilderne indeholder ikke et svar på dette spørgsmål.",
    "de": "Die Quellen enthalten keine Antwort auf diese Frage.",
    "es": "Las fuentes no contienen una respuesta a esta pregunta.",
    "fi": "Lähteissä ei ole vastausta tähän kysymykseen.",
    "fr": "Les sources ne contiennent pas de réponse à cette question.",
    "hi": "स्रोतों में इस प्रश्न का उत्तर नहीं है।",
    "it": "Le fonti non contengono una risposta a questa domanda.",
    "ja": "情報源にはこの質問への答えがありません。",
    "ko": "출처에는 이 질문에 대한 답이 없습니다.",
    "ne": "स्रोतहरूमा यस प्रश्नको उत्तर छैन।",
    "nl": "De bronnen bevatten geen antwoord op deze vraag.",
    "pl": "Źródła nie zawierają odpowiedzi na to pytanie.",
    "pt": "As fontes não contêm uma resposta a esta pergunta.",
    "ru": "Источники не содержат ответа на этот вопрос.",
    "sv": "Källorna innehåller inget svar på denna fråga.",
    "tr": "Kaynaklar bu sorunun yanıtını içermiyor.",
    "uk": "Джерела не містять відповіді на це запитання.",
    "zh": "资料来源中没有这个问题的答案。",
}
"""What a generator says, word for word, when the sources do not hold the answer; by the question's language."""
ABSTENTION = ABSTENTIONS["en"]
"""In English, and in doubt."""


def abstention(question: str) -> str:
    """Return what to say to a question that the sources do not answer, in its language where that is clear."""
    return ABSTENTIONS[likeliest(question, ABSTENTIONS) or "en"]


def abstains(text: str) -> bool:
    """Return whether an answer says, in any language, that the sources hold none."""
    lowered = text.lower()
    return any(
        sentence.rstrip(".。।").lower() in lowered and len(text) < 2 * len(sentence)
        for sentence in ABSTENTIONS.values()
    )
