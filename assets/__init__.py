"""The pipeline in Dagster: one thin asset per stage, in the order of the data flow.

    raw -> documents -> chunks -> embeddings        one partition per source
    -> index -> evaluation -> live_index            one version of the whole workspace

An asset calls a stage of `rag_platform.pipeline`, as `rag sync` does, and reports what it did; it computes nothing.
"""

from rag_platform.core.threads.blas import keep_to_one_thread

keep_to_one_thread()
