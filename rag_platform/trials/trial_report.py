"""What a trial showed, as the command line, the API and the reports tell it."""

import json
from dataclasses import asdict
from typing import Any

from rag_platform.journal.journal import Journal
from rag_platform.trials.trial_records import Trial, Trials


def trial_reports(trials: Trials, journal: Journal, version: str | None = None) -> list[dict[str, Any]]:
    """Return the trials, newest first, each with what it showed; with `version`, only those of one version."""
    return [_report(trials, journal, trial) for trial in trials.all() if version in (None, trial.version)]


def _report(trials: Trials, journal: Journal, trial: Trial) -> dict[str, Any]:
    figures = trials.figures(trial) if trial.kind == "shadow" else {"answers": _answers(journal, trial)}
    return asdict(trial) | figures


def _answers(journal: Journal, trial: Trial) -> dict[str, dict[str, Any]]:
    """Count the answers of a canary's sessions and, over the same time, of the others: what people thought of them."""
    query = (
        "select canary, count(*) as questions, count(*) filter (where abstained) as abstained, avg(total_ms) as ms, "
        "sum(liked) as good, sum(disliked) as bad from ("
        "select json_extract(settings, '$.canary') as canary, abstained, total_ms, "
        "(select count(*) filter (where good) from feedback where receipt_id = id) as liked, "
        "(select count(*) filter (where not good) from feedback where receipt_id = id) as disliked from receipts "
        "where version in (select value from json_each(?)) and asked_at between ? and ?) as asked group by canary"
    )
    with journal.reading() as connection:
        values = (json.dumps([trial.version, trial.live]), trial.since, trial.ended or "9999")
        rows = {row["canary"]: row for row in connection.execute(query, values)}
    return {
        name: {"questions": 0, "ms": None}
        if row is None
        else {"questions": row["questions"], "ms": row["ms"]}
        | {count: int(row[count]) for count in ("abstained", "good", "bad")}
        for name, row in (("canary", rows.get(trial.version)), ("others", rows.get(None)))
    }


def in_words(report: dict[str, Any]) -> str:
    """Say in sentences what a trial showed."""
    state = f"ended {report['ended'][:16].replace('T', ' ')}: {report['why']}" if report["ended"] else "goes on"
    since = report["since"][:16].replace("T", " ")
    if report["kind"] == "canary":
        arms = "; ".join(f"{name}: {_arm(arm)}" for name, arm in report["answers"].items())
        return f"canary: {report['share']:.1%} of the sessions since {since} ({state}). {arms}."
    begun = f"shadow beside {report['live']} since {since} ({state}): {report['questions']} questions compared"
    said = f"{begun}, {report['dropped']} dropped."
    if not report["questions"]:
        return said
    return (
        f"{said} {report['overlap']:.0%} of the first ten documents are the same (rank-biased overlap "
        f"{report['rbo']:.2f}), {report['same_first']:.0%} have the same first; {report['lost']} lost their answer, "
        f"{report['won']} got one; {report['ms']:.0f} ms against {report['live_ms']:.0f}."
        f"{doubts(report['doubted'], report['live_doubted'])} {_preference(report)}"
    )


def doubts(share: float | None, live: float | None) -> str:
    """Say, beginning with a blank, which share of the sentences is not verified or contradicted; "" where none is."""
    if not share and not live:
        return ""
    return (
        f" {share or 0:.0%} of an answer's sentences are not verified or contradicted, {live or 0:.0%} in the live one."
    )


def _preference(report: dict[str, Any]) -> str:
    if not report["judged"]:
        return "Which answers are better was not judged."
    return (
        f"Of {report['judged']} pairs of answers, the language model prefers {report['preferred']} of this version and "
        f"{report['preferred_live']} of the live one, whichever is shown first."
    )


def _arm(arm: dict[str, Any]) -> str:
    if not arm["questions"]:
        return "no question"
    return (
        f"{arm['questions']} questions, {arm['abstained']} without an answer, {arm['ms'] or 0:.0f} ms, judged good "
        f"{arm['good']} and bad {arm['bad']} times"
    )
