"""By which language a document goes to a model: of a few words, the language that is detected may be a guess."""

import polars as pl

from rag_platform.models.cards import ModelCard
from rag_platform.text.language import CERTAIN, UNDETERMINED, same_script

COMMON = 0.1
"""Share of a source's documents from which a language is not made of wrong guesses. In collections of short English
texts up to 2 % are taken for another language of the same script, most of them lines of names."""
_READ = 2000
"""Characters of a text in which letters are counted."""


def settled_languages(documents: pl.DataFrame, card: ModelCard) -> pl.DataFrame:
    """Return documents with "und" for a language that this model does not read, where it is no more than a guess.

    A language is settled by its script, by the length of the text, or because much of the source is in it.

    Args:
        documents: All indexed documents of a source; columns doc_id, language, text.
        card: Of the model that embeds what no language takes from it.
    """
    documents = documents.with_columns(pl.col("language").fill_null(UNDETERMINED))
    codes = dict(documents.group_by("language").len().iter_rows())
    rare = [
        code
        for code, count in codes.items()
        if not card.reads(code) and count < COMMON * documents.height and same_script(code, card.languages)
    ]
    short = pl.col("text").str.slice(0, _READ).str.count_matches(r"\p{L}") < CERTAIN
    guessed = documents.filter(pl.col("language").is_in(rare)).filter(short)["doc_id"]
    doubted = pl.col("doc_id").is_in(guessed.implode())
    return documents.with_columns(language=pl.when(doubted).then(pl.lit(UNDETERMINED)).otherwise("language"))


def languages_of(chunks: pl.DataFrame, documents: pl.DataFrame) -> pl.Series:
    """Return the language of each chunk's document."""
    known = documents.select("doc_id", "language")
    return chunks.select("doc_id").join(known, on="doc_id", how="left", maintain_order="left")["language"]
