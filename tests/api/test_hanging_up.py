"""Whoever asks and leaves ends the work that was done for them."""

import json
import socket
import time
from urllib.parse import urlsplit

from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.chat_server import ROLE, chunk, serving


def test_a_caller_who_hangs_up_ends_the_models_work(serve, tmp_path, model_folder):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_text("# Leave\n\nEmployees get 25 days of paid leave per year.\n")
    with serving() as model:
        (tmp_path / "rag.toml").write_text(
            f'[generator]\nbase_url = "{model.address}"\n[[sources]]\nid = "docs"\nkind = "folder"\npath = "docs"\n'
        )
        workspace = open_workspace(tmp_path)
        pipeline = Pipeline(workspace)
        pipeline.sync_source("docs")
        workspace.versions.promote(pipeline.build().version, "test")
        model.script = [[ROLE, chunk("Employees "), *["hang"] * 40]]
        with serve(tmp_path) as address, socket.create_connection(("127.0.0.1", urlsplit(address).port)) as caller:
            body = json.dumps({"question": "How many days of leave?"}).encode()
            head = f"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
            caller.sendall(head.encode() + body)
            for _ in range(2400):
                if model.requests:
                    break
                time.sleep(0.05)
            assert model.requests and not model.hung_up.is_set()
            caller.close()
            assert model.hung_up.wait(60)
