"""What became of an answer's sentences: the state of each, how sure that is, and by which check."""

from collections.abc import Iterable, Sequence
from html import escape

from app.rendering import excerpt, plain_html
from app.texts import say, say_html
from rag_platform.core.answers import Citation, JudgedClaim, State, count_states


def state_word(state: State) -> str:
    """Return how a state is called."""
    return say("ask-state", state=state)


def state_html(state: State, count: int | None = None) -> str:
    """Render a state, and how many sentences have it."""
    number = "" if count is None else f"{count} "
    return f'<span class="state {state}">{number}{state_word(state)}</span>'


def states_of(claims: Iterable[JudgedClaim], n: int) -> list[State]:
    """Return the states of the sentences that a citation supports or denies, each once."""
    return list(dict.fromkeys(claim.state for claim in claims if n in claim.citations))


def judged_text(claim: JudgedClaim) -> str:
    """Return the state of a sentence, how probable its support is, and what checked it."""
    return " · ".join([state_word(claim.state), *_facts(claim)])


def _facts(claim: JudgedClaim) -> Iterable[str]:
    if claim.state == "quoted":
        yield say("ask-word-for-word")
        return
    if claim.probability is not None:
        yield say("ask-probable", percent=round(100 * claim.probability))
    if claim.check:
        yield say("ask-checked-by", check=claim.check)


def denying_numbers(claims: Sequence[JudgedClaim]) -> set[int]:
    """Return the numbers of the citations that deny a sentence, and support none."""
    return {n for claim in claims for n in claim.citations if states_of(claims, n) == ["contradicted"]}


def checks_html(claims: Sequence[JudgedClaim]) -> str:
    """Render how many sentences are in each state; expanded, each sentence with its own."""
    if not claims:
        return ""
    counted = [(state, count) for state, count in count_states(claims).items() if count]
    summary = " ".join(state_html(state, count) for state, count in counted)
    rows = "".join(map(_row, claims))
    return f'<details class="checks"><summary>{summary}</summary><ol>{rows}</ol></details>'


def _row(claim: JudgedClaim) -> str:
    text = plain_html(excerpt(claim.text))
    sentence = f"<del>{text}</del>" if claim.span is None else text
    marks = "".join(f' <span class="cite">{n}</span>' for n in claim.citations)
    facts = escape(" · ".join(_facts(claim)))
    return f'<li>{state_html(claim.state)} <span>{sentence}{marks} <span class="quiet">{facts}</span></span></li>'


def taken_away_html(claims: Iterable[JudgedClaim], citations: Iterable[Citation]) -> str:
    """Render what was taken away from an answer, and the quotes that deny it."""
    quotes = {citation.n: citation for citation in citations}
    rows = "".join(_denied(claim, quotes) for claim in claims if claim.span is None)
    return f'<div class="notes away">{rows}</div>' if rows else ""


def _denied(claim: JudgedClaim, quotes: dict[int, Citation]) -> str:
    denying = [quotes[n] for n in claim.citations if n in quotes]
    said = say_html("ask-taken-away", sentence=claim.text)
    by = "".join(
        f" {say_html('ask-denied-by', quote=one.quote, title=one.title or one.uri)} <span class='cite'>{one.n}</span>"
        for one in denying
    )
    return f"<p>{said}{by}</p>"
