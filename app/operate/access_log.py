"""Who may read what, as people decided it: the rules, which can be taken back, and the log of every change."""

import streamlit as st

from app import frame
from app.figures import table
from app.rendering import Html, plain_label
from app.texts import say
from app.undo import is_leaving, take_away
from rag_platform.access.decisions import Change, Target
from rag_platform.people.identity import Person

_SHOWN = 100
"""Changes, the newest."""


def show_access(person: Person) -> None:
    """Show the rules and the log."""
    rules = frame.workspace().access.rules
    targets = dict.fromkeys(rule.target for rule in rules.list() if not is_leaving("rule", str(rule.target)))
    changes = rules.changes(_SHOWN)
    if not changes:
        st.html(f'<div class="empty">{say("operate-no-rules")}</div>')
        return
    if targets:
        st.html(Html('<h3 class="part">{}</h3>').format(say("operate-rules")))
    for target in targets:
        _show_rules(target, person)
    head = [say(f"operate-change-{name}") for name in ("when", "who", "what")] + ["~" + say("operate-change-why")]
    st.html(Html('<h3 class="part">{}</h3>').format(say("operate-changes")))
    st.html(table(say("operate-changes"), head, [_row(change) for change in changes]))


def _show_rules(target: Target, person: Person) -> None:
    decided = frame.workspace().access.rules
    rules = [rule for rule in decided.list() if rule.target == target]
    with st.container(horizontal=True, vertical_alignment="center"):
        said = "; ".join(say(f"operate-rule-{rule.effect}", who=rule.principal) for rule in rules)
        st.markdown(plain_label(f"{target}: {said}"))
        label = say("operate-rule-remove")
        if st.button(label, type="tertiary", icon=":material/undo:", key=f"remove-{target}"):
            why, who = say("operate-rule-removed"), person.id or person.name
            take_away(("rule", str(target)), str(target), lambda: decided.remove(target, who=who, why=why), person.id)
            st.rerun()


def _row(change: Change) -> tuple[str, ...]:
    who = change.about.get("principal") or change.about.get("member") or ""
    return f"{change.at:%Y-%m-%d %H:%M}", change.who, f"{change.action} {who} {change.target}", change.why
