"""The chat in a terminal: a question goes to the library on a thread, and what comes back is shown as it comes.

printable.py        text of documents and models -> text that a terminal only shows
question_worker.py  one question being answered, which can be stopped
conversation.py     what was asked and answered: Markdown, folded thinking, notes
cited_sources.py    what an answer rests on, as a list beside it
document.py         a stored document, opened at a passage
choosing.py         one of many: a chat, a collection, a generator
session.py          who asks, of what, and which chat of the journal it is
chat.py             the screen that holds it all together
app.py              the application
"""
