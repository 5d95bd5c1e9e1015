"""A connection to an IMAP server (RFC 9051) that only reads: folders are examined, and no message becomes seen."""

import re
import ssl
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from socket import getaddrinfo
from typing import Any
from urllib.parse import urlsplit

from imapclient import IMAPClient

from rag_platform.core.errors import SourceError
from rag_platform.core.ids import digest
from rag_platform.sources.mailboxes.mail_threads import Message

PORTS = {"imaps": 993, "imap": 143}
_HEADERS = "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID REFERENCES IN-REPLY-TO DATE FROM SUBJECT)]"
_ABOUT = (_HEADERS, "RFC822.SIZE", "INTERNALDATE")
_BATCH = 500
_ID = re.compile(r"<([^<>\s]+)>")
_ASIDE = {b"\\Junk", b"\\Trash", b"\\Drafts"}


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the mailbox."""

    name: str
    """As the server wants it."""
    path: str
    """The same with "/" between folders."""
    aside: bool
    """It is the server's own for junk, deleted messages or drafts."""


def connected(url: str, user: str, password: str, seconds: float) -> IMAPClient:
    """Open a connection and log in; the password is never sent without encryption, but to this machine itself.

    Args:
        url: ``imaps://host`` or ``imap://host``, which must offer STARTTLS.
        user: whose mailbox it is.
        password: of the user.
        seconds: that the server may be silent.
    """
    parts = urlsplit(url)
    host, port, safe = parts.hostname or "", parts.port or PORTS[parts.scheme], parts.scheme == "imaps"
    context = ssl.create_default_context()
    client = IMAPClient(host, port, use_uid=True, ssl=safe, ssl_context=context if safe else None, timeout=seconds)
    try:
        client.normalise_times = False
        if not safe and client.has_capability("STARTTLS"):
            client.starttls(context)
        elif not safe and not _is_here(host, port):
            raise SourceError(f"{host} offers no encryption (STARTTLS); expected imaps://, or a server that does")
        client.login(user, password)
    except BaseException:
        client.shutdown()
        raise
    return client


def _is_here(host: str, port: int) -> bool:
    return all(ip_address(str(found[4][0]).partition("%")[0]).is_loopback for found in getaddrinfo(host, port))


def folders(client: IMAPClient) -> list[Folder]:
    """Return the folders that hold messages, by name."""
    found = []
    for flags, delimiter, name in client.list_folders():
        if not {b"\\Noselect", b"\\NonExistent"} & set(flags):
            path = name.replace(delimiter.decode(), "/") if delimiter else name
            found.append(Folder(name, path, bool(_ASIDE & set(flags))))
    return sorted(found, key=lambda folder: folder.path)


def messages_in(client: IMAPClient, folder: str, known: Mapping[int, Mapping[str, Any]]) -> Iterator[Message]:
    """Yield the messages of a folder but those that are marked as deleted or are drafts.

    Args:
        client: which examines it.
        folder: its name.
        known: by UIDVALIDITY, what a message's headers said, by uid as text: a message never changes.
    """
    validity = int(client.select_folder(folder, readonly=True)[b"UIDVALIDITY"])
    uids = client.search(["UNDELETED", "UNDRAFT"])
    before = known.get(validity, {})
    about = {uid: before[str(uid)] for uid in uids if str(uid) in before}
    missing = [uid for uid in uids if uid not in about]
    for start in range(0, len(missing), _BATCH):
        for uid, answer in client.fetch(missing[start : start + _BATCH], _ABOUT).items():
            about[uid] = _about(answer)
    for uid in uids:
        if said := about.get(uid):  # else it went while the folder was read
            yield Message(said["id"], tuple(said["answers"]), said["sent"], said["size"], folder, validity, uid)


def remembered(messages: Iterable[Message]) -> dict[str, dict[int, dict[str, Any]]]:
    """Return what `messages_in` may know the next time, by folder."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for one in messages:
        said = {"id": one.id, "answers": list(one.answers), "sent": one.sent, "size": one.size}
        found.setdefault(one.folder, {}).setdefault(one.validity, {})[str(one.uid)] = said
    return found


def _about(answer: Mapping[bytes, Any]) -> dict[str, Any]:
    written = next((value for name, value in answer.items() if name.startswith(b"BODY[HEADER")), b"")
    headers = message_from_bytes(written, policy=policy.compat32)
    own = _ids(headers["Message-ID"])
    recognised = "\n".join(str(headers[name]) for name in ("Date", "From", "Subject"))
    name = own[0] if own else digest(recognised, str(answer[b"RFC822.SIZE"]))
    above = _ids(headers["References"]) or _ids(headers["In-Reply-To"])[:1]
    answers = [one for one in dict.fromkeys(above) if one != name]
    sent = _time(headers["Date"]) or answer[b"INTERNALDATE"].timestamp()
    return {"id": name, "answers": answers, "sent": sent, "size": answer[b"RFC822.SIZE"]}


def _ids(header: object) -> list[str]:
    return _ID.findall(str(header or ""))


def _time(date: object) -> float | None:
    try:
        return parsedate_to_datetime(str(date)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
