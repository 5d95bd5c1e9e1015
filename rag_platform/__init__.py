"""A RAG platform whose index is a release.

The path of the data, one module or package a stage::

    sources -> documents -> chunks -> embeddings -> index -> retrieval -> reranking -> answering

Nothing in here knows Dagster, Streamlit or Ragas: `assets/`, `app/` and `evals/` do.
"""
