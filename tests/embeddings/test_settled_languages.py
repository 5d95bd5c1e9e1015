"""By which language a document goes to a model: guesses from a few words count only where they are many."""

import polars as pl
import pytest

from rag_platform.embeddings.document_languages import settled_languages
from rag_platform.models.cards import CARDS

ENGLISH = ("en", "The ferry runs from six in the morning until dusk.")
LINE = ("de", "- 1928 : August Brändle , Schultheiss")
LONG = ("de", "Die Fähre verkehrt von sechs Uhr morgens bis zur Dämmerung, sonntags beginnt sie später. " * 4)


@pytest.mark.parametrize(
    ("document", "language"),
    [
        (LINE, "und"),
        (LONG, "de"),
        (("ne", "फेरी बिहान छ बजे सुरु हुन्छ।"), "ne"),
        (("el", "Το πλοίο φεύγει στις έξι."), "el"),
        (("und", "3.14"), "und"),
        ((None, ""), "und"),
        (ENGLISH, "en"),
    ],
    ids=[
        "a line of names",
        "a text",
        "another script",
        "a script that no model reads",
        "numbers",
        "nothing",
        "English",
    ],
)
def test_a_guess_leaves_a_rare_document_with_the_model(document, language) -> None:
    assert _settled(*[ENGLISH] * 20, document)[-1] == language


def test_a_language_that_much_of_a_source_is_in_is_no_guess() -> None:
    assert _settled(*[ENGLISH] * 18, LINE, LINE)[-2:] == ["de", "de"]
    assert _settled(LINE) == ["de"]
    assert _settled() == []


def _settled(*documents: tuple[str | None, str]) -> list[str]:
    schema = {"language": pl.String, "text": pl.String}
    table = (
        pl.DataFrame(list(documents), schema=schema, orient="row").with_row_index("doc_id").cast({"doc_id": pl.String})
    )
    return settled_languages(table, CARDS["all-MiniLM-L6-v2"])["language"].to_list()
