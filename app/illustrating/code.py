"""Code, with its language and the button that copies it."""

from html import escape

from app.texts import say, upright

_LONGEST = 20_000
"""Characters that are shown; all are copied."""


def code_html(code: str, language: str = "") -> str:
    """Render a block of code."""
    copied, done = escape(code.removesuffix("\n"), quote=True), escape(say("ask-copied"), quote=True)
    label = escape(say("ask-copy-code"), quote=True)
    shown = upright(code[:_LONGEST]) + ("…" if len(code) > _LONGEST else "")
    return (
        f'<figure class="code"><figcaption><span>{escape(upright(language[:30]))}</span>'
        f'<button type="button" class="tool" aria-label="{label}" data-copy="{copied}" data-done="{done}">'
        f"{escape(say('ask-copy'))}</button></figcaption>"
        f'<pre tabindex="0"><code>{escape(shown)}</code></pre></figure>\n'
    )
