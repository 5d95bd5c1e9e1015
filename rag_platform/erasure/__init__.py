"""Forgetting a document, a source or a person: everywhere, for good, and with proof.

targets.py            what is meant: the documents, and what else goes with them
text_fingerprints.py  does a text quote what was removed?
stage_tables.py       removal from raw bytes, documents, chunks and vectors
recorded_answers.py   removal from receipts, chats and feedback
packed_files.py       files whose text no table holds
traces.py             removal from what else is below data/: reports, records of runs, logs
proof.py              searching for what was removed
erasure_report.py     the report, for people
forget.py             the whole, which a killed process leaves for the next one to finish

Versions of the index are redacted by `rag_platform.index.build.redaction`; what must not be read again is listed by
`rag_platform.raw.suppression`, which every sync honours.
"""
