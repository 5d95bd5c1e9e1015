"""A question to the terms that its words may have become in an index of several languages.

A question is often too short to tell its language. So each of its words is analysed in every language of the index,
and its variants compete (the best counts) rather than add up. When the words leave no doubt, the other languages of the
same script are left out: their variants only find what was not meant.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rag_platform.text.analysis.folding import VIETNAMESE
from rag_platform.text.analysis.stemming import BARE, beginnings, has_beginnings, marks_matter, stems
from rag_platform.text.analysis.stopwords import is_stop_word
from rag_platform.text.analysis.texts import clean, compounds, cut, has_unspaced, is_alphabetic, words
from rag_platform.text.language import UNDETERMINED, likeliest, same_script


def query_terms(question: str, languages: Iterable[str]) -> dict[tuple[str, ...], int]:
    """Return, for each word of a question, the terms it may have become in an index of those languages.

    Beside them is how often the word stands there. Words that say nothing by themselves ("what", "of") are left out
    where the question's language is known and other words remain.
    """
    question = clean(question)
    likely, certain = _languages_of(question, tuple(languages))
    found = words(question)
    content = [word for word in found if not is_stop_word(word, certain) or _is_acronym(word, question)] or found
    further = [word for word in compounds(question) if not is_stop_word(word, certain)]
    counts = Counter(tuple(_variants(word, likely)) for word in _cut(content))
    for word in further:
        counts.setdefault(tuple(_whole(word, likely)), 1)
    return dict(counts)


def exact_terms(text: str, languages: Iterable[str]) -> list[list[str]]:
    """Return, for each word in its order, the terms of the whole word: for phrases, and to count it."""
    text = clean(text)
    likely, _ = _languages_of(text, tuple(languages))
    return [_whole(part, likely) for word in words(text) for pairs, _ in cut(word) for part in pairs]


def _whole(word: str, languages: Sequence[str]) -> list[str]:
    marked = [code for code in languages if marks_matter(code)]
    if marked and VIETNAMESE.search(word):  # in the others it would be what is left without its marks
        return list(dict.fromkeys(stems(code).anew(word) for code in marked))
    unmarked = [word + BARE] if marked and word.isascii() else []
    return list(dict.fromkeys([*(stems(code).anew(word) for code in languages), *unmarked]))


def _variants(word: str, languages: Sequence[str]) -> list[str]:
    """Return a word's terms, and their beginnings in the languages that have them."""
    found = _whole(word, languages)
    if has_unspaced(word):
        return found
    begun = (stems(code).anew(word) for code in languages if has_beginnings(code) and stems(code).own(word))
    return found + list(dict.fromkeys(beginnings(begun)))


def _cut(found: Iterable[str]) -> Iterator[str]:
    """Yield words; of a run without spaces, triples of letters, or characters alone and in pairs."""
    for word in found:
        for pairs, others in cut(word):
            if not others or not is_alphabetic(word):
                yield from pairs
            yield from others


def _is_acronym(word: str, question: str) -> bool:
    return len(word) > 1 and word.upper() in question and not question.isupper()


@lru_cache(maxsize=256)
def _languages_of(question: str, languages: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """Return the languages in which to analyse a question, and which one it is in, if that is certain."""
    languages = languages or (UNDETERMINED,)
    found = likeliest(question, languages)
    rivals = same_script(found, languages) if found else ()
    return tuple(sorted(code for code in languages if code == found or code not in rivals)), found
