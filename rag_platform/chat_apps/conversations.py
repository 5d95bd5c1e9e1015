"""A question from elsewhere, in the chat of its thread: asked, answered and recorded as on the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_platform.core.answers import Answer
from rag_platform.core.errors import AccessDenied, NothingPublished, TooManyRequests
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.chat_turns import answer_in_chat
from rag_platform.people.identity import Person
from rag_platform.people.threads import Threads
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Thread:
    """Where something is asked."""

    key: str
    """What it is called there."""
    owner: str
    """Whose chat it is: a person, or a place where several speak."""
    others: tuple[str, ...] = ()
    """Other names of the same, such as the e-mails that one answers."""


class Conversations:
    """The chats of one interface."""

    def __init__(self, workspace: Workspace, interface: str, collections: Sequence[str] = ()) -> None:
        """Ask as `interface`, in these collections; none: in all."""
        self.workspace = workspace.reached_by(interface)
        self.threads = Threads(workspace.journal)
        self._collections = tuple(collections)

    def ask(self, person: Person, principals: Sequence[str], thread: Thread, question: str) -> Answer:
        """Answer somebody's question from what these principals may read.

        Raises:
            TooManyRequests: they asked too often.
            RagError: the search failed, or nothing is published.
        """
        self.workspace.rates.take("questions", person.id)
        chat = self._chat(thread, question)
        filters = Filters(principals=tuple(principals), collections=self._collections)
        who = {"asker": person.id, "who": person.id, "session": chat}
        *_, answer = answer_in_chat(self.workspace, chat, thread.owner, question, filters=filters, **who)
        assert isinstance(answer, Answer)
        return answer

    def note(self, receipt: str, place: str, thread: Thread) -> None:
        """Note where an answer was given."""
        if chat := self.threads.chat_of(thread.key):
            self.threads.bind(f"{place}:receipt:{receipt}", chat)

    def gave(self, receipt: str, *places: str) -> bool:
        """Return whether an answer was given in one of these places: only there it may be judged."""
        return self.threads.chat_of(*(f"{place}:receipt:{receipt}" for place in places)) is not None

    def judge(self, person: Person, receipt: str, *, good: bool) -> None:
        """Keep what somebody thinks of an answer."""
        self.workspace.feedback.give(receipt, good, principal=person.id)

    def _chat(self, thread: Thread, question: str) -> str:
        known = self.threads.chat_of(thread.key, *thread.others)
        if known is None or self.workspace.chats.find(known, thread.owner) is None:  # also when they deleted it
            known = self.workspace.chats.begin(question, thread.owner)
        self.threads.bind(thread.key, known)
        return known


def readers(person: Person, there: Sequence[str] | None) -> tuple[str, ...]:
    """Return the principals whose documents may be shown to somebody in a place.

    Where others read along, `there` are the principals of the place, of which only the asker's own count; without any,
    it is what is public. None: nobody reads along.
    """
    return person.principals if there is None else tuple(one for one in there if one in person.principals)


def said_of(error: Exception) -> str:
    """Return what an asker is told when something went wrong: nothing of the workspace that is not theirs to know."""
    match error:
        case TooManyRequests():
            return f"You asked too often. Please ask again in {error.seconds} seconds."
        case AccessDenied():
            return "You may not ask here. Whoever runs this can let you in."
        case NothingPublished():
            return "There is nothing to ask yet: no documents are published."
    return "This could not be answered: something is wrong here, and not with your question. Please try again later."
