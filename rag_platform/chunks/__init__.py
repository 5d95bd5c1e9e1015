"""Documents to chunks: spans of the text that fit the embedding model, cut where the text itself pauses.

A chunk lies within one section, begins and ends at a sentence wherever it can, and carries a header (title, section
and the sentences that it continues) that is embedded with it. No text is in two chunks. Where a long section is cut
depends on the words around the cut and not on how much text comes before, so an edit changes the chunks near it and
leaves those further on as they were. The idea is that of content-defined chunking: Muthitacharoen, Chen and Mazières
2001, "A Low-bandwidth Network File System", SOSP.

The path of a text: `token_counts` (how much each sentence takes) → `sections` (what is cut as one) → `boundaries`
(where) → `completion` (what it is shown with) → `chunker` (what it carries) → `stage` (the table of all documents).
"""

from rag_platform.chunks.chunker import Chunker, Piece
from rag_platform.chunks.stage import PLAIN, layout, split_documents, stage_key

__all__ = ["PLAIN", "Chunker", "Piece", "layout", "split_documents", "stage_key"]
