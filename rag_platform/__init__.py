"""A RAG platform whose index is a release.

The path of the data, one module or package a stage::

    sources -> documents -> chunks -> embeddings -> index -> retrieval -> reranking -> answering

Nothing in here knows Dagster, Streamlit or Ragas: `assets/`, `app/` and `evals/` do.
"""

import os

# ONNX Runtime's wheels report usage to their maker from the moment of import unless they are told not to before it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
