"""The documents stage: a pure function of the raw table, the bytes and the settings."""

import io
import json
import zipfile
from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.ids import digest, document_id
from rag_platform.core.schemas import DOCUMENTS, RAW
from rag_platform.documents import raw_reader
from rag_platform.documents.options import Options
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.documents.stage import read_documents
from rag_platform.storage.blobs import Blobs

NOW = datetime(2024, 5, 1, tzinfo=UTC)
SOURCE = SourceSettings(id="farm", kind="memory", collection="guides", principals=("staff",))
EMPTY = pl.DataFrame(schema=DOCUMENTS)


@pytest.fixture(scope="session")
def blobs(tmp_path_factory):
    return Blobs(tmp_path_factory.mktemp("blobs"))


def raw(blobs: Blobs, contents: dict[str, bytes | None], **columns) -> pl.DataFrame:
    rows = [
        {"uri": uri, "status": "ok", "sha256": None if content is None else blobs.put(content), "metadata": "{}",
         "fetched_at": NOW, "run_id": "run-1"} | columns
        for uri, content in contents.items()
    ]  # fmt: skip
    return pl.DataFrame([{name: row.get(name) for name in RAW} for row in rows], schema=RAW)


def one(table: pl.DataFrame) -> dict:
    assert table.height == 1
    return table.row(0, named=True)


def test_a_document_has_all_its_columns(blobs):
    text = b"---\nauthor: Asha\ndate: 2024-01-02\n---\n# Water plan\n\nThe farmers share the water of the river.\n"
    found = read_documents(raw(blobs, {"plan.md": text}), EMPTY, blobs, SOURCE)
    row = one(found.table)
    assert found.table.schema == DOCUMENTS and (found.extracted, found.reused, found.failed) == (1, 0, ())
    assert row["doc_id"] == document_id("farm", "plan.md")
    assert (row["status"], row["reason"], row["type"]) == ("ok", None, "markdown")
    assert (row["title"], row["author"], row["language"]) == ("Water plan", "Asha", "en")
    assert (row["collection"], row["principals"]) == ("guides", ["staff"])
    assert row["published_at"] == datetime(2024, 1, 2, tzinfo=UTC) and row["fetched_at"] == NOW
    assert row["text"] == "# Water plan\n\nThe farmers share the water of the river."
    assert row["revision"] == digest("text", row["text"]) and row["run_id"] == "run-1"
    assert row["raw_sha256"] == blobs.put(text)


def test_what_a_file_has_and_its_text_does_not_is_counted_and_summed_up(blobs):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(
            "word/document.xml", "<document><body><p><r><t>Water for all of us.</t></r></p></body></document>"
        )
        file.writestr("[Content_Types].xml", "<Types/>")
        file.writestr("word/vbaProject.bin", b"code")
    made = raw(blobs, {"a.docx": buffer.getvalue(), "b.docm": buffer.getvalue(), "c.md": b"Nothing is lost of this.\n"})
    found = read_documents(made, EMPTY, blobs, SOURCE)
    assert [row["losses"] for row in found.table.iter_rows(named=True)] == [[{"what": "macros", "count": 1}]] * 2 + [[]]
    assert found.lost == {"macros": 2} and read_documents(made.head(0), EMPTY, blobs, SOURCE).lost == {}
    assert read_documents(made, found.table, blobs, SOURCE).lost == {"macros": 2}


def test_what_the_source_knows_wins(blobs):
    known = {"title": "From\nthe feed", "author": "Feed", "published_at": "2023-03-03T00:00:00+02:00", "type": "text"}
    table = raw(blobs, {"a.md": b"# Own\n\nSome words here."}, metadata=json.dumps(known))
    row = one(read_documents(table, EMPTY, blobs, SOURCE).table)
    assert (row["title"], row["author"], row["type"]) == ("From the feed", "Feed", "text")
    assert row["published_at"] == datetime(2023, 3, 2, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("metadata", "flag"),
    [('{"published_at": "soon"}', "published_at not understood: 'soon'"), ("{", "metadata not understood")],
)
def test_metadata_that_makes_no_sense_is_flagged(blobs, metadata, flag):
    row = one(read_documents(raw(blobs, {"a.txt": b"Some words here."}, metadata=metadata), EMPTY, blobs, SOURCE).table)
    assert row["status"] == "ok" and row["published_at"] is None and flag in row["flags"][0]


def test_a_document_without_a_title_has_its_name(blobs):
    row = one(
        read_documents(raw(blobs, {"file:///x/Water%20plan.txt": b"Some words here."}), EMPTY, blobs, SOURCE).table
    )
    assert row["title"] == "Water plan"


def test_which_raw_rows_give_documents(blobs):
    table = pl.concat(
        [
            raw(blobs, {"never": None}, status="failed"),
            raw(blobs, {"kept": b"These words were kept."}, status="failed"),
            raw(blobs, {"gone": b"These words are gone."}, status="gone"),
            raw(blobs, {"b": b"The second of all.", "a": b"The first of all."}),
        ]
    )
    assert read_documents(table, EMPTY, blobs, SOURCE).table["uri"].to_list() == ["a", "b", "kept"]


def test_bad_bytes_are_recorded_and_stop_nobody(blobs):
    found = read_documents(raw(blobs, {"a.gif": b"GIF89a", "b.txt": b"Some words here."}), EMPTY, blobs, SOURCE)
    bad, good = found.table.iter_rows(named=True)
    assert bad["status"] == "failed" and bad["reason"].startswith("no reader for .gif files") and bad["text"] == ""
    assert good["status"] == "ok" and found.failed == (("a.gif", bad["reason"]),)
    again = read_documents(raw(blobs, {"a.gif": b"GIF89a", "b.txt": b"Some words here."}), found.table, blobs, SOURCE)
    assert again.table.equals(found.table) and (again.extracted, again.failed) == (0, found.failed)


def test_a_missing_blob_is_tried_again(tmp_path):
    blobs = Blobs(tmp_path)
    table = raw(blobs, {"a.txt": b"Some words here."})
    path = blobs.path(table["sha256"][0])
    content = path.read_bytes()
    path.unlink()
    lost = read_documents(table, EMPTY, blobs, SOURCE)
    assert "not in" in one(lost.table)["reason"]
    path.write_bytes(content)
    assert one(read_documents(table, lost.table, blobs, SOURCE).table)["status"] == "ok"


@pytest.mark.parametrize(
    ("content", "words", "reason"),
    [
        (b"Two words", 3, "too short: 2 words"),
        (b"One", 2, "too short: 1 word"),
        ("水田です".encode(), 3, "too short: 2 words"),
        (b" \n", 0, "too short: 0 words"),
    ],
)
def test_a_short_text_is_kept_but_excluded(blobs, content, words, reason):
    source = SourceSettings(id="farm", kind="memory", min_words=words)
    row = one(read_documents(raw(blobs, {"a.txt": content}), EMPTY, blobs, source).table)
    assert (row["status"], row["reason"]) == ("excluded", reason) and row["text"] == content.decode().strip()


def test_of_equal_texts_the_first_address_is_kept(blobs):
    found = read_documents(
        raw(blobs, {"c": b"The same words.", "b": b"The same words. ", "a": b"Other words here."}), EMPTY, blobs, SOURCE
    )
    assert found.table.select("uri", "status", "reason").rows() == [
        ("a", "ok", None),
        ("b", "ok", None),
        ("c", "excluded", "same text as b"),
    ]
    after = read_documents(raw(blobs, {"c": b"The same words.", "a": b"Other words here."}), found.table, blobs, SOURCE)
    assert after.table["status"].to_list() == ["ok", "ok"] and after.extracted == 0


def test_the_same_bytes_are_not_read_twice_but_their_circumstances_are_new(blobs, monkeypatch):
    first = read_documents(raw(blobs, {"a": b"The same words."}), EMPTY, blobs, SOURCE)
    unused = Sandbox()
    monkeypatch.setattr(unused, "read", lambda *_, **__: pytest.fail("was read again"))
    later, moved = datetime(2025, 1, 1, tzinfo=UTC), SourceSettings(id="farm", kind="memory", collection="moved")
    second = read_documents(
        raw(blobs, {"a": b"The same words."}, fetched_at=later, run_id="run-2"),
        first.table,
        blobs,
        moved,
        sandbox=unused,
    )
    row = one(second.table)
    assert (second.extracted, second.reused) == (0, 1)
    assert (row["fetched_at"], row["run_id"], row["collection"], row["principals"]) == (later, "run-2", "moved", ["*"])


@pytest.mark.parametrize("change", ["metadata", "content_type", "bytes", "version", "language"])
def test_what_the_text_depends_on_reads_it_again(blobs, monkeypatch, change):
    first = read_documents(raw(blobs, {"a": b"These are words."}), EMPTY, blobs, SOURCE)
    columns = {"metadata": {"metadata": '{"title": "T"}'}, "content_type": {"content_type": "text/html"}}.get(
        change, {}
    )
    if change == "version":
        monkeypatch.setattr(raw_reader, "VERSION", "next")
    source = SourceSettings(id="farm", kind="memory", language="ne") if change == "language" else SOURCE
    content = b"Those are words." if change == "bytes" else b"These are words."
    assert read_documents(raw(blobs, {"a": content}, **columns), first.table, blobs, source).extracted == 1


def test_a_converter_that_comes_or_goes_reads_again_what_it_may_serve_alone(blobs):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("old.pst", b"!BDN and more")
    given = {"a.md": b"These are words.", "b.pst": b"!BDN", "c.zip": packed.getvalue(), "d.djvu": b"AT&TFORM"}
    rows, read, extracted = raw(blobs, given), EMPTY, []
    for converter in ("", "", "readpst 0.6.76", "readpst 0.6.76, LibreOffice 7.4", "readpst 0.6.77", "off", ""):
        found = read_documents(rows, read, blobs, SOURCE, options=Options(converter=converter))
        extracted.append(found.extracted)
        read = found.table
    assert extracted == [5, 0, 3, 0, 3, 4, 4]


def test_each_file_of_an_archive_is_a_document(blobs):
    def packed(files):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return raw(blobs, {"all.zip": buffer.getvalue(), "z": b"Words of another."})

    both = packed({"a.txt": b"Words of the first.", "b/c.gif": b"GIF89a"})
    first = read_documents(both, EMPTY, blobs, SOURCE)
    assert first.table.select("uri", "raw_uri", "status", "title").rows() == [
        ("all.zip", "all.zip", "excluded", "all"),
        ("all.zip!/a.txt", "all.zip", "ok", "a"),
        ("all.zip!/b/c.gif", "all.zip", "failed", "c"),
        ("z", "z", "ok", "z"),
    ]
    assert first.table["doc_id"][1] == document_id("farm", "all.zip!/a.txt")
    again = read_documents(both, first.table, blobs, SOURCE)
    assert again.table.equals(first.table) and (again.extracted, again.reused) == (0, 4)
    less = read_documents(packed({"a.txt": "Words of the first."}), first.table, blobs, SOURCE)
    assert less.table["uri"].to_list() == ["all.zip", "all.zip!/a.txt", "z"]


def test_what_the_source_knows_of_each_document(blobs):
    known = {"tags": ["b", "a", "b"], "owner": "asha", "principals": ["desk"], "collection": "c", "type": "note"}
    row = one(
        read_documents(
            raw(blobs, {"a.md": b"Some words here."}, metadata=json.dumps(known)), EMPTY, blobs, SOURCE
        ).table
    )
    assert (row["tags"], row["owner"], row["principals"], row["collection"]) == (["a", "b"], "asha", ["desk"], "c")
    assert (row["type"], row["format"]) == ("note", "markdown")


def test_progress_is_told(blobs):
    seen = []
    read_documents(raw(blobs, {"a": b"x", "b": b"y"}), EMPTY, blobs, SOURCE, progress=lambda *done: seen.append(done))
    assert seen == [(1, 2), (2, 2)]


contents = st.sampled_from(
    [None, b"The same words.", b"The same words.\n\n", b"Other words stand here.", b"Short", b"\x89PNG\r\n"]
)
corpora = st.dictionaries(st.sampled_from(["a", "b", "c.md", "d.html"]), contents, max_size=4)
worlds = st.tuples(
    corpora, st.sampled_from(["ok", "failed", "gone"]), st.sampled_from([1, 3]), st.randoms(use_true_random=False)
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(worlds, min_size=1, max_size=5))
def test_incremental_equals_rebuild(blobs, history):
    table = EMPTY
    for corpus, status, min_words, chance in history:
        source = SourceSettings(id="farm", kind="memory", min_words=min_words)
        rows = raw(blobs, corpus, status=status)
        shuffled = rows[chance.sample(range(rows.height), rows.height)]
        table = read_documents(shuffled, table, blobs, source).table
        assert table.equals(read_documents(rows, EMPTY, blobs, source).table)


def test_a_headline_is_lost_by_no_other_title(blobs):
    page = b"<html><head><title>Own words</title></head><body><h1>Own words</h1><p>Some words about water.</p></html>"
    same = one(read_documents(raw(blobs, {"a.html": page}), EMPTY, blobs, SOURCE).table)
    assert (same["title"], same["text"]) == ("Own words", "Some words about water.")
    table = raw(blobs, {"a.html": page}, metadata=json.dumps({"title": "From the feed"}))
    other = one(read_documents(table, EMPTY, blobs, SOURCE).table)
    assert (other["title"], other["text"]) == ("From the feed", "# Own words\n\nSome words about water.")


def test_what_a_site_repeats_is_measured_anew_each_time(blobs):
    def pages(count):
        text = "<html><body><p>Story {0} of year {0} in its words.</p><p>Subscribe to the letter of farms.</p></html>"
        return raw(blobs, {f"https://a.example/{n}.html": text.format(n).encode() for n in range(count)})

    first = read_documents(pages(6), EMPTY, blobs, SOURCE).table
    assert all(flags[0].startswith("boilerplate: ") for flags in first["flags"])
    fewer = read_documents(pages(4), first, blobs, SOURCE)
    assert fewer.table.equals(read_documents(pages(4), EMPTY, blobs, SOURCE).table) and fewer.reused == 4
    assert not any(fewer.table["flags"].to_list())


@pytest.mark.parametrize("given", ["1970-01-01", "0001-01-01T00:00:00Z", "1601-01-01", "2999-01-01"])
def test_a_date_that_nobody_can_have_meant_is_left_out(blobs, given):
    page = f"---\ndate: {given}\nupdated: 2024-02-03\n---\nThe farmers share the water of the river.".encode()
    row = one(read_documents(raw(blobs, {"a.md": page}), EMPTY, blobs, SOURCE).table)
    assert (row["published_at"], row["updated_at"]) == (None, datetime(2024, 2, 3, tzinfo=UTC))
    told = raw(blobs, {"b.md": b"The farmers share the water."}, metadata=json.dumps({"published_at": given}))
    assert one(read_documents(told, EMPTY, blobs, SOURCE).table)["published_at"] is None


def test_the_frame_of_a_site_is_learnt_anew_from_the_pages_that_are_there(blobs):
    story = "<p>Story {0}: the harvest of year {0} was good, {0} barns of rice stood full before the rain came.</p>"
    frame = "<p>Subscribe to our letter and never miss a story of the farm again</p>"

    def pages(numbers) -> pl.DataFrame:
        return raw(blobs, {f"https://a.example/{n}.html": f"{story.format(n)}{frame}".encode() for n in numbers})

    table = EMPTY
    for numbers, shortened in ((range(4), 0), (range(7), 6), (range(2, 7), 4), (range(3, 7), 0)):
        table = read_documents(pages(numbers), table, blobs, SOURCE).table
        assert table.equals(read_documents(pages(numbers), EMPTY, blobs, SOURCE).table)
        assert table["whole_text"].count() == shortened == table["text"].str.contains("Subscribe").not_().sum()
