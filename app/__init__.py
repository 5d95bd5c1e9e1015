"""The page: `streamlit run app/main.py`."""

from rag_platform.core.threads.blas import keep_to_one_thread

keep_to_one_thread()
