"""Conversations of several programs: threads, days, who answered whom."""

import io
import json
import zipfile

import pytest

from rag_platform.documents.extracted import Loss
from rag_platform.documents.reading.extraction import extract
from rag_platform.documents.reading.unpacking import read_parts


def parts(content, uri, content_type=None):
    found = [one for one in read_parts(content, uri=uri, content_type=content_type) if not isinstance(one, str)]
    return {one.path.removeprefix("!/"): one for one in found}


def texts(content, uri):
    return {path: one.read.text if one.read else one.reason for path, one in parts(content, uri).items()}


def zipped(files: dict[str, object]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, str) else json.dumps(content))
    return buffer.getvalue()


def slack(ts: str, user: str, text: str, **more: object) -> dict[str, object]:
    return {"type": "message", "ts": ts, "user": user, "text": text, **more}


FIRST = [
    slack(
        "1767225600.000100",
        "U1",
        "Does <@U2> know <https://x.org|the plan>? # 1 &amp; 2",
        thread_ts="1767225600.000100",
    ),
    slack("1767225660.000200", "U2", "has joined", subtype="channel_join"),
    slack("1767225720.000300", "U3", "Good morning <!here>", files=[{"name": "list.pdf"}]),
]
SECOND = [slack("1767312000.000400", "U2", "I do.", thread_ts="1767225600.000100")]
USERS = [{"id": "U1", "profile": {"real_name": "Ada"}}, {"id": "U2", "name": "ben"}, {"id": "U3", "name": "cy"}]


def test_a_thread_of_slack_is_one_document_also_over_days():
    export = {
        "users.json": USERS,
        "general/2026-01-01.json": FIRST,
        "general/2026-01-02.json": SECOND,
        "bad/2026-01-01.json": "{",
    }
    found = parts(zipped(export), "export.zip")
    thread = found["general/thread-1767225600.000100.md"].read
    assert thread.text == (
        "**Ada** (2026-01-01 00:00): Does @ben know [the plan](https://x.org)? # 1 & 2\n\n"
        "**ben** (2026-01-02 00:00), to Ada: I do."
    )
    assert (thread.title, thread.author) == ("#general: Does @ben know the plan? 1 & 2", "Ada, ben")
    assert (thread.kind, thread.tags, thread.published_at.day, thread.updated_at.day) == ("chat", ("general",), 1, 2)
    day = found["general/2026-01-01.md"].read
    assert (day.title, day.text) == ("#general, 2026-01-01", "**cy** (00:02): Good morning @here\n\nAttached: list.pdf")
    assert "cannot be read" in found["bad/2026-01-01.json"].reason
    assert found[""].read.type == "slack"


def test_a_day_of_slack_by_itself_is_read_as_a_conversation():
    found = texts(json.dumps(FIRST[1:], indent=1).encode(), "export/general/2026-01-01.json")
    assert found == {"2026-01-01.md": "**U3** (00:02): Good morning @here\n\nAttached: list.pdf", "": ""}


def test_what_stands_in_blocks_of_slack_is_read_once():
    rich = {"type": "rich_text", "elements": [
        {"type": "rich_text_section", "elements": [
            {"type": "text", "text": "See <b> "}, {"type": "user", "user_id": "U2"}, {"type": "text", "text": " at "},
            {"type": "link", "url": "https://x.org", "text": "the plan"}]},
        {"type": "rich_text_list", "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]}]}]}  # fmt: skip
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "Build *7* failed"}, "fields": [
        {"type": "plain_text", "text": "On main"}]}  # fmt: skip
    day = [
        slack("1767225720.000300", "U3", "", blocks=[rich]),
        slack(
            "1767225721.000300", "U3", "Good", blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "Good"}}]
        ),
        slack("1767225722.000300", "U3", "A build failed", blocks=[section, {"type": "image", "alt_text": "Log"}]),
    ]
    found = texts(json.dumps(day).encode(), "export/general/2026-01-01.json")["2026-01-01.md"]
    assert found == (
        "**U3** (00:02): See <b> @U2 at [the plan](https://x.org)\n- one\n\n**U3** (00:02): Good\n\n"
        "**U3** (00:02): A build failed\n\nBuild *7* failed\nOn main\n\nLog"
    )


def test_messages_without_a_text_are_read():
    at = {"type": "message", "date": "2026-01-01T10:00:00", "from": "Ada", "text": ""}
    poll = {"question": "When?", "answers": [{"text": "May", "voters": 2}]}
    telegram = {"name": "G", "type": "personal_chat", "messages": [
        at | {"id": 1, "media_type": "voice_message", "file": "(not included)"}, at | {"id": 2, "poll": poll},
        at | {"id": 3, "contact_information": {"first_name": "Ben", "phone_number": "+49 1"}},
        at | {"id": 4, "location_information": {"latitude": 1.5, "longitude": 2.5}, "place_name": "Weir"}]}  # fmt: skip
    found = texts(json.dumps(telegram).encode(), "result.json")["2026-01.md"]
    told = ("Attached: voice message", "Poll: When?\n\n- May (2)", "Contact: Ben +49 1", "Location: 1.5 2.5\n\nWeir")
    assert [one for one in told if one not in found] == []
    card = {"type": "AdaptiveCard", "body": [{"type": "TextBlock", "text": "Pump 3 stopped"}, {
        "type": "FactSet", "facts": [{"title": "Site:", "value": "North"}]}]}  # fmt: skip
    graph = [{"id": "1", "messageType": "message", "createdDateTime": "2026-01-01T10:00:00Z", "body": {"content": ""},
              "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": json.dumps(card)},
                              {"contentType": "application/vnd.x.audio"}]}]  # fmt: skip
    found = texts(json.dumps(graph).encode(), "team.json")["2026-01-01.md"]
    assert found.endswith("Pump 3 stopped\n\nSite: North\n\nAttached: vnd.x.audio")
    graph[0]["attachments"][0]["content"] = "[" * 100_000
    assert "Attached: vnd.x.audio" in texts(json.dumps(graph).encode(), "team.json")["2026-01-01.md"]
    embed = {"title": "T", "fields": [{"name": "Level", "value": "2 m"}], "footer": {"text": "by Ben"}}
    row = {
        "id": "1",
        "timestamp": "2026-01-01T10:00:00Z",
        "content": "",
        "embeds": [embed],
        "stickers": [{"name": "Hi"}],
    }
    discord = {"guild": {"name": "C"}, "channel": {"name": "t"}, "messages": [row]}
    found = texts(json.dumps(discord).encode(), "talk.json")["2026-01-01.md"]
    assert found.endswith("T\n\nLevel: 2 m\n\nby Ben\n\nAttached: sticker Hi")
    odd = discord | {"messages": [row | {"forwardedMessage": ["x"]}]}
    assert texts(json.dumps(odd).encode(), "talk.json")["2026-01-01.md"] == found


@pytest.mark.parametrize(
    ("kind", "content", "told"),
    [
        (
            "RichText/Media_GenericFile",
            '<URIObject><OriginalName v="a&amp;b.pdf"/></URIObject>',
            "Attached: a&b.pdf",
        ),
        ("RichText/Contacts", '<contacts><c t="s" s="ben" f="Ben B"/></contacts>', "Attached: Ben B"),
        ("PopCard", '[{"content": {"title": "Holiday", "text": "Next week"}}]', "Holiday\n\nNext week"),
        ("Notice", "Closed on <i>Monday</i>", "Closed on <i>Monday</i>"),
    ],
)
def test_kinds_of_skype_that_hold_words_are_read(kind, content, told):
    rows = [{"id": "1", "displayName": "Ada", "originalarrivaltime": "2026-01-01T10:00:00Z", "messagetype": kind,
             "content": content}]  # fmt: skip
    rows.append(rows[0] | {"id": "2", "messagetype": "ThreadActivity/AddMember", "content": "<addmember/>"})
    skype = {"userId": "8:a", "exportDate": "2026-01-03", "conversations": [{"id": "x", "MessageList": rows}]}
    assert texts(json.dumps(skype).encode(), "messages.json")["x-x/2026-01-01.md"].endswith(told)


SEE = ["See ", {"type": "link", "text": "x.org"}]


def test_answers_of_telegram_and_discord_are_threads():
    telegram = {
        "name": "Garden", "type": "private_group", "id": 1,
        "messages": [
            {"id": 1, "type": "service", "date": "2026-01-01T10:00:00", "text": ""},
            {"id": 2, "type": "message", "date": "2026-01-01T10:01:00", "from": "Ada", "text": SEE},
            {"id": 3, "type": "message", "date": "2026-01-02T10:01:00", "from": "Ben", "text": "Yes",
             "reply_to_message_id": 2},
            {"id": 4, "type": "message", "date": "2026-01-03T10:01:00", "from": "Cy", "text": "Hello"},
        ],
    }  # fmt: skip
    assert texts(json.dumps(telegram).encode(), "result.json") == {
        "thread-2.md": "**Ada** (2026-01-01 10:01): See x.org\n\n**Ben** (2026-01-02 10:01), to Ada: Yes",
        "2026-01.md": "## 2026-01-03\n\n**Cy** (10:01): Hello",
        "": "",
    }
    discord = {
        "guild": {"name": "Club"}, "channel": {"name": "talk"},
        "messages": [
            {"id": "1", "timestamp": "2026-01-01T10:00:00+01:00", "author": {"name": "ada"}, "content": "Who?"},
            {"id": "2", "timestamp": "2026-01-01T11:00:00+01:00", "author": {"name": "b", "nickname": "Ben"},
             "content": "Me",
             "reference": {"messageId": "1"}},
        ],
    }  # fmt: skip
    found = parts(json.dumps(discord).encode(), "talk.json")
    assert found["thread-1.md"].read.title == "Club #talk: Who?"
    assert found["thread-1.md"].read.text.endswith("**Ben** (2026-01-01 10:00), to ada: Me")


def test_teams_as_graph_lists_it_and_as_it_is_exported():
    graph = {"value": [
        {"id": "2", "replyToId": "1", "messageType": "message", "createdDateTime": "2026-01-01T11:00:00Z",
         "from": {"user": {"displayName": "Ben"}},
         "body": {"contentType": "html", "content": "<p>On <b>Monday</b></p>"}},
        {"id": "1", "messageType": "message", "createdDateTime": "2026-01-01T10:00:00Z", "subject": "Plan",
         "from": {"user": {"displayName": "Ada"}}, "body": {"contentType": "text", "content": "When?"}},
        {"id": "3", "messageType": "systemEventMessage", "createdDateTime": "2026-01-01T12:00:00Z",
         "body": {"content": "x"}},
    ]}  # fmt: skip
    assert texts(json.dumps(graph).encode(), "team.json")["thread-1.md"] == (
        "**Ada** (2026-01-01 10:00): Plan\n\nWhen?\n\n**Ben** (2026-01-01 11:00), to Ada: On **Monday**"
    )
    skype = {"userId": "8:ada", "exportDate": "2026-01-03", "conversations": [{
        "id": "19:x", "displayName": "Team", "MessageList": [
            {"id": "1", "displayName": None, "originalarrivaltime": "2026-01-01T10:00:00Z", "messagetype": "Text",
             "content": "Hi", "from": "8:ada"}]}]}  # fmt: skip
    assert texts(json.dumps(skype).encode(), "messages.json")["Team-19-x/2026-01-01.md"] == "**ada** (10:00): Hi"


def test_answers_in_a_circle_are_one_thread():
    rows = [{"id": str(n), "timestamp": "2026-01-01T10:00:00Z", "author": {"name": "a"}, "content": f"m{n}",
             "reference": {"messageId": str((n + 1) % 3)}} for n in range(3)]  # fmt: skip
    found = texts(json.dumps({"guild": {"name": "G"}, "channel": {"name": "c"}, "messages": rows}).encode(), "x.json")
    assert set(found) == {"thread-0.md", ""}


@pytest.mark.parametrize(
    "content",
    [b'{"name": "x", "type": "private_group", "messages": [{"date": 1', b'[{"type": "message", "ts": "1.0"}]'],
)
def test_an_export_without_messages_says_so(content):
    assert "the export of a chat" in texts(content, "x.json")[""]


ANDROID = """12/31/25, 9:41 PM - Messages and calls are end-to-end encrypted.
12/31/25, 9:41 PM - Ada: See you
# tomorrow
1/1/26, 12:05 AM - Ben: <Media omitted>
1/1/26, 12:06 AM - Ben: Happy new year: to all
"""
IPHONE = (
    "\ufeff[31.12.25, 21:41:05] Ada: Bis morgen\n\u200e[01.01.26, 00:05:10] Ben: \u200eimage omitted\n"
    "[01.01.26, 00:06:10] Ben: Gutes Neues\n"
)


def test_an_export_of_whatsapp_is_a_document_for_each_month():
    found = parts(
        ANDROID.replace("9:41 PM", "9:41\u202fPM").encode(), "WhatsApp Chat with Garden club.txt", "text/plain"
    )
    assert found["2025-12.md"].read.title == "Garden club, 2025-12"
    assert found["2025-12.md"].read.text == (
        "## 2025-12-31\n\nMessages and calls are end-to-end encrypted.\n\n**Ada** (21:41): See you\n\\# tomorrow"
    )
    assert found["2026-01.md"].read.text == "## 2026-01-01\n\n**Ben** (00:06): Happy new year: to all"
    assert found[""].read.losses == (Loss("media", 1),) and not found[""].read.flags
    phone = texts(zipped({"_chat.txt": IPHONE}), "a.zip")
    assert phone["_chat.txt!/2025-12.md"] == "## 2025-12-31\n\n**Ada** (21:41): Bis morgen"
    assert phone["_chat.txt!/2026-01.md"] == "## 2026-01-01\n\n**Ben** (00:06): Gutes Neues"


@pytest.mark.parametrize(
    "line",
    [
        "23/6/18, 1:55 p.m. - Ada: m", "23-06-2018, 01.55 PM - Ada: m", "23.06.18 13.55.15: Ada: m",
        "[06.23.18 13:55:15] Ada: m", "23.6.2018 klo 13.55.15 - Ada: m", "23. 6. 2018. 13:55:15 - Ada: m",
        "[23/6/18 1:55:00 p. m.] Ada: m", "\u200e[2018/06/23, 13:55:15] Ada: m", "[2018/6/23 下午1:55:15] Ada: m",
    ],
)  # fmt: skip
def test_each_language_writes_the_time_in_its_own_way(line):
    found = texts(f"{line}\n{line}".encode(), "WhatsApp Chat with Ada.txt")
    assert found["2018-06.md"] == "## 2018-06-23\n\n**Ada** (13:55): m\n\n**Ada** (13:55): m"


def test_a_note_that_begins_with_a_time_is_no_conversation():
    note = b"01.02.26, 10:00 - Meeting: the weir\n\nThe gates are painted in May.\nAnn orders the paint.\n"
    assert extract(note, uri="notes.txt").type == "text"


def test_an_attached_file_is_named():
    lines = (
        "1/2/26, 10:00 - Ada: \u200e<attached: 0042-PHOTO.jpg>\n1/2/26, 10:01 - Ben: list.pdf (file attached)\nHere\n"
    )
    found = texts(lines.encode(), "WhatsApp Chat with Ada.txt")
    assert found["2026-02.md"] == (
        "## 2026-02-01\n\n**Ada** (10:00):\n\nAttached: 0042-PHOTO.jpg\n\n**Ben** (10:01): Here\n\nAttached: list.pdf"
    )


@pytest.mark.parametrize(
    ("days", "months", "flagged"),
    [
        (["01/02/26", "13/02/26"], ["2026-02"], False),
        (["02/01/26", "02/13/26"], ["2026-02"], False),
        (["2/1/26", "3/1/26"], ["2026-01"], True),  # may be either
        (["1/2/26", "2/2/26", "1/3/26"], ["2026-02", "2026-03"], False),  # else it would go back in time
        (["2026-02-01", "2026-02-13"], ["2026-02"], False),
        (["01.02.2026", "02.02.2026"], ["2026-02"], True),
    ],
)
def test_the_order_of_day_and_month_is_learnt_from_all_dates(days, months, flagged):
    content = "".join(f"{day}, 10:00 - Ada: Words of {day}\n" for day in days)
    found = parts(content.encode(), "WhatsApp Chat with Ada.txt")
    assert [path.removesuffix(".md") for path in found if path] == months
    assert bool(found[""].read.flags) == flagged


@pytest.mark.parametrize(
    "text",
    [
        "1/1/26, 10:00 - see below", "12/31/25, 9:41 PM: a note", "Plain text.\n1/1/26, 10:00 - Ada: x",
        "[2026-01-02 10:00:00] local.ERROR: x", "2026-01-02 10:00:00 - INFO: x", "2026/01/02 10:00:00: [main] WARN: x",
    ],
)  # fmt: skip
def test_a_text_with_times_is_no_export(text):
    assert parts(text.encode(), "notes.txt", "text/plain")[""].read.type == "text"


def test_a_part_of_an_export_that_nobody_expects_costs_no_other_document():
    odd = {"users.json": [], "a/2026-01-01.json": FIRST[2:], "b/2026-01-01.json": [slack("1.1", "U1", "x", files=3)]}
    found = parts(zipped(odd), "export.zip")
    assert "Good morning" in found["a/2026-01-01.md"].read.text
    assert any("the reader of slack failed on it: TypeError" in flag for flag in found[""].read.flags)


def test_messages_of_one_second_keep_the_order_of_their_numbers():
    one = {"type": "message", "date": "2026-01-01T10:00:00", "from": "Ada"}
    chat = {"name": "Garden", "type": "personal_chat", "messages": [one | {"id": n, "text": str(n)} for n in (9, 10)]}
    assert texts(json.dumps(chat).encode(), "result.json")["2026-01.md"].endswith("(10:00): 9\n\n**Ada** (10:00): 10")


def test_the_conversation_of_a_model_is_no_export():
    chat = {"type": "chat", "messages": [{"role": "user", "content": "How often does a fern need water?"}]}
    assert "How often does a fern need water?" in texts(json.dumps(chat).encode(), "a.json")[""]


def test_whatsapp_in_arabic_has_marks_of_direction_amid_its_dates():
    for day, hour, half in (
        ("\u200f2\u200f/3\u200f/2026", "9:20", "م"),
        ("\u0662\u200f/\u0663\u200f/\u0662\u0660\u0662\u0666", "\u0669:\u0662\u0660", "م"),
    ):
        line = f"{day}، {hour} {half} - علي: نعم\n"
        read = extract((line * 2).encode(), uri="a.txt")
        assert read.type == "whatsapp" and "**علي** (21:20): نعم" in texts((line * 2).encode(), "a.txt")["2026-03.md"]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Chat de WhatsApp con Ana.txt", "Ana"),
        ("Conversa do WhatsApp com Rui.txt", "Rui"),
        ("Discussion WhatsApp avec Zoé.txt", "Zoé"),
        ("_chat.txt", "WhatsApp"),
        ("Chatter.txt", "Chatter"),
    ],
)
def test_an_export_of_whatsapp_is_called_after_those_who_talk(file, name):
    assert extract(b"02.03.26, 09:15 - A: x\n" * 2, uri=file).title == name


def test_answers_of_teams_within_the_message_and_links_of_telegram_are_kept():
    said = {
        "messageType": "message",
        "createdDateTime": "2026-03-02T09:15:00Z",
        "body": {"content": "Shut?"},
        "id": "1",
    }
    reply = said | {"id": "2", "body": {"content": "Since noon"}}
    assert "Since noon" in texts(json.dumps({"value": [said | {"replies": [reply]}]}).encode(), "a.json")["thread-1.md"]
    link = {"type": "text_link", "text": "the plan", "href": "https://x.org"}
    message = {"id": 1, "type": "message", "date": "2026-03-02T09:15:00", "from": None, "forwarded_from": "Cy"}
    chat = {"name": "Weir", "type": "private_group", "messages": [message | {"text": ["See ", link]}]}
    told = texts(json.dumps(chat).encode(), "a.json")["2026-03.md"]
    assert "Forwarded from Cy:\n\nSee [the plan](https://x.org)" in told


def test_messenger_and_google_chat():
    told = {
        "sender_name": "J\u00c3\u00bcrgen",
        "timestamp_ms": 1772442900000,
        "content": "Zu",
        "photos": [{"uri": "a/b.jpg"}],
    }
    chat = {"participants": [{"name": "Ada"}], "messages": [told], "title": "J\u00c3\u00bcrgen"}
    assert texts(json.dumps(chat).encode(), "message_1.json")["2026-03.md"] == (
        "## 2026-03-02\n\n**Jürgen** (09:15): Zu\n\nAttached: b.jpg"
    )
    when = "Monday, March 2, 2026 at 9:15:00\u202fAM UTC"
    shut = {"creator": {"name": "Ada"}, "created_date": when, "text": "Shut?", "topic_id": "t", "message_id": "1"}
    google = {"messages": [shut, shut | {"text": "Yes", "message_id": "2"}]}
    assert texts(json.dumps(google).encode(), "Weir/messages.json")["thread-t.md"] == (
        "**Ada** (2026-03-02 09:15): Shut?\n\n**Ada** (2026-03-02 09:15): Yes"
    )


def test_channels_of_slack_say_what_they_are_about_and_who_writes_to_whom():
    export = {
        "org_users.json": [{"id": "U1", "name": "ada"}, {"id": "U2", "name": "ben"}],
        "channels.json": [{"id": "C1", "name": "weir", "topic": {"value": "Levels"}, "purpose": {"value": ""}}],
        "dms.json": [{"id": "D1", "members": ["U1", "U2"]}],
        "D1/2026-03-02.json": [slack("1772442900.000100", "U1", "See <https://x.org|the plan> of it")],
    }
    found = {part.path: part.read for part in parts(zipped(export), "a.zip").values() if part.read}
    assert (found["!/weir/about.md"].title, found["!/weir/about.md"].text) == ("#weir", "Topic: Levels")
    assert found["!/D1/2026-03-02.md"].title == "ada, ben, 2026-03-02"


def test_an_export_of_slack_within_a_folder_is_the_same():
    export = {
        "users.json": USERS,
        "mpims.json": [{"id": "G1", "name": "mpdm-ada--ben-1", "members": ["U1", "U2"]}],
        "general/2026-01-01.json": FIRST,
        "mpdm-ada--ben-1/2026-01-02.json": SECOND,
    }
    clutter = {"Acme/.DS_Store": "x", "__MACOSX/Acme/._users.json": "x"}
    wrapped = zipped({**{f"Acme/{name}": content for name, content in export.items()}, **clutter})
    found = texts(wrapped, "export.zip")
    assert found == texts(zipped(export), "export.zip")
    assert "Does @ben know" in found["general/2026-01-01.md"]
    titles = [one.read.title for one in parts(wrapped, "a.zip").values() if one.read]
    assert "Ada, ben, 2026-01-02" in titles
    assert parts(zipped({"a/users.json": USERS, "b/general/2026-01-01.json": FIRST}), "a.zip")[""].read.type == "zip"


def test_the_export_of_an_account_of_telegram_has_its_contacts_and_the_chats_that_were_left():
    said = {"id": 1, "type": "message", "date": "2026-03-02T09:15:00", "from": "Ada", "text": "Shut."}
    people = [{"first_name": f"Kim {number}", "last_name": "", "phone_number": "+3"} for number in range(99)]
    account = {
        "about": "Here is the data.",
        "personal_information": {"user_id": 1},
        "profile_pictures": [{"photo": "a.jpg"}],
        "contacts": {"about": "", "list": people},
        "sessions": {"list": [{"application_name": "Phone"}]},
        "chats": {"list": [{"name": "Weir", "id": 1, "messages": [said]}]},
        "left_chats": {"list": [{"name": "Gate", "id": 2, "messages": [said]}]},
    }
    found = parts(json.dumps(account).encode(), "result.json")
    assert set(found) == {"contacts.md", "Weir-1/2026-03.md", "Gate-2/2026-03.md", ""}
    assert found["contacts.md"].read.text.startswith("- Kim 0 +3\n- Kim 1 +3\n")
    assert found[""].read.losses == (Loss("entries", 2),)
