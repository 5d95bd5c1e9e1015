"""Why a search returned what it did: its trace, then the outcome of each candidate, then sentences.

outcomes.py         where each candidate of a search ended; `rag search --explain`
retriever_ranks.py  how each retriever ranked a chunk, also below its depth
chunk_outcomes.py   the outcomes of one document's chunks
descriptions.py     an outcome in words, and what would change it
document.py         one document explained, also one that was not searched at all; `rag why`
"""
