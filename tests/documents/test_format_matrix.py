"""The benchmark of what is kept by format: a floor is held by words that were compared, and by nothing else."""

from benchmarks.format_matrix import Row, below_floor, card_words, mail_words


def test_a_format_that_was_compared_with_nothing_does_not_hold_its_floor():
    rows = {
        "doc": Row(files=2, read=2),
        "docx": Row(files=1, read=1, words=100, kept=96),
        "odt": Row(files=1, read=1, words=100, kept=97),
        "rtf": Row(files=1),  # which has a password
        "yaml": Row(files=1, read=1),  # which has no floor
    }
    assert below_floor(rows) == ["doc: compared with nothing", "docx: 96.0%, below its floor of 97%"]


def test_second_readers_of_calendars_contacts_and_mails(tmp_path):
    path = tmp_path / "a"
    path.write_text(
        'BEGIN:VEVENT\nSUMMARY;X="a:b":The weir\nDESCRIPTION:One\\nand\n  two\nUID:7\nEND:VEVENT\n'
        "BEGIN:VTIMEZONE\nCOMMENT:No appointment\nEND:VTIMEZONE\nFN:Ann\n"
    )
    assert card_words(path) == "The weir\nOne\nand two\nAnn"
    path.write_text("Subject: Weir\nContent-Type: text/html\n\n<html><body>It is <b>shut</b></body></html>")
    assert mail_words(path).split() == ["Weir", "It", "is", "shut"]
