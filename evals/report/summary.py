"""Verdicts, causes and changes in plain words, the same on the page, in Markdown and in the terminal."""

from collections.abc import Iterator

from evals.report.release_report import ReleaseReport
from evals.report.score_tables import ScoreRow

VERDICTS = {"passed": "Passed", "refused": "Refused", "rescore": "Not compared"}
CAUSE_NAMES = {
    "source": "source",
    "extractor": "extractor",
    "chunker": "chunker",
    "model": "model",
    "fusion": "fusion",
    None: "none",
}
CAUSE_PLAIN = {
    "source": "documents came, went or were edited",
    "extractor": "the same bytes were read as other text",
    "chunker": "the same text was cut into other passages",
    "model": "the same passages have other vectors",
    "fusion": "the same passages were ranked with other settings",
}
ROLES = {"own": "", "sibling": "other passage: ", "rival": "rival: "}
"""What is said before the ranks of a document among a question's evidence."""


def summary_sentences(report: ReleaseReport) -> list[str]:
    """Say in a few sentences what came of the evaluation."""
    return [*_outcome(report), *_measured(report), *_questions(report), *_documents(report)]


def _outcome(report: ReleaseReport) -> Iterator[str]:
    outcome, live = report.verdict.outcome, report.verdict.live
    if outcome == "refused":
        stayed = f"{live} stayed live" if live else "nothing was live"  # what people did since, others tell
        yield f"The gate did not let this version go live: {stayed}."
    elif outcome == "rescore":
        yield "The two versions were asked different questions, so nothing was compared."
    elif report.candidate.questions.is_empty():
        yield "The index is sound. Nothing was measured, because the workspace has no questions yet."
    elif live is None:
        first = "This is the first version: it" if not report.manifest.get("parent") else "It"
        yield f"{first} is sound and keeps its floors; there was none to compare it with."
    else:
        yield f"This version is no worse than {live} and may go live."


def _measured(report: ReleaseReport) -> Iterator[str]:
    row = report.headline
    if row is None:
        return
    total = counted(row.questions, "question")
    if row.gain is None:
        yield f"{row.name} is {row.value:.3f} over {total}."
    else:
        yield f"{row.name} went from {row.live:.3f} to {row.value:.3f} over {total}; {_sure(row)}."


def _sure(row: ScoreRow) -> str:
    if row.gain_interval is None:
        return "with so few questions nobody can say whether that is chance"
    low, high = row.gain_interval
    if low <= 0 <= high:
        return "that may well be chance (the 95\u00a0% interval of the difference includes zero)"
    return "that is more than chance explains (the 95\u00a0% interval of the difference excludes zero)"


def _questions(report: ReleaseReport) -> Iterator[str]:
    if not report.changes:
        return
    better, worse = len(report.better), len(report.worse)
    if not better + worse:
        yield "No question changed its place."
        return
    main = next(iter(report.causes), None)
    sentence = f"{counted(worse, 'question')} got worse and {better} better"
    if main is None:
        yield f"{sentence}."
        return
    share = sum(report.causes[main])
    some = "because" if share == better + worse else f"{share} of them because"
    yield f"{sentence}, {some} {CAUSE_PLAIN[main]}."


def _documents(report: ReleaseReport) -> Iterator[str]:
    if report.difference is not None:
        yield difference_sentence(report.difference.document_counts)


def difference_sentence(counts: dict[str, int]) -> str:
    """Say how many documents came, went and changed."""
    changed = counts["source"] + counts["extractor"] + counts["description"]
    parts = [(counts["added"], "came"), (counts["removed"], "went"), (changed, "changed")]
    named = [f"{count:,} {what}" for count, what in parts if count]
    said = ["Documents: " + ", ".join(named) + "."] if named else []
    if counts["recut"]:
        have = "has" if counts["recut"] == 1 else "have"
        said.append(f"{counted(counts['recut'], 'document')} {have} the same text, cut into other passages.")
    return " ".join(said) or "The documents are the same."


def counted(count: int | None, noun: str) -> str:
    """Write a number with its noun: "1 question", "2 questions"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def size_words(size: float) -> str:
    """Write a number of bytes as people read it."""
    for unit in ("bytes", "kB", "MB"):
        if abs(size) < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
