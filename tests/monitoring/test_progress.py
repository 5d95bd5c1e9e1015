"""What is being done is told while it is done, and never after."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from rag_platform.monitoring import progress as activity
from rag_platform.monitoring.progress import ProgressNotes, running_stages

ROOT = Path(__file__).parents[2]


def test_a_stage_within_another_is_told_and_then_the_outer_one_again(tmp_path, monkeypatch):
    monkeypatch.setattr(activity, "INTERVAL", 0)
    seen, mine = [], ProgressNotes(tmp_path / "progress")
    with mine.running("sync"):
        with mine.running("embed", "teaching", lambda *told: seen.append(told)) as progress:
            progress(0, None)
            time.sleep(0.05)
            progress(30, 120)
            (now,) = running_stages(tmp_path / "progress")
        (then,) = running_stages(tmp_path / "progress")
    assert (now.stage, now.source, now.done, now.total, now.pid) == ("embed", "teaching", 30, 120, os.getpid())
    assert 0 < now.rate < 601 and abs(now.remaining - 90 / now.rate) < 1
    assert (then.stage, then.total) == ("sync", None)
    assert seen == [(0, None), (30, 120)]
    assert list((tmp_path / "progress").iterdir()) == []


def test_notes_are_made_at_most_twice_a_second(tmp_path, monkeypatch):
    now = 100.0
    monkeypatch.setattr(activity.time, "monotonic", lambda: now)
    mine = ProgressNotes(tmp_path)
    with mine.running("fetch") as progress:
        now += 0.4
        progress(7, 1000)
        assert running_stages(tmp_path)[0].done == 0
        now += 0.2
        progress(8, 1000)
        assert running_stages(tmp_path)[0].done == 8


def test_a_stage_that_fails_is_told_no_more(tmp_path):
    try:
        with ProgressNotes(tmp_path).running("fetch"):
            raise ValueError
    except ValueError:
        assert running_stages(tmp_path) == []


def test_what_a_killed_process_left_is_ignored_and_removed_by_the_next(tmp_path):
    code = "import sys, time\nfrom pathlib import Path\nfrom rag_platform.monitoring.progress import ProgressNotes\n"
    code += "with ProgressNotes(Path(sys.argv[1])).running('embed'):\n    print('on', flush=True)\n    time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, tmp_path], cwd=ROOT, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        assert [one.pid for one in running_stages(tmp_path)] == [other.pid]
        other.send_signal(signal.SIGKILL)
    assert running_stages(tmp_path) == [] and len(list(tmp_path.iterdir())) == 1
    with ProgressNotes(tmp_path).running("fetch"):
        assert [one.stage for one in running_stages(tmp_path)] == ["fetch"]
        assert len(list(tmp_path.iterdir())) == 1
