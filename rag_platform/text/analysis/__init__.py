"""Text to the terms of the lexical index, in the text's own language.

A text gives one term per word, in its order (`terms`); the index holds besides what helps to find a word in another
form (`index_terms`). A question gives, for each of its words, the terms that it may have become (`query_terms`). What
asks for the text as it is written compares `even` or `plain` texts.
"""

from rag_platform.text.analysis.folding import normalise
from rag_platform.text.analysis.plain import even, plain, plain_words, word_runs
from rag_platform.text.analysis.questions import exact_terms, query_terms
from rag_platform.text.analysis.texts import index_terms, question_terms, terms

VERSION = "3"
"""Changes when the same text gives other terms: part of a version's identity."""

__all__ = [
    "VERSION",
    "even",
    "exact_terms",
    "index_terms",
    "normalise",
    "plain",
    "plain_words",
    "query_terms",
    "question_terms",
    "terms",
    "word_runs",
]
