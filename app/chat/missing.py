"""What the documents do not say: what was searched for it, what came nearest, and how to add what is missing."""

import streamlit as st

from app import frame
from app.rendering import plain_html
from app.texts import say, say_html
from rag_platform.journal.receipts import Receipt
from rag_platform.people.identity import Person


def searched_html(receipt: Receipt) -> str:
    """Render what was searched for an answer, and for what."""
    queries = receipt.queries or (receipt.standalone or receipt.question,)
    asked = " ".join(f"<q>{plain_html(query)}</q>" for query in queries)
    documents = -1 if receipt.searched is None else receipt.searched
    return f'<div class="notes searched"><p>{say("ask-searched-in", documents=documents)} {asked}</p></div>'


def nearest_passages(receipt: Receipt, person: Person) -> dict[str, str]:
    """Return the passages that an answer had, by chunk, as far as live documents hold them unchanged."""
    live, found = frame.workspace().versions.live(), {}
    for hit in receipt.hits:
        document = live.document(hit["doc_id"], person.principals)
        if document is not None and document.revision == hit["revision"]:
            found[hit["chunk_id"]] = document.text[slice(*hit["span"])]
    return found


def offer_to_add(receipt: Receipt, person: Person) -> None:
    """Lead to where the missing document is added; who may not add any can tell those who may."""
    with st.container(horizontal=True, gap="small", key=f"missing-{receipt.id}"):
        if person.may("editor"):
            add_document_link(receipt.id)
        elif frame.workspace().feedback.of(receipt.id, person.id) is None:
            st.button(
                say("ask-missing-tell"),
                icon=":material/campaign:",
                key=f"tell-{receipt.id}",
                on_click=_tell,
                args=(receipt.id, person.id),
            )
        if person.may("admin"):
            st.page_link(
                "views/operate.py",
                label=say("ask-missing-others"),
                icon=":material/help:",
                query_params={"part": "asked"},
            )


def add_document_link(receipt: str) -> None:
    """Lead an editor to where the document is added that answers the question of a receipt."""
    query = {"missing": receipt}
    st.page_link("views/collections.py", label=say("ask-missing-add"), icon=":material/note_add:", query_params=query)


def _tell(receipt: str, person: str) -> None:
    """Propose the question to the editors."""
    frame.workspace().feedback.give(receipt, good=False, principal=person, reason="unanswered")
    st.session_state["notice"] = say("ask-thanks")


def show_wanted(person: Person) -> None:
    """Show in the view of collections for which question a document is wanted, when the address names one."""
    receipt = frame.workspace().journal.receipt(st.query_params.get("missing", ""))
    if receipt is None or not receipt.abstained or not (receipt.principal == person.id or person.may("admin")):
        return
    chat = frame.workspace().chats.of_answers([receipt.id], person.id).get(receipt.id)
    back = f' <a href="./?chat={chat}" target="_self">{say("collections-wanted-back")}</a>' if chat else ""
    st.html(f'<div class="notes"><p>{say_html("collections-wanted", question=receipt.question)}{back}</p></div>')
