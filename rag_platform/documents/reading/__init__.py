"""One raw file to its documents.

unpacking.py            the file itself and, of an archive or a message, each file in it
extraction.py           one document: its format, then the reader of that format
detection.py            which format it has
hidden_instructions.py  what a document hides from people and says to a language model
rendering.py            a page as a picture, for the page that shows originals
"""
