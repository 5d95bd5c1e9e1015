"""Messages -> conversations, by what each says that it answers (RFC 5322: References, In-Reply-To).

As in https://www.jwz.org/doc/threading.html, without its guesses by subjects: two conversations may have the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Message:
    """What a listing knows of a message; the same message in two folders is two of these with one id."""

    id: str
    """Its Message-ID, else a digest of what it is recognised by."""
    answers: tuple[str, ...]
    """The ids above it, the oldest first."""
    sent: float
    """Seconds since 1970."""
    size: int
    folder: str
    validity: int
    """UIDVALIDITY of the folder: with another one, `uid` means another message."""
    uid: int


def threads(messages: Iterable[Message]) -> dict[str, list[Message]]:
    """Return each conversation's messages by the id at its root, the oldest first, each message once.

    The root is known from those below it, so a conversation keeps its name when its first message is deleted.
    """
    once = list({message.id: message for message in messages}.values())
    parents: dict[str, str] = {}
    for message in sorted(once, key=_age):
        chain = [*message.answers, message.id]
        for above, below in pairwise(chain):
            if below not in parents and _root(parents, above) != _root(parents, below):
                parents[below] = above
    found: dict[str, list[Message]] = {}
    for message in sorted(once, key=_age):
        found.setdefault(_root(parents, message.id), []).append(message)
    return found


def _root(parents: dict[str, str], one: str) -> str:
    """Return what stands above all, and put it above each on the way: a message may name thousands."""
    root = one
    while root in parents:
        root = parents[root]
    while one != root:
        parents[one], one = root, parents[one]
    return root


def _age(message: Message) -> tuple[float, str]:
    return message.sent, message.id


def mbox(contents: Sequence[bytes]) -> bytes:
    """Write messages one after the other into a file (the form mboxrd, in which every line "From " is quoted)."""
    return b"".join(b"From - Thu Jan  1 00:00:00 1970\n" + _quoted(content) + b"\n\n" for content in contents)


def _quoted(content: bytes) -> bytes:
    lines = content.replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n")
    return b"\n".join(b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in lines)
