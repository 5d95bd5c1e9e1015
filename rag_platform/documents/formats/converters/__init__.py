"""Programs that convert what no reader here reads.

converter.py    what a converter is
libreoffice.py  LibreOffice: old texts, sheets, slides and drawings
unpackers.py    readpst, 7-Zip, DjVuLibre: mailboxes of Outlook, compiled help, scanned books
registry.py     which there are, and which is for a file
djvu_text.py    the reader of what DjVuLibre makes
"""
