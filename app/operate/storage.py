"""What the workspace takes on the disk, and with which models its versions were made."""

import shutil
from typing import Any

import streamlit as st

from app import frame
from app.charts import share
from app.figures import cards, short, size, table
from app.rendering import Html
from app.texts import say
from rag_platform.operations.status.disk_usage import PARTS, VersionSize, stage_sizes, version_sizes
from rag_platform.people.identity import Person


def show_storage(person: Person) -> None:  # noqa: ARG001 - as every part is called
    """Show the disk, data/ by stage, and the versions by part."""
    workspace = frame.workspace()
    data = workspace.settings.data
    if not data.exists():
        st.html(f'<div class="empty">{say("operate-no-data")}</div>')
        return
    with st.spinner(say("operate-measuring")):
        stages, versions = _measured(workspace)
    disk, used = shutil.disk_usage(data), sum(stages.values())
    live = next((one for one in versions if one.live), None)
    shown = [(say("operate-free"), size(disk.free), say("operate-of-disk", size=size(disk.total)))]
    shown += [(say("operate-data"), size(used), "")]
    shown += [(say("operate-live-index"), size(live.bytes), say("operate-chunks", count=live.chunks))] if live else []
    st.html(cards(shown))
    st.html(_stages_html(stages))
    st.html(_versions_html(versions))


@st.cache_data(show_spinner=False, ttl=60)
def _measured(_workspace: Any) -> tuple[dict[str, int], list[VersionSize]]:
    return stage_sizes(_workspace.settings.data), version_sizes(_workspace)


def _stages_html(stages: dict[str, int]) -> Html:
    total = sum(stages.values())
    rows = [
        (
            Html("{}<small>{}</small>").format(name, _about(name)),
            Html("{}{}").format(size(held), share(held, total)),
        )
        for name, held in stages.items()
        if held >= 1000
    ]
    heading = Html('<h3 class="part">{}</h3>').format(say("operate-in-data"))
    return heading + table(say("operate-in-data"), [say("operate-folder"), "#" + say("operate-size")], rows)


def _about(name: str) -> str:
    return say(f"operate-holds-{name.replace('.', '-')}") if name in _KNOWN else ""


def _versions_html(versions: list[VersionSize]) -> Html:
    heading = Html('<h3 class="part">{}</h3>').format(say("operate-versions"))
    if not versions:
        return heading + Html('<p class="quiet">{}</p>').format(say("operate-no-versions"))
    head = [say("operate-version"), "#" + say("operate-size"), *("#~" + say(f"operate-part-{name}") for name in PARTS)]
    rows = [
        (
            Html('<span title="{}">{}</span>{}<small>{}</small>').format(
                one.id,
                short(one.id),
                Html(' <span class="state good">{}</span>').format(say("operate-live")) if one.live else "",
                say("operate-version-holds", documents=one.documents, chunks=one.chunks, models=", ".join(one.models)),
            ),
            size(one.bytes),
            *(size(one.parts[name]) for name in PARTS),
        )
        for one in versions
    ]
    note = Html('<p class="quiet">{}</p>').format(say("operate-dimension"))
    return heading + table(say("operate-versions"), head, rows) + note


_KNOWN = ("index", "raw", "documents", "chunks", "embeddings", "evals", "uploads", "dagster", "logs", "app.sqlite")
