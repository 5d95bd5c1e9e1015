"""Stop words: they say nothing by themselves and are left out of questions alone; the index holds every word."""

from functools import cache, lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

# Snowball's English list. The list that tantivy has is Lucene's: it lacks the words that ask, and finds less.
_ENGLISH = frozenset(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
    its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing would should could ought a an the and but if or because as until while
    of at by for with about against between into through during before after above below to from up down in out on off
    over under again further then once here there when where why how all any both each few more most other some such no
    nor not only own same so than too very can will just now
    """.split()  # noqa: SIM905  a list of one word per line would take three pages
)
_LISTS = {
    "da": "danish",
    "de": "german",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ru": "russian",
    "sv": "swedish",
}
"""Languages of which tantivy has Snowball's list."""


@lru_cache(maxsize=4096)
def is_stop_word(word: str, language: str | None) -> bool:
    """Return whether a word, in lower case, is a stop word; languages without a list have none."""
    if language == "en":
        return word in _ENGLISH
    return language in _LISTS and not _filter(_LISTS[language]).analyze(word)


@cache
def _filter(name: str) -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stopword(name)).build()
