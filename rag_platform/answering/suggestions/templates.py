"""How one asks about a section or a document, in each language.

A heading stands in quotation marks, or before a colon, so that none of its words has to be declined.
"""

ABOUT = {
    "en": "What is “{title}” about?",
    "ar": "ما موضوع «{title}»؟",
    "ca": "De què tracta «{title}»?",
    "cs": "O čem je „{title}“?",
    "da": "Hvad handler “{title}” om?",
    "de": "Worum geht es in „{title}“?",
    "es": "¿De qué trata «{title}»?",
    "fi": "Mistä ”{title}” kertoo?",
    "fr": "De quoi parle « {title} » ?",
    "hi": "“{title}” किस बारे में है?",
    "it": "Di che cosa parla «{title}»?",
    "ja": "「{title}」は何についてのものですか？",
    "ko": "“{title}”은 무엇에 관한 것인가요?",
    "ne": "“{title}” के बारेमा हो?",
    "nl": "Waar gaat “{title}” over?",
    "pl": "O czym jest „{title}”?",
    "pt": "De que trata «{title}»?",
    "ru": "О чём «{title}»?",
    "sv": "Vad handlar ”{title}” om?",
    "tr": "“{title}” ne hakkında?",
    "uk": "Про що «{title}»?",
    "zh": "“{title}”讲的是什么？",
}
PHRASES = {
    "en": "What should I know about “{heading}”?",
    "ar": "ماذا ينبغي أن أعرف عن «{heading}»؟",
    "ca": "Què he de saber sobre «{heading}»?",
    "cs": "{heading}: co je dobré vědět?",
    "da": "Hvad skal jeg vide om “{heading}”?",
    "de": "{heading}: Was sollte ich wissen?",
    "es": "¿Qué debo saber sobre «{heading}»?",
    "fi": "{heading}: mitä minun pitäisi tietää?",
    "fr": "{heading} : que faut-il savoir ?",
    "hi": "{heading}: मुझे क्या जानना चाहिए?",
    "it": "{heading}: che cosa devo sapere?",
    "ja": "「{heading}」について知っておくべきことは何ですか？",
    "ko": "“{heading}”에 대해 무엇을 알아야 하나요?",
    "ne": "“{heading}” बारे मैले के जान्नुपर्छ?",
    "nl": "Wat moet ik weten over “{heading}”?",
    "pl": "{heading}: co warto wiedzieć?",
    "pt": "{heading}: o que preciso de saber?",
    "ru": "{heading}: что нужно знать?",
    "sv": "Vad behöver jag veta om ”{heading}”?",
    "tr": "“{heading}” hakkında ne bilmem gerekir?",
    "uk": "{heading}: що потрібно знати?",
    "zh": "关于“{heading}”，我应该了解什么？",
}
NEUTRAL = "{heading}?"
"""In any other language: what one would type."""
