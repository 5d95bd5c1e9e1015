"""A version that is refused: what made the loss is held at its live state, and the rest is published."""

from dataclasses import dataclass, field

import pytest

from rag_platform.core.ports import Judgement, Progress, SourceJudgement, silent
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.sync import SyncReport, sync
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.three_sources import SOURCES, hold, write

GOOD, BAD = "# A\n\nThe weir was mended.", "# A\n\nSomething that answers nothing."


@dataclass
class ReadingGate:
    """Refuses what holds the bad text; says of which source it is only if it `blames`. Fulfils `ports.Gate`."""

    workspace: Workspace
    blames: bool
    judged: list[str] = field(default_factory=list)

    def judge(self, version: str, *, progress: Progress = silent) -> Judgement:
        self.judged.append(version)
        documents = self.workspace.versions.open(version).documents()
        bad = {source for source, text in documents.select("source", "text").iter_rows() if "nothing" in text}
        reasons = ("some questions lost their answer",) if bad else ("as good as live",)
        verdict = {"passed": not bad, "reasons": list(reasons), "live": self.workspace.versions.live_id()}
        self.workspace.versions.record_evaluation(version, {}, verdict)
        sources = {one: SourceJudgement(one, one not in bad, ("it lost 2 of 2",), lost=("q1",)) for one in SOURCES}
        return Judgement(version, not bad, reasons, sources=sources if self.blames else {})


def run(workspace: Workspace, texts: dict[str, str], *sources: str, blames: bool = True, **options: bool) -> SyncReport:
    for source, text in texts.items():
        write(workspace, source, {"a.md": text, "b.md": f"# B\n\nIt is in {source}, as it was."})
    gate = ReadingGate(workspace, blames)
    report = sync(workspace, sources, gate=gate, allow_mass_delete=True, **options)
    assert not report.errors
    return report


def state(workspace: Workspace, version: str | None = None) -> dict[str, str]:
    """Tell of each source whether it is good, bad, or as it was at first."""
    documents = workspace.versions.open(version or workspace.versions.live_id()).documents()
    texts = {source: " ".join(documents.filter(source=source)["text"]) for source in SOURCES}
    return {one: "bad" if "nothing" in text else "good" if "weir" in text else "old" for one, text in texts.items()}


@pytest.mark.parametrize("blames", [True, False])
def test_the_source_that_lost_is_held_and_the_others_are_published(three: Workspace, blames: bool) -> None:
    report = run(three, {"desk": BAD, "news": GOOD}, blames=blames)
    assert state(three) == {"desk": "old", "news": "good", "rules": "old"}
    assert (report.published, report.moved, report.exit_code) == (True, True, 3)
    (held,) = report.held_sources.values()
    assert (held.source, held.cause, held.version) == ("desk", "evaluation", report.refused.version)
    assert ("it lost 2 of 2" if blames else "some questions lost") in held.why
    assert state(three, report.refused.version)["desk"] == "bad"  # its report can be read
    told = report.to_dict()
    assert told["held_sources"]["desk"]["cause"] == "evaluation"
    assert told["refused"] == {"version": held.version, "reasons": ["some questions lost their answer"]}
    manifest = three.versions.manifest(report.version)
    assert manifest["sources"]["desk"]["held"]["why"] == held.why and manifest["verdict"]["passed"]


def test_the_next_good_sync_ends_it(three: Workspace) -> None:
    since = run(three, {"desk": BAD}).held_sources["desk"].since
    assert run(three, {"news": GOOD}, "news").held_sources["desk"].since == since  # judged anew, and held still
    assert state(three) == {"desk": "old", "news": "good", "rules": "old"}
    report = run(three, {"desk": GOOD}, "desk")
    assert (report.held_sources, report.refused, report.exit_code) == ({}, None, 0)
    assert state(three)["desk"] == "good"
    assert next(event.action for event in three.holds.history("desk")) == "ended"


def test_of_several_bad_sources_each_is_held(three: Workspace) -> None:
    report = run(three, {"desk": BAD, "news": GOOD, "rules": BAD}, blames=False)
    assert (set(report.held_sources), state(three)["news"]) == ({"desk", "rules"}, "good")


def test_a_bad_source_alone_is_held_and_what_is_live_stays(three: Workspace) -> None:
    live = three.versions.live_id()
    report = run(three, {"desk": BAD})
    assert (report.version, report.moved, report.exit_code, set(report.held_sources)) == (live, False, 3, {"desk"})


def test_a_loss_of_all_that_changed_which_nobody_is_blamed_for_refuses_the_version(three: Workspace) -> None:
    live = three.versions.live_id()
    report = run(three, {"desk": BAD, "news": BAD}, blames=False)
    assert (three.versions.live_id(), report.published, report.exit_code) == (live, False, 3)
    assert report.version == report.refused.version == three.versions.candidate_id() and not report.held_sources
    assert three.versions.ids() == [live, report.version]  # what was tried is not kept


def test_how_all_sources_are_cut_is_no_sources_own_doing(three: Workspace) -> None:
    with (three.settings.home / "rag.toml").open("a") as settings:
        settings.write("\n[sync]\nmax_changed_share = 1\n")
    toml = (three.settings.home / "rag.toml").read_text()
    (three.settings.home / "rag.toml").write_text(toml.replace("size = 16", "size = 24"))
    again = open_workspace(three.settings.home)
    again.embedder = three.embedder
    live = again.versions.live_id()
    report = run(again, {"desk": BAD, "news": GOOD})
    assert set(report.held_sources) == {"desk", "news", "rules"} and report.exit_code == 3
    assert state(again) == {"desk": "old", "news": "old", "rules": "old"} and live in again.versions.ids()


def test_what_is_held_keeps_the_vectors_of_a_model_that_is_not_here(
    three: Workspace, tiny_unigram_embedder: OnnxEmbedder
) -> None:
    model = three.versions.manifest(str(three.versions.live_id()))["model"]
    three.embedder = tiny_unigram_embedder  # no model here gives the vectors of the live version any more
    report = run(three, {"desk": BAD, "news": GOOD, "rules": GOOD})
    assert set(report.held_sources) == set(SOURCES) and report.exit_code == 3
    assert state(three) == dict.fromkeys(SOURCES, "old")
    spaces = three.versions.manifest(str(three.versions.live_id()))["spaces"]
    assert {one["fingerprint"]: one["sources"] for one in spaces}[model["fingerprint"]] == sorted(SOURCES)


def test_what_somebody_holds_is_held_until_they_release_it(three: Workspace) -> None:
    hold(three, "desk")
    for _ in range(2):
        report = run(three, {"desk": GOOD, "news": GOOD})
        assert report.held_sources["desk"].cause == "person" and report.exit_code == 3
    assert state(three) == {"desk": "old", "news": "good", "rules": "old"}
    three.holds.end("desk", why="seen", who="ada")
    assert run(three, {}, fetch=False).exit_code == 0 and state(three)["desk"] == "good"
