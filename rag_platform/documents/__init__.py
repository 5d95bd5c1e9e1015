"""Raw bytes to clean text, in the order of a document's path.

stage.py          the entry: a source's raw table to its documents table
sandbox/          runs the reading of each raw file in a process of its own, within limits
reading/          one raw file: unpacking (itself and the files in it), extraction (its reader), detection (its format)
formats/          one reader per format: bytes to Markdown
vision.py         pages without text, read by a vision model
transcription.py  recordings, written down by a server
conversion_keys.py  which documents need a converter
document_rows.py  what was read and what the source knows, as a row
indexable.py      which rows are indexed
"""
