"""What an answer went through, with times: one line that expands."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from app.texts import say, say_html
from rag_platform.journal.receipts import Receipt
from rag_platform.retrieval.results import SearchResult

Step = tuple[str, float | None]
"""What was done, as HTML, and its milliseconds."""


def trace_html(receipt: Receipt) -> str:
    """Render the stages of a finished answer, collapsed."""
    took = receipt.took_ms
    steps: list[Step] = []
    if receipt.standalone:
        steps.append((say_html("ask-step-understood", question=receipt.standalone), took.get("understand")))
    steps += [(say_html("ask-step-searched", question=query), None) for query in receipt.queries]
    steps.append((say("ask-step-found", passages=len(receipt.hits)), took.get("search")))
    steps.append((say_html("ask-step-wrote", model=receipt.model), took.get("generate")))
    if receipt.claims:
        steps.append((say("ask-step-checked", claims=len(receipt.claims)), took.get("verify")))
    if "total" not in took:
        return _collapsed(say("ask-trace-stopped", passages=len(receipt.hits)), steps)
    steps.append((say("ask-step-total"), took["total"]))
    searches, seconds = max(1, len(receipt.queries)), f"{took['total'] / 1000:.1f}"
    return _collapsed(say("ask-trace", searches=searches, passages=len(receipt.hits), seconds=seconds), steps)


@dataclass
class Progress:
    """What is known of an answer that is being written."""

    found: list[SearchResult] = field(default_factory=list)
    state: str = "searching"

    def html(self) -> str:
        """Render what is done just now, with the searches so far collapsed below it."""
        passages = sum(len(result.hits) for result in self.found)
        now = say(f"ask-{self.state}", passages=passages) if self.state == "reading" else say(f"ask-{self.state}")
        steps: list[Step] = []
        for result in self.found:
            steps.append((say_html("ask-step-searched", question=result.question), None))
            steps.append((say("ask-step-found", passages=len(result.hits)), result.took_ms.get("total")))
        return _collapsed(now, steps, live=True)


def _collapsed(summary: str, steps: Sequence[Step], *, live: bool = False) -> str:
    rows = "".join(f'<li><span>{said}</span><span class="ms">{_ms(took)}</span></li>' for said, took in steps)
    kind = "trace live" if live else "trace"
    return f'<details class="{kind}"><summary>{escape(summary)}</summary><ol>{rows}</ol></details>'


def _ms(took: float | None) -> str:
    return "" if took is None else say("ask-milliseconds", ms=took)
