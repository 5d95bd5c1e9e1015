"""The state of a chat: the user, the filters, the generator, and the chat of the journal."""

from collections.abc import Sequence
from dataclasses import replace

from rag_platform.answering.ask_options import AskOptions
from rag_platform.answering.events import AnswerEvents
from rag_platform.core.answers import Answer
from rag_platform.core.errors import SettingsError
from rag_platform.core.hits import Filters
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.operations.asking.chat_turns import REMEMBERED, ShownMessage, chat_messages, remembered
from rag_platform.operations.search_scope import prompts_for
from rag_platform.people.chats import Chat
from rag_platform.provenance.openings import open_document
from rag_platform.terminal.cited_sources import Source
from rag_platform.workspace import Workspace


class Session:
    """Asks the library, and records questions and answers in the journal."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        principals: Sequence[str] = (),
        collections: Sequence[str] = (),
        generator: str | None = None,
    ) -> None:
        """Start a new chat; the chats of the first principal can be opened again.

        Raises:
            RagError: nothing is published, or there is no such collection or generator.
        """
        self.workspace = workspace
        workspace.interface = "chat"
        self.chat: str | None = None
        self.filters = Filters(principals=tuple(principals), collections=tuple(collections))
        self.generator = generator or self._last_generator()
        self.prompt: str | None = None
        """Of the saved prompts."""
        _check_known("--collection", collections, self.collections)
        if not workspace.generators.knows(self.generator):
            _check_known("--generator", [self.generator], self.generators)

    @property
    def collections(self) -> list[str]:
        """The collections of which the user may read something."""
        return list(self.workspace.retriever.live().facets(self.filters.principals)["collection"])

    @property
    def generators(self) -> list[str]:
        """The names of the generators, the default first, each with the other models of its server."""
        return list(self.workspace.generators.choices())

    @property
    def prompts(self) -> list[str]:
        """The saved prompts that the user may choose."""
        return prompts_for(self.workspace, self.filters.principals)

    def choose_generator(self, name: str) -> None:
        """Let another one write, also when the user comes again."""
        self.generator = name
        self.workspace.preferences.set(self._principal, "generator", name)

    def _last_generator(self) -> str:
        """Return the user's last choice, as long as there is such a generator; else the default."""
        last, known = self.workspace.preferences.get(self._principal, "generator"), self.workspace.generators
        return last if last and known.knows(last) else self.generators[0]

    @property
    def version(self) -> str:
        """The live version, which is searched."""
        return self.workspace.retriever.live().id

    def filter_collection(self, collection: str | None) -> None:
        """Search one collection only; None: all."""
        self.filters = replace(self.filters, collections=(collection,) if collection else ())

    def ask(self, question: str) -> AnswerEvents:
        """Return the events of an answer; the work begins with the first `next`."""
        chosen: AskOptions = {"generator": self.generator, "prompt": self.prompt, "filters": self.filters}
        if self.chat:
            readers = self.filters.principals
            chosen["history"] = remembered(self.workspace, self.chat, self._principal, readers, REMEMBERED)
        return self.workspace.answerer.stream(question, **chosen)

    # --- the journal -----------------------------------------------------------------------------------

    def record_question(self, question: str) -> None:
        """Record a question; the first one of a chat creates it."""
        chats = self.workspace.chats
        self.chat = self.chat or chats.begin(question, self._principal)
        chats.say(self.chat, "user", question)

    def record_answer(self, answer: Answer) -> None:
        """Record an answer."""
        if self.chat:
            self.workspace.chats.say(self.chat, "assistant", answer.answer, answer.receipt_id)

    def chats(self, words: str = "") -> list[Chat]:
        """Return the chats whose titles contain the words, newest first."""
        return self.workspace.chats.of(self._principal, words)

    def open(self, chat: str | None) -> list[ShownMessage]:
        """Continue a chat, or start a new one (None), and return its messages as the user may read them now."""
        self.chat = chat
        return chat_messages(self.workspace, chat, self._principal, self.filters.principals) if chat else []

    def document(self, source: Source) -> StoredDocument | None:
        """Return the document of a source; None: it was removed, or the user may not read it any more."""
        version = self.workspace.retriever.live().id
        found = open_document(self.workspace, source.doc_id, self.filters.principals, version=version)
        return found.document if found else None

    @property
    def _principal(self) -> str:
        return self.filters.principals[0] if self.filters.principals else ""


def _check_known(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise SettingsError(f"{option} {name!r}: expected one of {', '.join(known) or 'none, for there is none'}")
