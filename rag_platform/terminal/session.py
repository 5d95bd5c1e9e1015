"""What a chat is about: who asks, of which collection, which generator, and which chat of the journal it is."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from rag_platform.core.answers import Answer
from rag_platform.core.errors import SettingsError
from rag_platform.core.hits import Filters
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.journal.receipts import Receipt
from rag_platform.people.chats import Chat, Message
from rag_platform.terminal.cited_sources import Source
from rag_platform.workspace import Workspace


class Session:
    """Asks the library, and keeps what was said."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        principals: Sequence[str] = (),
        collections: Sequence[str] = (),
        generator: str | None = None,
    ) -> None:
        """Begin a new chat; the first principal's chats are those that can be opened again.

        Raises:
            RagError: nothing is published, or there is no such collection or generator.
        """
        self.workspace = workspace
        self.chat: str | None = None
        self.filters = Filters(principals=tuple(principals), collections=tuple(collections))
        self.generator = generator or self.generators[0]
        _known("--collection", collections, self.collections)
        _known("--generator", [self.generator], self.generators)

    @property
    def collections(self) -> list[str]:
        """The collections of which the asker may read something."""
        return list(self.workspace.retriever.live().facets(self.filters.principals)["collection"])

    @property
    def generators(self) -> list[str]:
        """What can write answers; the default first."""
        return list(self.workspace.generators.names())

    @property
    def version(self) -> str:
        """The version that is asked."""
        return self.workspace.retriever.live().id

    def narrow(self, collection: str | None) -> None:
        """Ask of one collection; None: of all."""
        self.filters = replace(self.filters, collections=(collection,) if collection else ())

    def ask(self, question: str) -> Generator[Any, None, None]:
        """Return the events of an answer, which begin when the first is asked for."""
        history = self.workspace.chats.turns(self.chat, self._principal) if self.chat else ()
        return self.workspace.answerer.stream(question, history=history, generator=self.generator, filters=self.filters)

    # --- the journal -----------------------------------------------------------------------------------

    def asked(self, question: str) -> None:
        """Keep a question."""
        chats = self.workspace.chats
        self.chat = self.chat or chats.begin(question, self._principal)
        chats.say(self.chat, "user", question)

    def answered(self, answer: Answer) -> None:
        """Keep an answer."""
        if self.chat:
            self.workspace.chats.say(self.chat, "assistant", answer.answer, answer.receipt_id)

    def chats(self, words: str = "") -> list[Chat]:
        """Return the chats whose titles hold the words, newest first."""
        return self.workspace.chats.of(self._principal, words)

    def open(self, chat: str | None) -> list[tuple[Message, Receipt | None]]:
        """Go on with a chat, or with a new one, and return what was said in it."""
        self.chat = chat
        chats = self.workspace.chats
        said = chats.messages(chat, self._principal) if chat else []
        receipts = chats.receipts(said)
        return [(one, receipts.get(one.receipt_id or "")) for one in said]

    def document(self, source: Source) -> StoredDocument | None:
        """Return the document of a source; None: it is gone, or the asker may not read it any more."""
        return self.workspace.retriever.live().document(source.doc_id, self.filters.principals)

    @property
    def _principal(self) -> str:
        return self.filters.principals[0] if self.filters.principals else ""


def _known(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise SettingsError(f"{option} {name!r}: expected one of {', '.join(known) or 'none, for there is none'}")
