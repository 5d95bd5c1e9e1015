"""Contacts of the three versions of vCard."""

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.reading.extraction import extract

ADA = """BEGIN:VCARD
VERSION:3.0
FN:Ada Byron
N:Byron;Ada;;Dr.;
ORG:Engines Ltd.;Research
TITLE:Analyst
EMAIL;TYPE=INTERNET,WORK:ada@x.org
TEL;TYPE="cell,pref":+44 1
item1.TEL:+44 2
item1.X-ABLabel:_$!<Boat>!$_
ADR;TYPE=HOME:;;1 Mill Lane;Ely;;CB7;England
BDAY:1815-12-10
PHOTO;ENCODING=b;TYPE=JPEG:aGVs
 bG8=
NOTE:Likes numbers\\, and\\nmachines.
REV:2026-01-02T10:00:00Z
END:VCARD
"""


def test_a_contact_says_how_to_reach_somebody():
    read = extract(ADA.encode(), uri="ada.vcf")
    assert read.text == (
        "# Ada Byron\n\n"
        "Organisation: Engines Ltd., Research\nTitle: Analyst\nE-mail (work): ada@x.org\nTelephone (cell): +44 1\n"
        "Telephone (Boat): +44 2\nAddress (home): 1 Mill Lane, Ely, CB7, England\nBirthday: 1815-12-10\n\n"
        "Likes numbers, and\nmachines."
    )
    assert (read.title, read.kind, read.updated_at.year) == ("Ada Byron", "contact", 2026)
    assert read.losses == (Loss("images without text", 1),)


def test_the_oldest_version_in_quoted_printable():
    card = (
        b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg\r\n"
        b"TEL;HOME;VOICE:1\r\nNOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:f=FCr=\r\n alle=0D=0AZeiten\r\n"
        b"END:VCARD\r\n"
    )
    read = extract(card, uri="a", content_type="text/x-vcard")
    assert read.text == "# Jörg Müller\n\nTelephone (home): 1\n\nfür alle\nZeiten"


def test_an_address_book_has_a_section_for_each():
    read = extract((ADA + ADA.replace("Ada Byron", "Ben")).encode(), uri="a.vcf")
    assert (read.title, read.flags) == ("", ("contacts: 2",))
    assert [line for line in read.text.split("\n") if line.startswith("#")] == ["# Ada Byron", "# Ben"]


def test_a_cut_card_and_lines_that_are_none_are_read_as_far_as_they_go():
    assert "Analyst" in extract(ADA[:150].replace("VERSION", "::;;").encode(), uri="a.vcf").text
    with pytest.raises(ExtractionError, match="no contacts"):
        extract(b"hello", uri="a.vcf")


def test_what_programs_call_by_names_of_their_own():
    card = (
        "BEGIN:VCARD\nFN:Ada\nitem1.X-ABDATE:2020-05-01\nitem1.X-ABLabel:_$!<Anniversary>!$_\n"
        "item2.X-ABRELATEDNAMES:Ben\nitem2.X-ABLabel:_$!<Brother>!$_\nX-EVOLUTION-MANAGER:Cy\n"
        "X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Addy;1;;;;\nX-MS-IMADDRESS:x\nEND:VCARD\n"
    )
    assert extract(card.encode(), uri="a.vcf").text == (
        "# Ada\n\nDate (Anniversary): 2020-05-01\nRelated to (Brother): Ben\nManager: Cy\nNickname: Addy"
    )
