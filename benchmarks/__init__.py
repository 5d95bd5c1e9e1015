"""What is measured by hand: speed and robustness, as ratios to a peer in the same run."""

from rag_platform.core.threads.blas import keep_to_one_thread

keep_to_one_thread()
