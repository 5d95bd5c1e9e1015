"""What helps when something did not work: it opens within the notice that says so, for everybody who can meet it."""

from typing import Literal

from app.texts import say

Topic = Literal["generator", "unpublished", "permission", "signed-out", "limits", "long", "moved", "failed"]


def help_html(topic: Topic) -> str:
    """Render what helps, folded; each says first what is not lost, then what one does, and whom one asks."""
    return f'<details class="help"><summary>{say("help-open")}</summary>{say(f"help-{topic}")}</details>'
