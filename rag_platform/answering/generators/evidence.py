"""Question and hits -> what each sentence of the hits says about it, word by word.

Each passage is read once, as a whole: the vector of a token knows the sentences around it, so that "It was founded in
1889" is near to a question about the society that the sentence before names. A sentence is measured by its own tokens:
by their mean (as in Günther et al., "Late Chunking", 2024), and by the best match of each word of the question among
them (MaxSim: Khattab and Zaharia, "ColBERT", 2020).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rag_platform.answering.coverage import TermWeight, coverage, is_question_word, term_weights
from rag_platform.answering.generators.passage_reading import PassageToRead, read_passages
from rag_platform.answering.generators.word_tokens import WordTokens
from rag_platform.core.generation import QuotedSpan
from rag_platform.core.hits import Hit, Passage
from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Memo
from rag_platform.embeddings.embedding_model import EmbeddingModel, TokenReader, TokenVectors, reads_tokens
from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.instructions.injection import find
from rag_platform.text.language import UNDETERMINED, may_be
from rag_platform.text.sentences import split_sentences

_MOST_SENTENCES = 80
_SPELLED = 0.8  # tokens a letter: MiniLM has 0.25 for English, 0.4 for German, but 1.2 for Hindi and 1.1 for Chinese
_ASKING = 0.5
"""What a word that only asks counts, such as "who" or "how": a name is near to "who", a number to "how many"."""


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """The words of a question."""

    tokens: np.ndarray
    """float32, shape (tokens, dimension): vectors of their pieces."""
    owners: np.ndarray
    """int64, shape (tokens,): the word that each token is a piece of, from 0."""
    telling: np.ndarray
    """bool, shape (words,): not only there to ask."""
    rarity: np.ndarray
    """float32, shape (words,): what each word tells, which sum to 1."""

    @property
    def shares(self) -> np.ndarray:
        """What each word counts where rarity does not matter: float32, shape (words,), which sum to 1."""
        counts = np.where(self.telling, 1.0, _ASKING).astype(np.float32)
        shares: np.ndarray = counts / counts.sum()
        return shares

    def matches(self, tokens: np.ndarray) -> np.ndarray:
        """Return how near each word is to each token: float32, shape (words, tokens)."""
        near = self.tokens @ tokens.T
        return np.stack([near[self.owners == word].mean(axis=0) for word in range(len(self.telling))])


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A sentence of a hit that may become part of an answer."""

    place: int
    """Of its hit, from 1."""
    start: int
    end: int
    text: str
    meaning: float
    """Cosine of sentence, in its passage, and question."""
    words: np.ndarray
    """How near each word of the question is to a word of the sentence: float32, shape (words,)."""
    coverage: float
    """Share of the question's words that the sentence or its title has, weighted by their rarity."""
    standing: float
    """Score of its hit against the best hit's, in [0, 1]."""
    relevance: float
    """How well the sentence answers."""

    @property
    def quoted(self) -> QuotedSpan:
        """The sentence as it stands in its hit."""
        return QuotedSpan(self.place, (self.start, self.end))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the hits hold on a question."""

    question: np.ndarray
    """Its vector: float32, shape (dimension,); the model's own where it is `understood`."""
    words: QuestionWords
    candidates: tuple[Candidate, ...]
    """Sentences, most relevant first."""
    passages: tuple[np.ndarray, ...]
    """Of each passage, how near each word of the question is to a word of it: float32, shape (words,)."""
    coverage: float
    """The largest share of the question's words that a passage has, weighted by their rarity."""
    understood: bool
    """Whether the model reads the language of question and hits; else only the letters of words counted."""
    unspaced: bool
    """Whether the question is written without spaces between words."""


def gather_evidence(
    question: str, hits: Sequence[Hit], embedder: EmbeddingModel, weight: TermWeight, memo: Memo | None = None
) -> Evidence:
    """Measure every sentence of the hits.

    Args:
        question: what is asked.
        hits: where an answer may be, best first.
        embedder: gives the vectors of words; of a model that gives none, the words themselves are compared.
        weight: the rarity of a word in the corpus.
        memo: knows what passages said to the question that were read before.
    """
    reader: TokenReader = embedder if reads_tokens(embedder) else WordTokens()
    understood = not isinstance(reader, WordTokens) and model_reads(embedder, question, hits)
    words, asked = _words(question, reader.embed_tokens([question])[0], weight), list(_to_read(hits))
    vector, passages = reader.embed_query(question), [passage for _, _, passage in asked]
    readings = read_passages(question, words.matches, vector, passages, reader, memo)
    best = max((hit.score for hit in hits), default=0.0)
    candidates, covered = [], 0.0
    for (place, passage, as_read), reading in zip(asked, readings, strict=True):
        hit, terms = hits[place], term_weights(question, hits[place].language, weight)
        offset = passage.span[0] - hit.span[0]
        covered = max(covered, coverage(terms, f"{hit.title} {passage.section} {as_read.text}", hit.language))
        standing = max(0.0, passage.score / best) if best > 0 else 1.0
        for span, meaning, matched in zip(as_read.sentences, reading.meanings.tolist(), reading.matches, strict=True):
            if np.isnan(meaning):
                continue
            at = (span[0] + offset, span[1] + offset)
            said = hit.text[slice(*at)]  # it may end in the next passage
            held = coverage(terms, f"{hit.title} {passage.section} {said}", hit.language)
            relevance = 0.5 * held + 0.5 * standing
            if understood:
                relevance += meaning + float(words.rarity @ matched)
            candidates.append(Candidate(place + 1, *at, said, meaning, matched, held, standing, relevance))
    ordered = tuple(sorted(candidates, key=lambda candidate: -candidate.relevance))
    near = tuple(reading.passage for reading in readings)
    return Evidence(vector, words, ordered, near, covered, understood, has_unspaced(question))


def _to_read(hits: Sequence[Hit]) -> Iterator[tuple[int, Passage, PassageToRead]]:
    """Yield each passage with the place of its hit, from 0, and the sentences that begin in it."""
    for place, (hit, quoted) in enumerate(zip(hits, _sentences(hits), strict=True)):
        for passage in hit.passages:
            header, text = _as_read(hit, passage)
            offset = passage.span[0] - hit.span[0]
            inside = [(start - offset, end - offset) for start, end in quoted if 0 <= start - offset < len(text)]
            yield place, passage, PassageToRead(header, text, inside)


def model_reads(embedder: EmbeddingModel, question: str, hits: Sequence[Hit]) -> bool:
    """Tell whether a model reads the language of question and best hit.

    Of a model that does not say what it reads: whether it knows words, or only spells them out letter by letter.
    """
    languages = embedder.card.languages
    if languages:
        return may_be(question, languages) and all(hit.language in (*languages, UNDETERMINED) for hit in hits[:1])
    pieces = embedder.count_tokens([question])[0] - 2
    return pieces < _SPELLED * max(1, sum(letter.isalnum() for letter in question))


def _as_read(hit: Hit, passage: Passage) -> tuple[str, str]:
    """Return what goes before a passage's text, and the text: as its chunk was embedded, which is not done twice."""
    text, names = hit.text_of(passage), passage.section.split(" > ") if passage.section else []
    if hit.title and (not names or names[0].casefold() != hit.title.casefold()):
        names.insert(0, hit.title)
    return embedding_text(" > ".join(names), text).removesuffix(text), text


def _words(question: str, tokens: TokenVectors, weight: TermWeight) -> QuestionWords:
    """Put the pieces of each word together; without any word, the whole question is one."""
    spoken = tokens.spoken(question)
    kept = np.flatnonzero(spoken) if spoken.any() else np.arange(len(tokens.words))
    _, owners = np.unique(tokens.words[kept], return_inverse=True)
    spans = [tokens.spans[kept][owners == word] for word in range(int(owners.max(initial=-1)) + 1)]
    said = [question[span[:, 0].min() : span[:, 1].max()] for span in spans]
    telling = np.array([not is_question_word(word) for word in said], bool)
    if not telling.any():
        telling[:] = True
    rarity = np.array([max(0.0, weight(word)) for word in said], np.float32) * telling
    if rarity.sum() <= 0:
        rarity = telling.astype(np.float32)
    return QuestionWords(tokens.vectors[kept], owners, telling, rarity / max(rarity.sum(), 1e-9))


def _sentences(hits: Sequence[Hit]) -> list[list[tuple[int, int]]]:
    """List the sentences of each hit that are worth quoting; overlapping hits give each only once.

    None that tries to instruct a language model is an answer: whoever reads this one next may be such a model.
    """
    found: list[list[tuple[int, int]]] = []
    seen: set[str] = set()
    for hit in hits:
        orders, own = list(find(hit.text)), []
        for start, end, kind in split_sentences(hit.text):
            key = " ".join(hit.text[start:end].split()).lower()
            ordering = any(start < until and since < end for since, until in orders)
            if kind != "heading" and key not in seen and not ordering and len(seen) < _MOST_SENTENCES:
                seen.add(key)
                own.append((start, end))
        found.append(own)
    return found
