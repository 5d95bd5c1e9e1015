"""The API on loopback, with a language model's server beside it, and OpenAI's own client."""

import threading
import time
from contextlib import contextmanager

import openai
import pytest
import uvicorn

from rag_platform.api.application import application
from rag_platform.people.tokens import Tokens
from tests.api.published import publish
from tests.chat_server import serving


@contextmanager
def listening(workspace):
    """Serve a workspace from a thread, and give the address of its API."""
    server = uvicorn.Server(uvicorn.Config(application(workspace), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def chat_server():
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder, chat_server):
    """Public notes, wages of the board, uploads; answers are quotes, and a server `local` may write them."""
    server = f'[generators.local]\nbase_url = "{chat_server.address}"\n'
    rates = "[access]\nquestions_per_minute = 1000\nsearches_per_minute = 1000\n"
    return publish(tmp_path_factory.mktemp("openai"), tiny_embedder, server + rates)


@pytest.fixture(scope="module")
def address(workspace):
    with listening(workspace) as address:
        yield address


@pytest.fixture(scope="module")
def token_of(workspace):
    """Make a token with these scopes, which reads as these principals."""
    tokens = Tokens(workspace.journal)
    return lambda *scopes, principals=(): tokens.create(
        f"client-{len(tokens.list())}", scopes or ("read", "ask"), principals
    )


@pytest.fixture(scope="module")
def client_of(address, token_of):
    """Open OpenAI's client with a token of its own."""
    return lambda *scopes, principals=(): openai.OpenAI(
        base_url=address, api_key=token_of(*scopes, principals=principals), max_retries=0, timeout=60
    )


@pytest.fixture(scope="module")
def client(client_of):
    with client_of() as client:
        yield client
