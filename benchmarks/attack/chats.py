"""What people are told on a site with the widget, in Slack, in Teams and by e-mail."""

from collections.abc import Iterator, Sequence

from starlette.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.chat_apps.conversations import Conversations, Thread
from rag_platform.chat_apps.mail.answering_mail import answer_text
from rag_platform.chat_apps.slack.slack_blocks import answer_blocks
from rag_platform.chat_apps.teams.teams_cards import answer_message
from rag_platform.people.identity import Person
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace


def chat_replies(
    workspace: Workspace, principals: tuple[str, ...], questions: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield all that somebody with these principals is told when they ask these questions: (way, reply)."""
    person = Person(principals[0], "somebody", "reader", principals, signed_in=True)
    token = Tokens(workspace.journal).create("visitors", ["widget"], principals)
    client = TestClient(application(workspace), headers={"authorization": f"Bearer {token}"})
    for number, question in enumerate(questions):
        yield f"widget {question!r}", client.post("/widget/ask", json={"question": question}).text
        for name, shown in (("slack", answer_blocks), ("teams", answer_message), ("mail", answer_text)):
            thread = Thread(f"{name}:{number}", person.id)
            answer = Conversations(workspace, name).ask(person, principals, thread, question)
            yield f"{name} {question!r}", str(shown(answer))
