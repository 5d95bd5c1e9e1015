"""Who may read a folder, as the server's access control list says (RFC 4314), as principals."""

from collections.abc import Iterable

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from rag_platform.core.principals import PUBLIC

NOBODY = "private"
"""A principal that nobody is, unless somebody says so."""
_READ = "r"


def who_reads(client: IMAPClient, folder: str) -> frozenset[str]:
    """Return who may read a folder; nobody, when the server does not tell."""
    try:
        rights = [(_text(who), _text(rights)) for who, rights in client.getacl(folder)]
    except IMAPClientError:
        return frozenset()
    return readers_of(rights)


def readers_of(rights: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the principals of those with the right to read.

    Where the list also denies somebody, only those whom it names singly are taken: who is in its groups and who is
    denied cannot be told apart here.
    """
    reading = [who for who, may in rights if _READ in may]
    denied = {who[1:] for who in reading if who.startswith("-")}
    allowed = [who for who in reading if not who.startswith("-") and who not in denied]
    principals = {_principal(who) for who in allowed}
    return frozenset(one for one in principals if one.startswith("user:")) if denied else frozenset(principals)


def shared_readers(messages: Iterable[Iterable[frozenset[str]]]) -> list[str]:
    """Return who may read all messages of a conversation, each of which lies in one or more folders with readers."""
    each = [frozenset().union(*folders) for folders in messages]
    limited = [readers for readers in each if PUBLIC not in readers]
    if not limited:
        return [PUBLIC]
    return sorted(frozenset.intersection(*limited)) or [NOBODY]


def _principal(who: str) -> str:
    """Translate an identifier; "$" stands before a group, as servers write it."""
    if who == "anyone":
        return PUBLIC
    if who == "authenticated":
        return "group:authenticated"
    return f"group:{who[1:]}" if who.startswith("$") else f"user:{who}"


def _text(value: bytes | str) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
