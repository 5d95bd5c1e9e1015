"""Who was shown what, when: every answer, search and opening (`data/audit.sqlite`), in a chain that shows tampering.

hash_chain.py  an event, its erasable parts, and the chain of hashes
audit_log.py   the file: record, find, verify, erase, let old ones go
"""
