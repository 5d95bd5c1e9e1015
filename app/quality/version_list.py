"""The versions of the index: what each holds and scored, which is live, and moving the pointer."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import streamlit as st

from app import frame
from app.figures import between, score, short
from app.notices import show_notices, status_for
from app.quality.cached_reports import history, manifests, restricted
from app.quality.promotion import move
from app.rendering import Html, age
from app.texts import say, say_html
from evals.report.security_trimming import trim_reasons
from rag_platform.index.releases.release_log import Kind
from rag_platform.index.vectors.spaces import stored_spaces
from rag_platform.people.identity import Person


def show_versions(person: Person) -> None:
    """Show every retained version, the newest first."""
    versions = frame.workspace().versions
    known = manifests()
    if not known:
        st.html(f'<div class="empty">{say("quality-nothing-built")}</div>')
        return
    show_notices([one for one in status_for(person).notices if one.kind != "refused"], person)
    damaged = len(versions.ids()) - len(known)
    if damaged:
        st.html(f'<div class="notes">{say_html("quality-damaged-versions", count=damaged)}</div>')
    published = {moved["version"]: moved for moved in versions.moves()}
    for manifest in known:
        with st.container(border=True, key=f"version-{manifest['id']}", gap="small"):
            st.html(_version_html(manifest, published.get(manifest["id"]), person))
            _show_actions(manifest["id"], person, served=manifest["id"] in published)
    if not person.may("admin"):
        st.html(f'<p class="quiet">{say_html("quality-admins-publish")}</p>')


def _show_actions(version: str, person: Person, *, served: bool) -> None:
    """Show what can be done with a version."""
    versions = frame.workspace().versions
    live = versions.live_id()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if person.may("admin") and (version != live or versions.held()):
            back = served and versions.ids().index(version) < versions.ids().index(live or version)
            kind: Kind = "rollback" if back else "promote"
            again = "quality-again" if served and not back else f"quality-{kind}"
            label = say("quality-release" if version == live else again)
            if st.button(label, key=f"move-{version}", icon=_ICONS[kind]):
                move(version, kind)
        st.button(
            say("quality-report"),
            key=f"report-{version}",
            type="tertiary",
            icon=":material/article:",
            on_click=st.query_params.update,
            args=({"part": "report", "version": version},),
        )
        if live and version != live:
            st.button(
                say("quality-compare"),
                key=f"compare-{version}",
                type="tertiary",
                icon=":material/difference:",
                on_click=st.query_params.update,
                args=({"part": "compare", "a": live, "b": version},),
            )


def _version_html(manifest: Mapping[str, Any], moved: Mapping[str, Any] | None, person: Person) -> Html:
    """Render a version: what it is, how it scored, and who published it."""
    return Html('<div class="source"><h3>{} {}</h3><div class="facts">{}</div><p class="about">{}</p>{}</div>').format(
        Html('<span class="version-id" title="{}">{}</span>').format(manifest["id"], short(manifest["id"])),
        _badges(manifest),
        _facts(manifest),
        _scored(manifest),
        _published(moved) + _reasons(manifest, person),
    )


def _badges(manifest: Mapping[str, Any]) -> Html:
    versions, version = frame.workspace().versions, manifest["id"]
    verdict = manifest.get("verdict") or {}
    marks = [("good strong", "quality-live")] if version == versions.live_id() else []
    marks += [("", "quality-candidate")] if version == versions.candidate_id() and not marks else []
    marks += [("", "quality-pinned")] if version in versions.pins() else []
    outcome = verdict.get("outcome")
    marks.append({"passed": ("good", "quality-passed"), "refused": ("bad", "quality-refused")}.get(
        outcome or "", ("odd", "quality-rescore" if outcome else "quality-not-judged")
    ))  # fmt: skip
    return Html(" ").join(Html('<span class="state {}">{}</span>').format(kind, say(key)) for kind, key in marks)


def _facts(manifest: Mapping[str, Any]) -> str:
    models = sorted({space.model["name"] for space in stored_spaces(manifest)})
    counts = manifest["counts"]
    return say(
        "quality-version-facts",
        age=age(datetime.fromisoformat(manifest["created_at"])),
        date=manifest["created_at"][:10],
        documents=counts["documents"],
        chunks=counts["chunks"],
        model=", ".join(models),
    )


def _scored(manifest: Mapping[str, Any]) -> str:
    """Return the score that decides, with its interval as the history has it."""
    metric = frame.workspace().settings.gate.metric
    value = ((manifest.get("scores") or {}).get("means") or {}).get(metric)
    if value is None:
        return say("quality-not-scored")
    past = [entry for entry in history() if entry["version"] == manifest["id"]]
    ends = between(past[-1].get("intervals", {}).get(metric)) if past else ""
    return say("quality-scored", metric=metric, score=score(value), ends=ends or "none")


def _published(moved: Mapping[str, Any] | None) -> Html:
    if moved is None:
        return Html("")
    when = age(datetime.fromisoformat(moved["at"]))
    text = say(f"quality-by-{moved['kind']}", who=moved["who"], when=when, why=moved["why"] or "")
    return Html('<div class="quiet">{}</div>').format(text)


def _reasons(manifest: Mapping[str, Any], person: Person) -> Html:
    """Return why a version was refused, as far as this person may know."""
    verdict = manifest.get("verdict") or {}
    if verdict.get("outcome") != "refused":
        return Html("")
    reasons = trim_reasons(verdict.get("reasons", ()), restricted(person))
    text = Html("").join(Html("<li>{}</li>").format(reason) for reason in reasons)
    return _FOLDED.format(say("quality-why-refused"), text)


_ICONS = {"promote": ":material/publish:", "rollback": ":material/undo:"}
_FOLDED = Html('<details class="more"><summary>{}</summary><ul>{}</ul></details>')
