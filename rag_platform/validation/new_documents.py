"""What came to a source, against what was there: error pages, copies, texts that are nearly the same as each other."""

from collections.abc import Sequence
from itertools import compress
from operator import or_

from rag_platform.validation.anomalies import Finding, examples
from rag_platform.validation.document_pairs import Difference, New, Reading
from rag_platform.validation.error_pages import stands_in
from rag_platform.validation.likeness import copies, grouped, same_words, usually_alike
from rag_platform.validation.past import Past

_LOOKED_AT = 2_000
_FEWEST = 5
"""New documents that are alike, or repeat others, before anybody minds."""
_TEMPLATES = 300
"""Documents whose words are compared one by one, those whose ids come first."""
_USUAL = 0.2
"""Share of documents that are nearly like another one, from which that is how the source is."""


def of_new(beside: Difference, reading: Reading, past: Past) -> list[Finding]:
    """Count what is wrong with new documents, of all that there are now."""
    new = beside.new
    if new.height < 2:
        return []
    chosen = new.head(_LOOKED_AT)
    share, of = chosen.height / new.height, beside.unchanged.height + new.height
    arrived = beside.arrivals(chosen, reading)
    errors = [one for one in arrived if stands_in(one.now.title, one.now.text)]
    copied = _repeating(beside, arrived, past)
    near, alike = _near(beside, [one for one in arrived if one not in copied], reading)
    found = {"new_errors": errors, "copies": [*copied, *near], "new_alike": alike}
    return [
        Finding(name, _TOLD[name], round(len(these) / share), of, examples(name, these))
        for name, these in found.items()
        if name == "new_errors" or len(these) >= _FEWEST
    ]


_TOLD = {
    "new_errors": "are new, and error, log-in, maintenance or cookie pages",
    "copies": "are new, and copies of documents that are there already",
    "new_alike": "are new, and say nearly the same as each other",
}


def _repeating(beside: Difference, arrived: Sequence[New], past: Past) -> list[New]:
    """Return the new documents that repeat one of the source's own, or one of another source for the same readers."""
    own, others = {*beside.unchanged["revision"]}, past.elsewhere()
    return [one for one in arrived if one.now.revision in own or (one.now.revision, one.now.principals) in others]


def _near(beside: Difference, arrived: Sequence[New], reading: Reading) -> tuple[list[New], list[New]]:
    """Return the new documents that nearly repeat one that is there, and those that nearly repeat each other.

    None of a source whose documents do anyhow, nor of one that was never published: nobody knows yet whether its do.
    """
    there = list(reading.signatures(beside.unchanged["doc_id"].to_list()).values()) if arrived else []
    if not there or usually_alike(there[:_LOOKED_AT]) > _USUAL:
        return [], []
    signed = reading.signatures([one.doc_id for one in arrived])
    signatures = [signed.get(one.doc_id, ()) for one in arrived]
    near = copies(signatures, there)
    made = _of_one_template(beside, arrived, reading)
    alike = [one and not is_near for one, is_near in zip(map(or_, grouped(signatures), made), near, strict=True)]
    return list(compress(arrived, near)), list(compress(arrived, alike))


def _of_one_template(beside: Difference, arrived: Sequence[New], reading: Reading) -> list[bool]:
    """Tell of each whether another new one has most of its words, which the source's own documents have not."""
    own = reading.now(beside.unchanged["doc_id"].head(_TEMPLATES).to_list())
    usual = same_words([*own.values()])
    if not own or sum(usual) > _USUAL * len(usual):
        return [False] * len(arrived)
    made = same_words([one.now.text for one in arrived[:_TEMPLATES]])
    return [*made, *[False] * (len(arrived) - len(made))]
