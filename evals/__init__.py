"""Is a version good enough to be published?

::

    questions ─► labels ─┐
                         ├─► scores ─► gate ─► verdict, report
    a version's search ──┘

Questions label spans of documents, never chunks, so another way of cutting leaves them valid.
"""
