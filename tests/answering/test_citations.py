import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.answering.citations.verification import verify
from rag_platform.answering.coverage import uniform_weight


@pytest.fixture
def check(embedder, hits):
    return lambda text, sources=hits: verify(text, sources, embedder, uniform_weight)


def test_a_quote_is_verbatim_and_its_span_is_of_the_document(check, hits):
    verified = check("Unused days expire on 31 March [1].")
    (citation,) = verified.citations
    assert verified.text == "Unused days expire on 31 March. [1]"
    assert citation.quote == "Unused days expire on 31 March."
    start, end = citation.span
    assert hits[0].text[start - 100 : end - 100] == citation.quote
    assert (citation.doc_id, citation.chunk_id, citation.uri) == (hits[0].doc_id, hits[0].chunk_id, hits[0].uri)
    assert not verified.warnings


def test_marks_are_renumbered_in_order_of_appearance_and_the_same_quote_keeps_its_number(check):
    verified = check(
        "Travel expenses are repaid within two weeks. [3] The office opens at eight.[2] "
        "Travel expenses are repaid within two weeks [3]."
    )
    assert verified.text == (
        "Travel expenses are repaid within two weeks. [1] The office opens at eight. [2] "
        "Travel expenses are repaid within two weeks. [1]"
    )
    assert [(citation.n, citation.doc_id) for citation in verified.citations] == [(1, "doc-3"), (2, "doc-2")]


def test_a_source_that_does_not_exist_is_removed_and_counted(check):
    verified = check("The office opens at eight in the morning [2][9] [0].")
    assert verified.text == "The office opens at eight in the morning. [1]"
    assert verified.warnings == ("2 citations of a source that does not exist removed",)


def test_a_mark_on_the_wrong_source_moves_to_the_right_one(check):
    verified = check("The office opens at eight in the morning [1].")
    assert [citation.doc_id for citation in verified.citations] == ["doc-2"]
    assert verified.warnings == ("1 citation moved to the source that supports the sentence",)


def test_a_forgotten_mark_is_added(check):
    assert check("Employees get 25 days of paid leave per year.").text.endswith("year. [1]")


def test_what_no_source_supports_is_kept_marked_and_named(check):
    verified = check("The chief executive owns a yellow submarine [2].")
    (claim,) = verified.claims
    assert verified.text == f"{claim.text} [?]" and not verified.citations
    assert (claim.state, claim.span, claim.citations) == ("unverified", (0, len(claim.text)), ())


@pytest.mark.parametrize(("chosen", "text"), [("remove", "{kept} [1]"), ("mark", "{gone} [!][1] {kept} [2]")])
def test_what_a_source_denies_is_taken_away_or_marked_and_names_what_denies_it(hits, embedder, chosen, text):
    gone, kept = "Employees get 30 days of paid leave per year.", "The office opens at eight in the morning."
    verified = verify(f"{gone} [1] {kept} [2]", hits, embedder, uniform_weight, contradicted=chosen)
    assert verified.text == text.format(gone=gone, kept=kept)
    denied, quoted = verified.claims
    assert (denied.text, denied.state, quoted.state) == (gone, "contradicted", "quoted")
    (number,) = denied.citations
    assert "25 days" in verified.citations[number - 1].quote and verified.citations[number - 1].n == number
    assert denied.span == (None if chosen == "remove" else (0, len(gone)))
    assert verified.text[slice(*quoted.span)] == kept


def test_headings_questions_and_introductions_need_no_support(check):
    verified = check(
        "# Leave\n\nHere is what the sources say about it:\n\n- Unused days expire on 31 March [1].\n\nMore?"
    )
    assert len(verified.claims) == 1 and not verified.warnings
    assert "- Unused days expire on 31 March. [1]\n" in verified.text


@pytest.mark.parametrize(
    "mark", ["[2]", "[^2]", "【2】", "【2†source】", "[source 2]", "[Source #2]", " [2, 2]", "[2-2]"]
)
def test_many_ways_to_write_a_mark(check, mark):
    assert (
        check(f"The office opens at eight in the morning{mark}.").text
        == "The office opens at eight in the morning. [1]"
    )


def test_brackets_in_code_and_links_are_no_marks(check):
    text = "Call `days[1]` or see [2](https://example.org)."
    assert check(text).text == f"{text} [?]"
    assert check("```\nleave[1] = 25\n```").text == "```\nleave[1] = 25\n```"


def test_a_mark_in_a_table_stays_inside_it(check):
    assert (
        "| 25 days of paid leave per year [1] |"
        in check("| what |\n|---|\n| 25 days of paid leave per year [1] |").text
    )


def test_both_cited_sources_are_kept_when_both_support(check, make_hit):
    twice = [make_hit(1, "The moon is round and grey."), make_hit(2, "We know that the moon is round and grey.")]
    assert check("The moon is round and grey [1, 2].", twice).text == "The moon is round and grey. [1][2]"


def test_overlapping_chunks_of_one_document_fold_to_one_citation(check, make_hit):
    chunks = [
        make_hit(1, "Intro words. The moon is round.", start=0, doc_id="moon"),
        make_hit(2, "The moon is round. More follows.", start=13, doc_id="moon"),
    ]
    verified = check("The moon is round [1][2].", chunks)
    assert verified.text == "The moon is round. [1]" and verified.citations[0].span == (13, 31)


def test_nothing_to_check_without_hits(check):
    assert check("Something is said here [1].", []).warnings[0].startswith("1 citation of a source that does not exist")


@given(
    st.lists(
        st.sampled_from(
            [
                "Unused days expire on 31 March",
                " [1]",
                "[2]",
                "[7]",
                ". ",
                "\n- ",
                "The office opens at eight",
                "| x |\n",
                "`a[1]`",
            ]
        ),
        max_size=14,
    )
)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])  # they hold no state
def test_numbers_and_citations_always_agree(check, hits, pieces):
    verified = check("".join(pieces))
    assert [citation.n for citation in verified.citations] == list(range(1, len(verified.citations) + 1))
    for citation in verified.citations:
        hit = next(hit for hit in hits if hit.chunk_id == citation.chunk_id)
        start, end = (place - hit.span[0] for place in citation.span)
        assert hit.text[start:end] == citation.quote != ""
        assert f"[{citation.n}]" in verified.text or any(
            citation.n in claim.citations for claim in verified.claims if claim.state == "contradicted"
        )
    for claim in verified.claims:
        assert claim.text == verified.text[slice(*claim.span)] if claim.span else claim.state == "contradicted"


def test_of_a_list_no_empty_item_is_left(check):
    said = "- Unused days expire on 31 March [1].\n- Unused days do not expire on 31 March [1].\n\nSo it is said [?]."
    verified = check(said)
    assert verified.text == "- Unused days expire on 31 March. [1]\n\n\nSo it is said. [?]"
    assert [claim.state for claim in verified.claims] == ["quoted", "contradicted", "unverified"]
    assert [claim.text for claim in verified.claims if claim.span] == [
        verified.text[slice(*claim.span)] for claim in verified.claims if claim.span
    ]


def test_a_model_cannot_write_the_mark_of_doubt_itself(check):
    assert check("The office opens at eight in the morning [2] [?].").text.count("[?]") == 0


def test_a_quote_within_another_of_the_same_document_folds_into_it(check, make_hit):
    text = "The moon is round and grey. It is far away from here."
    verified = check(
        "The moon is round and grey [1]. The moon is round and grey, and it is far away from here [1].",
        [make_hit(1, text, doc_id="moon")],
    )
    assert [citation.quote for citation in verified.citations] == [text]
    assert verified.text.count("[1]") == 2


def test_no_quote_begins_or_ends_within_a_word(check, make_hit):
    assert check("art is great fun [1].", [make_hit(1, "The start is great fun.")]).claims[0].state != "quoted"


def test_the_first_row_of_a_table_names_columns_and_needs_no_support(check):
    table = "| What is told | When it happens there |\n|---|---|\n| Unused days expire | 31 March |"
    assert len(check(table).claims) == 1
    assert len(check(table.replace("|---|---|\n", "")).claims) == 2
