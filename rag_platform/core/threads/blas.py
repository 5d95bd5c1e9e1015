"""Threads of NumPy's products of matrices: none, where many threads each work on a text or a question of their own."""

import os


def keep_to_one_thread() -> None:
    """Let NumPy multiply in the thread that asks, unless the environment says otherwise; before NumPy is imported.

    Threads of OpenBLAS wait by turning in circles: beside our own they took half of the processor's time, and a
    workspace was evaluated in 21 seconds instead of 11. Programs call this; the library never does, since whoever
    imports it may have large matrices to multiply.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
