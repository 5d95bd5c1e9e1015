"""The process of a bridge: what it is given, its limits, and the reasons for which it is given up."""

import pytest

from rag_platform.config.variables import Variables
from rag_platform.core.errors import MissingExtra, SourceError
from rag_platform.sources.bridges.library_process import LibraryProcess
from rag_platform.sources.bridges.settings import BridgeSettings

PROGRAM = """
import os, sys, time

def messages(request):
    print("what a library prints is no message")
    asked = request["arguments"]
    if "sleep" in asked:
        time.sleep(asked["sleep"])
    if "end" in asked:
        print("something broke", file=sys.stderr)
        os._exit(asked["end"])
    if "import" in asked:
        __import__(asked["import"])
    if "fail" in asked:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise ValueError(asked["fail"]) from error
    if "bytes" in asked:
        bytearray(asked["bytes"])
    if "cut" in asked:
        channel = sys._getframe(1).f_locals["channel"]
        channel.write('{"row": ')
        channel.flush()
        os._exit(4)
    for number in range(asked.get("rows", 0)):
        yield {"row": {"id": number}}
    yield {"arguments": asked, "environment": dict(os.environ), "folder": os.getcwd()}
"""


@pytest.fixture
def ask(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)

    def asked(arguments=None, **settings):
        given = BridgeSettings(id="here", kind="dlt", arguments=arguments or {}, **settings)
        variables = Variables({"NAME": "ann"}, {"token": "s3cret"})
        return list(LibraryProcess(tmp_path / "program.py", "dlt", given, tmp_path, variables).ask({}))

    return asked


def test_it_is_given_its_arguments_and_the_variables_that_the_source_names(ask, tmp_path, monkeypatch):
    monkeypatch.setenv("RAG_PASSWORD", "ours")
    arguments = {"user": "${NAME}", "auth": [{"token": "${secret:token}"}], "pages": 3}
    [answer] = ask(arguments, environment={"TOKEN": "${secret:token}"})
    assert answer["arguments"] == {"user": "ann", "auth": [{"token": "s3cret"}], "pages": 3}
    assert answer["environment"]["TOKEN"] == "s3cret"
    assert "RAG_PASSWORD" not in answer["environment"]
    assert answer["folder"] == str(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "settings", "reason"),
    [
        ({"sleep": 60}, {"timeout": 0.2}, "it took more than timeout = 0.2 seconds"),
        ({"bytes": 2**30}, {"memory_limit": 512}, "it needs more than 512 MB of memory"),
        ({"rows": 9}, {"max_rows": 8}, "it gave more than max_rows = 8"),
        ({"rows": 9}, {"max_bytes": 80}, "it gave more than max_bytes = 80"),
        ({"end": 3}, {}, "its process ended with code 3: something broke"),
        ({"cut": True}, {}, "its process ended with code 4"),
        ({}, {"python": "no/such/python"}, "no/such/python cannot be started"),
        ({"fail": "no ${secret:token}"}, {}, "ValueError: no ***; because of KeyError: 'inner'"),
        ({"import": "llama_index.readers.no_such"}, {"python": None}, "is not installed. Install it with"),
    ],
)
def test_what_fails_gives_its_reason(ask, arguments, settings, reason):
    with pytest.raises((SourceError, MissingExtra)) as caught:
        ask(arguments, **settings)
    assert reason in str(caught.value)


def test_a_library_that_is_not_there_is_asked_for_by_the_command_that_installs_it(tmp_path, ask):
    (tmp_path / "program.py").write_text("def messages(request):\n    raise ModuleNotFoundError('no', name='dlt')")
    with pytest.raises(MissingExtra, match=r"pip install .*\[dlt\]"):
        ask()
