"""A source's documents beside those of the live version: the brake on change."""

from dataclasses import replace

import polars as pl

from rag_platform.core.ids import digest
from rag_platform.core.schemas import MOMENT
from rag_platform.validation.anomalies import READERS, Finding, of_changed, returned, widened
from rag_platform.validation.change_report import Anomaly, ChangeReport
from rag_platform.validation.document_pairs import COLUMNS, Difference, Reading, difference
from rag_platform.validation.learned_limits import allowed_share, exceeds
from rag_platform.validation.new_documents import of_new
from rag_platform.validation.past import Past

_LOOKED_AT = 2_000
"""Documents whose texts are compared at most; of more, those whose ids, which are hashes, come first: a fair part."""
_STATED = [name for name in COLUMNS if name not in ("uri", "status", "reason")]


def state_of(documents: pl.DataFrame) -> str:
    """Return a digest of what is indexed of a source, columns `COLUMNS`: equal documents give equal states."""
    indexed = documents.filter(pl.col("status") == "ok").sort("doc_id")
    moments = pl.selectors.datetime().cast(MOMENT).dt.epoch("us").cast(pl.String)
    readers = pl.col("principals").list.sort().list.join(",")
    rows = indexed.select(_STATED).with_columns(moments, readers).select(pl.all().fill_null(""))
    return digest("state", *(part for row in rows.iter_rows() for part in row))


def compare(source: str, before: pl.DataFrame, now: pl.DataFrame, reading: Reading, past: Past) -> ChangeReport:
    """Compare a source's documents with those of the live version.

    Args:
        source: its id.
        before: the live version's documents of the source, columns `COLUMNS`; none at first.
        now: the same of its documents table.
        reading: reads texts of few documents.
        past: what is known from before.
    """
    beside = difference(before, now)
    findings = [*_of_changed(beside, reading, past), *of_new(beside, reading, past)]
    report = ChangeReport(
        source=source,
        state=state_of(now),
        documents=beside.indexed.height,
        changed=beside.rewritten,
        new=beside.indexed.join(before, on="doc_id", how="anti").height,
        gone=before.join(beside.indexed, on="doc_id", how="anti").height,
    )
    shares = {one.name: round(one.documents / one.of, 4) for one in findings if one.documents and before.height}
    judged = [_judged(finding, past, report) for finding in findings if finding.documents]
    return replace(report, anomalies=tuple(filter(None, judged)), statistics={"shares": shares})


def _of_changed(beside: Difference, reading: Reading, past: Past) -> list[Finding]:
    """Count in which ways the live documents changed."""
    changed, of = beside.changed, beside.then.height
    if not changed.height:
        return []
    chosen = changed.head(_LOOKED_AT)
    pairs, share = beside.pairs(chosen, reading), chosen.height / changed.height
    found = of_changed(pairs, of, share)
    if not past.readers_set:
        found.append(Finding.of_pairs(READERS, "can be read by more people than before", widened(pairs), of, share))
    if exceeds(len(pairs), of, past.max_changed_share * share):  # else no version before is read
        again = returned(pairs, past.earlier())
        found.append(Finding.of_pairs("stale", "are as they were before the live version again", again, of, share))
    return found


def _judged(finding: Finding, past: Past, report: ChangeReport) -> Anomaly | None:
    """Return what stops the source; None: it is within what the source's history allows."""
    allowed = allowed_share(past.max_changed_share, past.of(finding.name), finding.of)
    if not exceeds(finding.documents, finding.of, allowed, remains=report.documents > finding.documents):
        return None
    said = f"{finding.documents} of {finding.of} documents {finding.became}; {allowed:.0%} would pass."
    return Anomaly(finding.name, said, finding.documents, finding.of, round(allowed, 4), finding.examples)
