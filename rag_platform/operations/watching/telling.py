"""A change in words, by e-mail and in a feed: what its reader may read at that moment, and nothing else."""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from xml.etree import ElementTree as Xml

from rag_platform.core.errors import AlertFailed
from rag_platform.operations.alerts.delivery import send_email
from rag_platform.operations.watching.rights import address_of, reading_as
from rag_platform.operations.watching.watch_changes import WatchChange, changes_of
from rag_platform.people.watches import Watch
from rag_platform.text.cleaning import clean_line, xml_text
from rag_platform.workspace import Workspace

ATOM = "http://www.w3.org/2005/Atom"
_SIGNS = {"old": "- ", "new": "+ ", "same": "  "}
_WORDS = {"came": "new", "changed": "changed", "went": "no longer found"}
FAILED = "it could not be sent; it is tried again"
"""What the owner is told; why, which may name servers of the house, is for the log."""
_LONGEST_TITLE = 120


def change_text(change: WatchChange) -> str:
    """Return a change in plain text: what happened, the difference, and the sources."""
    return "\n".join([change.said, *_details(change)])


def _details(change: WatchChange) -> Iterator[str]:
    if change.lines:
        yield ""
        yield from (_SIGNS[line.kind] + "".join(piece for piece, _ in line.parts) for line in change.lines)
    elif change.after and change.after.text:
        yield f"\n{change.after.text}"
    for one in change.after.citations if change.after else ():
        yield f"[{one.n}] {one.title or one.uri} ({one.uri})"
    yield from (f"{_WORDS[one.change]}: {one.title or one.uri} ({one.uri})" for one in change.documents)


def title_of(watch: Watch) -> str:
    """Return what a watch is called in a line."""
    asked = clean_line(watch.question)
    return asked if len(asked) <= _LONGEST_TITLE else f"{asked[: _LONGEST_TITLE - 1]}…"


def send_due(workspace: Workspace, now: datetime) -> list[str]:
    """Send the e-mails that are due, up to the first that fails; returns why, and it is tried again later."""
    while claimed := workspace.watches.claim_mail(now):
        watch, finding = claimed
        principals, address = reading_as(workspace, watch, now), address_of(workspace, watch.owner)
        found = () if principals is None else changes_of(workspace, watch, principals)
        change = next((one for one in found if one.id == finding), None)
        if change is None or address is None:
            workspace.watches.mailed(
                finding, now, "there is no address to which it may be sent" if change else "it rests"
            )
            continue
        try:
            send_email(workspace, _email(workspace, watch, change, address))
        except AlertFailed as error:
            workspace.watches.mail_failed(finding, FAILED, now)
            return [f"an e-mail of watch {watch.id} was not sent: {error}; it is tried again"]
        workspace.watches.mailed(finding, now)
    return []


def _email(workspace: Workspace, watch: Watch, change: WatchChange, address: str) -> EmailMessage:
    """Return a change as an e-mail; one that is sent twice, because a process was killed, has the same id."""
    message, sender = EmailMessage(), workspace.settings.alerts.sender or ""
    message["From"], message["To"] = sender, address
    message["Subject"] = f"[{workspace.settings.home.name}] Changed: {title_of(watch)}"
    message["Message-ID"] = f"<watch-{change.id}.{watch.id.strip('-_')}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"You watch: {title_of(watch)}\n\n{change_text(change)}\n\nPublished with {change.version}.\n")
    return message


def feed_of(workspace: Workspace, token: str, now: datetime | None = None) -> bytes | None:
    """Return the Atom feed (RFC 4287) that a token reads, as the watch's owner may read it now; None: there is none."""
    watch = workspace.watches.of_feed(token)
    if watch is None:
        return None
    workspace.rates.take("searches", f"feed:{watch.id}")
    principals = reading_as(workspace, watch, now or datetime.now(UTC))
    changes = [] if principals is None else changes_of(workspace, watch, principals)
    feed = Xml.Element("feed", xmlns=ATOM)
    _add(feed, "id", f"urn:rag:watch:{watch.id}")
    _add(feed, "title", title_of(watch))
    _add(feed, "updated", (changes[0].at if changes else watch.made_at).isoformat())
    _add(_add(feed, "author"), "name", workspace.settings.home.name)
    for change in changes:
        entry = _add(feed, "entry")
        _add(entry, "id", f"urn:rag:watch:{watch.id}:{change.id}")
        _add(entry, "title", change.said)
        _add(entry, "updated", change.at.isoformat())
        _add(entry, "content", change_text(change), type="text")
    written: bytes = Xml.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _add(parent: Xml.Element, name: str, text: str = "", **attributes: str) -> Xml.Element:
    made = Xml.SubElement(parent, name, attributes)
    made.text = xml_text(text)
    return made
