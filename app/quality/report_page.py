"""The whole report of a version, as far as its reader may read what it tells of; and what differs between two."""

import base64
import json
from typing import Any

import streamlit as st

from app import frame
from app.figures import short, size, table
from app.navigation import set_title
from app.quality.cached_reports import manifests, release_report, restricted
from app.rendering import Html
from app.texts import say, say_html
from evals.report import html_report, markdown_report, summary
from evals.report.release_report import ReleaseReport
from rag_platform.index.releases.version_diff import Difference, difference
from rag_platform.people.identity import Person

_ALLOWED = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_POLICY = f'<meta http-equiv="Content-Security-Policy" content="{_ALLOWED}">'
_LISTED = 12
_KINDS = ("added", "removed", "source", "extractor", "description")


def show_report(version: str, person: Person) -> None:
    """Show a version's report in a frame of its own, which runs nothing and asks nobody; and offer it as files."""
    back("versions")
    with frame.friendly():
        found = release_report(version, person)
        set_title(say("quality-report-of", version=short(found.candidate.version)))
        html = html_report.render_html(found).replace("<head>", f"<head>{_POLICY}", 1)
        st.html(f'<h2 class="title">{say_html("quality-report-of", version=short(found.candidate.version))}</h2>')
        if restricted(person).questions:
            st.html(f'<p class="quiet">{say_html("quality-hidden")}</p>')
        text = f"# Version {found.candidate.version}\n\n{markdown_report.render_markdown(found)}\n"
        files = {
            "html": (html, "text/html"),
            "md": (text, "text/markdown"),
            "json": (json.dumps(_document(found), ensure_ascii=False, indent=1), "application/json"),
        }
        with st.container(horizontal=True):
            for ending, (content, kind) in files.items():
                st.download_button(
                    say("quality-download", kind=_NAMES[ending]),
                    content,
                    f"{found.candidate.version}.{ending}",
                    kind,
                    key=f"download-{ending}",
                    icon=":material/download:",
                    on_click="ignore",
                )
        source = f"data:text/html;base64,{base64.b64encode(html.encode()).decode()}"
        st.iframe(source, height=900, alt=say("quality-report-of", version=short(found.candidate.version)))


def show_comparison(person: Person) -> None:
    """Show what differs between two versions, which the address names."""
    back("versions")
    set_title(say("quality-compare-title"))
    st.html(f'<h2 class="title">{say_html("quality-compare-title")}</h2>')
    ids = [one["id"] for one in manifests()]
    if len(ids) < 2:
        st.html(f'<div class="empty">{say("quality-one-version")}</div>')
        return
    sides = []
    for column, name, place in zip(st.columns(2), ("a", "b"), (1, 0), strict=True):
        wanted = st.query_params.get(name)
        chosen = ids.index(wanted) if wanted in ids else place
        sides.append(column.selectbox(say(f"quality-side-{name}"), ids, chosen, short, key=f"side-{name}"))
        st.query_params[name] = sides[-1]
    versions = frame.workspace().versions
    if sides[0] == sides[1]:
        st.html(f'<p class="quiet">{say_html("quality-same-version")}</p>')
        return
    with frame.friendly():
        made = difference(*(versions.open(one) for one in sides))
        st.html(_difference_html(made, restricted(person).documents))


def back(part: str) -> None:
    """Show the way back to a part of the view."""
    if st.button(say(f"quality-{part}"), icon=":material/arrow_back:", type="tertiary", key="back"):
        st.query_params.from_dict({"part": part})
        st.rerun()


def _difference_html(made: Difference, closed: frozenset[str]) -> Html:
    """Render counts first, then the first documents of each kind that may be read."""
    chunks, (then, now) = made.chunk_counts, made.sizes["bytes"]
    passages = say("quality-passages", kept=chunks["kept"] + chunks["reheaded"], new=chunks["new"], gone=chunks["gone"])
    html = Html('<p class="about">{} {} {}</p>').format(
        summary.difference_sentence(made.document_counts), passages, say("quality-disk", then=size(then), now=size(now))
    )
    if made.making:
        settings = [(key, str(pair[0]), str(pair[1])) for key, pair in made.making.items()]
        head = [say("quality-made-with"), short(made.before), short(made.after)]
        html += table(say("quality-made-with"), head, settings)
    counts = made.by_source().to_dicts()
    head = [say("quality-source"), *("#" + say(f"quality-came-{name}") for name in ("added", "removed", "edited"))]
    rows = [
        (
            row["id"],
            f"{row['added']:,}",
            f"{row['removed']:,}",
            f"{row['source'] + row['extractor'] + row['description']:,}",
        )
        for row in counts
    ]
    html += table(say("quality-by-source"), head, rows)
    for kind in _KINDS:
        html += _documents_html(made, kind, closed)
    return html


def _documents_html(made: Difference, kind: str, closed: frozenset[str]) -> Html:
    rows = made.changed(kind).select("doc_id", "title", "uri").rows()
    shown = [row for row in rows if row[0] not in closed]
    if not rows:
        return Html("")
    items = [Html("<li><b>{}</b> {}</li>").format(title or uri, small_uri(uri)) for _, title, uri in shown[:_LISTED]]
    if len(shown) > _LISTED:
        items.append(Html('<li class="quiet">{}</li>').format(say("quality-more", count=len(shown) - _LISTED)))
    if len(rows) > len(shown):
        items.append(Html('<li class="quiet">{}</li>').format(say("quality-unreadable", count=len(rows) - len(shown))))
    heading = say(f"quality-kind-{kind}", count=len(rows))
    return Html('<details class="more"><summary>{}</summary><ul class="evidence">{}</ul></details>').format(
        heading, Html("").join(items)
    )


def small_uri(uri: str) -> Html:
    """Return an address in small letters."""
    return Html("<small>{}</small>").format(uri)


def _document(found: ReleaseReport) -> dict[str, Any]:
    """Return a report as JSON has it: verdict, means with their differences, and the questions that moved."""
    verdict = found.verdict.to_dict()
    return {
        "version": found.candidate.version,
        "live": found.verdict.live,
        "outcome": verdict["outcome"],
        "reasons": list(verdict["reasons"]),
        "measures": {
            row.name: {"value": row.value, "interval": row.interval, "live": row.live, "change": row.gain,
                       "change_interval": row.gain_interval}
            for rows in found.families.values() for row in rows
        },
        "questions": [
            {"id": one.id, "question": one.question, "before": one.before, "after": one.after,
             "rank_before": one.rank_before, "rank_after": one.rank_after, "cause": one.cause}
            for one in found.changes
        ],
    }  # fmt: skip


_NAMES = {"html": "HTML", "md": "Markdown", "json": "JSON"}
