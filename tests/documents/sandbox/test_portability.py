"""Reading where the operating system has neither `resource` nor `fcntl`, as Windows has not."""

import json
import subprocess
import sys

SCRIPT = """
import json, psutil, sys  # psutil asks for `resource` on Linux, and not elsewhere
HIDE = "import sys; sys.modules['resource'] = sys.modules['fcntl'] = None"
exec(HIDE)
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox import process
process._START = HIDE + process._START

def read(content, **limits):
    reader = process.ReaderProcess(Limits(**limits))
    (part,) = reader.read(content, uri="a.txt")
    reader.close()
    return part.read.text if part.read else part.reason

print(json.dumps([read(b"Water."), read(b"water and words " * 20_000_000, memory=200 << 20)]))
"""


def test_a_document_is_read_and_memory_is_watched_without_the_modules_of_unix():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=True)
    text, reason = json.loads(done.stdout)
    assert text == "Water."
    assert reason == "stopped: it takes more than 200 MB of memory"
