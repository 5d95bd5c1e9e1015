"""The chat in a terminal: a question is answered on a thread of its own, and its events are shown as they arrive.

printable.py         text of documents and models -> text that a terminal displays and never obeys
question_worker.py   one question that is being answered, which can be stopped
conversation.py      questions and answers: Markdown, collapsed reasoning, notes
cited_sources.py     the passages of an answer, as a list beside it
document.py          a stored document, opened at a passage
choosing.py          a list to choose from: a chat, a collection, a generator
session.py           the user, the filters, and the chat of the journal
chat.py              the screen with the conversation, the sources and the input line
app.py               the application
"""
