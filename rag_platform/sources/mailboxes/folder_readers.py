"""Who may read a folder, as the server's access control list says (RFC 4314), as principals."""

from collections.abc import Iterable

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from rag_platform.core.principals import PRIVATE, PUBLIC

_READ = "r"


def who_reads(client: IMAPClient, folder: str) -> frozenset[str]:
    """Return who may read a folder; nobody, when the server does not tell."""
    try:
        rights = [(_text(who), _text(rights)) for who, rights in client.getacl(folder)]
    except IMAPClientAbortError:  # the connection broke: that says nothing of the folder
        raise
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


def widely(readers: frozenset[str]) -> tuple[bool, int]:
    """Return how widely a folder is read, to compare.

    Of the copies of a message the one that most may read is taken, with that folder's readers alone: two messages may
    say that they have the same id, and then those who read the one must not be shown the other.
    """
    return PUBLIC in readers, len(readers)


def shared_readers(messages: Iterable[frozenset[str]]) -> list[str]:
    """Return who may read all messages of a conversation, of which each has these readers."""
    limited = [readers for readers in messages if PUBLIC not in readers]
    if not limited:
        return [PUBLIC]
    return sorted(frozenset.intersection(*limited)) or [PRIVATE]


def _principal(who: str) -> str:
    """Translate an identifier; "$" stands before a group, as servers write it."""
    if who == "anyone":
        return PUBLIC
    if who == "authenticated":
        return "group:authenticated"
    return f"group:{who[1:]}" if who.startswith("$") else f"user:{who}"


def _text(value: bytes | str) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
