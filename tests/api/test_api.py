"""The API over HTTP: collections, twenty files of many kinds, a sync, and what is found after."""

import asyncio
import io
import json
import re
import socket
import threading
import time
import warnings
import zipfile
from contextlib import suppress

import httpx
import jsonschema
import pytest

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", r"'click\.", DeprecationWarning)  # typer imports what click 9 will drop
    from typer.testing import CliRunner

    from rag_platform.cli import app

from rag_platform.api import bodies
from rag_platform.api.problems import Problem
from rag_platform.people.tokens import Tokens
from rag_platform.sources.uploads.names import safe_name
from rag_platform.workspace import open_workspace

PNG = b"\x89PNG\r\n\x1a\n" + bytes(200)
READABLE = {
    "entropy.md": b"# Entropy\n\nEntropy of an isolated system never decreases over time, said Clausius.\n",
    "optics.html": b"<html><head><title>Optics</title></head><body><main><p>Light bends when it enters water; this is "
    b"called refraction, and Snell measured it.</p></main></body></html>",
    "formulas.txt": "Die Masse des Körpers ändert sich im Vakuum nicht, sagt das Lehrbuch.".encode("latin-1"),
    "grades.csv": b"name,grade\nAda,very good\nEmmy,excellent indeed\n",
    "notes.json": b'{"lecture": "Momentum is conserved in a closed system"}',
    "नमस्ते दुनिया.md": "# नमस्ते\n\nयह पाठ भौतिकी के बारे में है और हिन्दी में लिखा गया है।\n".encode(),
    "../../escape.md": b"# Escape\n\nThe escape velocity of the Earth is eleven kilometres a second.\n",
    "100% sure?.md": b"# Certainty\n\nHeisenberg doubted that anyone can be entirely certain of position.\n",
    "y" * 300 + ".md": b"# Long\n\nA name of three hundred letters is cut, and its kind is kept.\n",
    **{f"lecture {n}.md": b"# Lecture %d\n\nChapter %d treats topic %d of mechanics.\n" % (n, n, n) for n in range(5)},
}  # fmt: skip
UNREADABLE = {
    "picture.png": PNG,
    "scan.pdf": b"%PDF-1.7 and nothing more",
    "app.exe": b"MZ\x90\x00" + bytes(range(256)),
}
THIN = {"empty.txt": b"", "word.md": b"word"}


def told_in_process(home, *arguments, code=0):
    """Run `rag collection` here: a process of its own takes two seconds."""
    done = CliRunner().invoke(app, ["--home", str(home), "collection", *arguments, "--json"])
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


def _zip():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("week1/tides.md", "# Tides\n\nThe Moon pulls the sea, and so there are two tides a day.\n")
    return packed.getvalue()


FILES = READABLE | UNREADABLE | THIN | {"course.zip": _zip()}


def test_there_are_twenty_files():
    assert len(FILES) == 20


@pytest.fixture(scope="module")
def api(workspace, serve, model_folder):
    with serve(workspace) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def synced(api):
    """A collection of all the files, synced through the API."""
    made = api.post("/v1/collections", json={"title": "Física I", "language": "en", "description": "First year"})
    assert made.status_code == 201, made.text
    assert made.json()["id"] == "fisica-i"
    parts = [("tag", (None, "first-year")), *(("file", (name, content)) for name, content in FILES.items())]
    for title in ("Exams", "Minutes"):
        api.post("/v1/collections", json={"title": title, "principals": [f"group:{title.lower()}"]})
        secret = f"# {title}\n\nThe password of the archive of {title.lower()} is xylophone.\n".encode()
        api.post(f"/v1/collections/{title.lower()}/files", files=[("tag", (None, "secret")), ("f", ("a.md", secret))])
    added = api.post("/v1/collections/fisica-i/files", files=parts)
    assert added.status_code == 201, added.text
    assert len(added.json()["added"]) == 20 and added.json()["refused"] == []
    states = api.get("/v1/collections/fisica-i/files").json()["states"]
    assert states == {"uploaded": 20}
    started = api.post("/v1/sync")
    assert (started.status_code, started.json()["look"]) == (202, "/v1/sync")
    assert api.post("/v1/sync").status_code == 409
    doing = []
    for _ in range(2400):
        state = api.get("/v1/sync").json()
        if not state["running"]:
            break
        doing += [one["stage"] for one in state["doing"]]
        time.sleep(0.1)
    assert state["last"]["published"] and not state["last"]["errors"], state
    assert set(doing) & {"fetch", "extract", "chunk", "embed", "index"}  # what it does when one happens to look
    return api


def test_each_file_has_come_as_far_as_it_can(synced):
    files = {file["name"]: file for file in synced.get("/v1/collections/fisica-i/files").json()["files"]}
    states = {name: file["state"] for name, file in files.items()}
    assert {name: states[safe_name(name)] for name in READABLE} == dict.fromkeys(READABLE, "live")
    assert {states[name] for name in THIN} == {"excluded"}
    assert {states[name] for name in ("picture.png", "scan.pdf")} == {"failed"}
    assert "image" in files["picture.png"]["reason"]
    assert (states["course.zip"], files["course.zip"]["chunks"]) == ("live", 1)
    assert files["entropy.md"]["tags"] == ["first-year"]


def test_what_was_uploaded_is_found_in_its_collection_and_by_its_tag(synced):
    found = synced.get("/v1/search", params={"q": "refraction Snell", "collection": "fisica-i", "k": 1}).json()
    assert found["hits"][0]["uri"] == "teaching/fisica-i/optics.html"
    assert synced.get("/v1/search", params={"q": "refraction", "tag": "first-year"}).json()["hits"]
    assert synced.get("/v1/search", params={"q": "refraction", "collection": "exams"}).json()["hits"] == []
    tides = synced.get("/v1/search", params={"q": "Moon tides", "k": 1}).json()["hits"][0]
    assert tides["uri"] == "teaching/fisica-i/course.zip!/week1/tides.md"
    listed = synced.get("/v1/generators").json()
    assert listed["default"] == "extractive" and [one["name"] for one in listed["generators"]] == ["extractive"]
    asked = {"question": "Who said that entropy never decreases?", "generator": "extractive"}
    answer = synced.post("/v1/ask", json=asked).json()
    assert "Clausius" in answer["answer"] and answer["citations"] and answer["receipt_id"]
    assert [claim["state"] for claim in answer["claims"]] == ["quoted"] * len(answer["claims"]) != []
    assert answer["missing"] is None
    nowhere = synced.post("/v1/ask", json=asked | {"collection": "exams"}).json()
    assert nowhere["abstained"] and (nowhere["missing"]["searched"], nowhere["missing"]["nearest"]) == (0, [])
    assert "POST /v1/collections/COLLECTION/files" in nowhere["missing"]["add"]
    history = [{"question": "Who said that entropy never decreases?", "answer": answer["answer"]}]
    further = synced.post("/v1/ask", json={"question": "Who was that?", "history": history}).json()
    assert "entropy" in further["standalone"] and further["queries"] == [further["standalone"]]


def test_why_tells_where_a_file_was_lost_in_the_words_of_the_command(synced):
    asked = {"q": "refraction Snell", "uri": "fisica-i/optics.html"}
    told = synced.get("/v1/why", params=asked).json()
    assert (told["returned"], told["rank"], told["stage"]) == (True, 1, "returned")
    assert {"question", "version", "mode", "k", "document", "reason", "remedy", "chunks"} < set(told)
    left_out = synced.get("/v1/why", params=asked | {"collection": "exams"}).json()
    assert left_out["stage"] == "filtered" and "collections = exams" in left_out["reason"]
    thin = synced.get("/v1/why", params=asked | {"uri": "word.md"}).json()
    assert thin["stage"] == "excluded"
    assert synced.get("/v1/why", params={"q": "refraction"}).status_code == 400
    hidden = synced.get("/v1/why", params={"q": "password", "uri": "minutes/a.md"}).json()
    assert hidden["stage"] == "unknown" and hidden["document"] is None
    explained = synced.get("/v1/search", params={"q": "refraction", "explain": "true", "per_document": "1"}).json()
    assert explained["explanation"][0]["ended"] == "returned"


@pytest.mark.parametrize("named", [{"collection": "fisica-2"}, {"source": "teachings"}])
def test_a_collection_or_source_that_is_not_there_is_an_error(synced, named):
    for told in (
        synced.get("/v1/search", params={"q": "refraction", **named}),
        synced.get("/v1/why", params={"q": "refraction", "uri": "optics.html", **named}),
        synced.post("/v1/ask", json={"question": "Who measured refraction?", **named}),
    ):
        assert told.status_code == 404 and "did you mean" in told.json()["detail"], told.text


def test_a_token_never_leads_to_what_its_principals_may_not_read(synced, workspace):
    tokens = Tokens(open_workspace(workspace).journal)
    made = {who: tokens.create(who, principals=[f"group:{who}"]) for who in ("exams", "others")}
    ways = [{}, {"collection": "exams"}, {"tag": "secret"}, {"source": "teaching"}, {"mode": "vector", "k": 1000}]
    try:
        for who, sees in (("exams", True), ("others", False)):
            asked = {"base_url": synced.base_url, "headers": {"authorization": f"Bearer {made[who]}"}, "timeout": 60}
            with httpx.Client(**asked) as client:
                for way in ways:
                    found = client.get("/v1/search", params={"q": "password of the archive", **way}).text
                    assert ("xylophone" in found) is sees and "teaching/minutes" not in found, (who, way)
                    question = {"question": "What is the password of the archive?", **way}
                    assert ("xylophone" in client.post("/v1/ask", json=question).text) is sees, (who, way)
                assert (client.get("/v1/collections/exams/files").status_code == 200) is sees
                assert client.get("/v1/collections/minutes").status_code == 404
                unknown = [client.get("/v1/search", params={"q": "x", "collection": name}) for name in ("minutes", "m")]
                assert [one.status_code for one in unknown] == [404, 404] and "minutes'" not in unknown[1].text
                assert "minutes" not in client.get("/v1/collections").text
                tokens.revoke(who)
                assert client.get("/v1/search", params={"q": "password of the archive"}).status_code == 401
    finally:
        for token in tokens.list():
            tokens.revoke(token.name)


def test_the_command_line_tells_the_same(synced, workspace):
    told = told_in_process(workspace, "status", "fisica-i")
    over_http = synced.get("/v1/collections/fisica-i/files").json()
    assert told["files"] == over_http["files"] and told["states"] == over_http["states"]
    assert told_in_process(workspace, "list") == synced.get("/v1/collections").json()["collections"]
    assert told_in_process(workspace, "show", "fisica-i")["collection"]["files"] == 20


def test_a_collection_on_the_command_line_from_the_first_file_to_the_last(synced, workspace, tmp_path):
    (tmp_path / "waves.md").write_text("# Waves\n\nA wave carries energy.\n")
    made = told_in_process(workspace, "create", "Waves", "--lang", "en", "--principal", "group:students")
    assert (made["id"], made["principals"]) == ("waves", ["group:students"])
    added = told_in_process(workspace, "add", "waves", str(tmp_path / "waves.md"), "/none.md", code=1)
    assert [file["uri"] for file in added["added"]] == ["teaching/waves/waves.md"] and len(added["refused"]) == 1
    assert told_in_process(workspace, "change", "waves", "--title", "Oscillation")["title"] == "Oscillation"
    assert told_in_process(workspace, "remove", "waves", "waves.md") == {"removed": ["waves.md"]}
    assert told_in_process(workspace, "delete", "waves") == {"deleted": "waves", "files": 0}


def test_collections_are_changed_and_deleted(api):
    assert api.post("/v1/collections", json={"title": "Old", "id": "old"}).status_code == 201
    assert api.post("/v1/collections", json={"title": "Old", "id": "old"}).status_code == 409
    assert api.patch("/v1/collections/old", json={"title": "New"}).json()["title"] == "New"
    assert api.post("/v1/collections/old/files", files={"file": ("a b.md", b"text")}).status_code == 201
    assert api.get("/v1/collections/old").json()["files"] == 1
    assert api.delete("/v1/collections/old/files/a%20b.md").status_code == 204
    assert api.delete("/v1/collections/old/files/a%20b.md").status_code == 404
    assert api.delete("/v1/collections/old").status_code == 204
    assert api.get("/v1/collections/old").status_code == 404


def test_too_large_a_file_is_refused_and_the_others_are_kept(api):
    api.post("/v1/collections", json={"title": "Limits"})
    files = [("file", ("big.bin", bytes(350_000))), ("file", ("small.md", b"small"))]
    done = api.post("/v1/collections/limits/files", files=files)
    assert done.status_code == 207
    assert [file["name"] for file in done.json()["added"]] == ["small.md"]
    assert done.json()["refused"][0]["expected"] == "at most max_bytes = 300,000"
    alone = api.post("/v1/collections/limits/files", files={"file": ("big.bin", bytes(350_000))})
    assert alone.status_code == 413 and "max_bytes" in alone.json()["do"]
    many = [("file", (f"{n}.md", b"%d" % n)) for n in range(35)]
    done = api.post("/v1/collections/limits/files", files=many).json()
    assert (len(done["added"]), len(done["refused"])) == (29, 6)
    api.delete("/v1/collections/limits")


def test_what_is_sent_without_end_is_stopped(api):
    api.post("/v1/collections", json={"title": "Endless"})
    sent = []

    def endless():
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="e.bin"\r\n\r\n'
        for number in range(10_000):
            sent.append(number)
            yield bytes(10_000)

    with suppress(httpx.TransportError):  # a server that reads no further may answer or hang up
        api.post(
            "/v1/collections/endless/files",
            content=endless(),
            headers={"content-type": "multipart/form-data; boundary=x"},
        )
    assert len(sent) < 9_000
    assert api.get("/v1/collections/endless").json()["files"] == 0
    api.delete("/v1/collections/endless")


def test_an_upload_that_breaks_off_leaves_nothing(api, workspace):
    api.post("/v1/collections", json={"title": "Broken"})
    host, port = api.base_url.host, api.base_url.port
    head = f"POST /v1/collections/broken/files HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 5000\r\n"
    head += "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
    part = '--x\r\nContent-Disposition: form-data; name="file"; filename="half.md"\r\n\r\nhalf of it'
    with socket.create_connection((host, port)) as connection:
        connection.sendall((head + part).encode())
        time.sleep(0.3)
    folder = workspace / "data" / "uploads" / "teaching" / "broken"
    for _ in range(300):
        if not list(folder.glob("*")):
            break
        time.sleep(0.1)
    assert list(folder.glob("*")) == [] and api.get("/v1/collections/broken").json()["files"] == 0
    api.delete("/v1/collections/broken")


def test_many_upload_at_a_time(api):
    api.post("/v1/collections", json={"title": "Many"})
    statuses = []

    def send(name):
        done = httpx.post(f"{api.base_url}/v1/collections/many/files", files={"file": (name, name.encode() * 9)})
        statuses.append(done.status_code)

    threads = [threading.Thread(target=send, args=(f"{n % 6}.md",)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [201] * 12 and api.get("/v1/collections/many").json()["files"] == 6
    api.delete("/v1/collections/many")


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("POST", "/v1/collections", {"content": b"{"}, 400),
        ("POST", "/v1/collections", {"content": b"[]"}, 400),
        ("POST", "/v1/collections", {"json": {}}, 400),
        ("POST", "/v1/collections", {"json": {"title": 7}}, 400),
        ("POST", "/v1/collections", {"json": {"title": "x", "colour": "red"}}, 400),
        ("POST", "/v1/collections", {"json": {"title": "x", "principals": "everyone"}}, 400),
        ("POST", "/v1/collections", {"json": {"title": "量子"}}, 400),
        ("POST", "/v1/collections", {"content": b" " * 200_000}, 413),
        ("POST", "/v1/collections/none/files", {"files": {"file": ("a.md", b"x")}}, 404),
        ("GET", "/v1/collections/none/files", {}, 404),
        ("GET", "/v1/collections?source=other", {}, 404),
        ("GET", "/v1/nothing", {}, 404),
        ("PUT", "/v1/collections", {}, 405),
        ("GET", "/v1/search", {}, 400),
        ("GET", "/v1/search?q=x&k=0", {}, 400),
        ("GET", "/v1/search?q=x&mode=magic", {}, 400),
        ("GET", "/v1/search?q=x&match=most", {}, 400),
        ("GET", "/v1/search?q=x&colour=red", {}, 400),
        ("GET", "/v1/search?q=x&since=tomorrow", {}, 400),
        ("POST", "/v1/ask", {"json": {"question": ""}}, 400),
        ("POST", "/v1/ask", {"json": {"question": "x", "collection": 7}}, 400),
        ("POST", "/v1/ask", {"json": {"question": "x", "history": [["a", "b"]]}}, 400),
        ("POST", "/v1/ask", {"json": {"question": "x", "history": [{"question": "a", "answer": 7}]}}, 400),
        ("POST", "/v1/ask", {"json": {"question": "x", "generator": "nobody"}}, 400),
        ("POST", "/v1/ask", {"json": {"question": "x", "generator": ["extractive"]}}, 400),
        ("POST", "/v1/sync", {"json": {"sources": ["other"]}}, 400),
        ("POST", "/v1/sync", {"json": {"sources": "teaching"}}, 400),
        ("POST", "/v1/sync", {"json": {"sources": ["--allow-mass-delete"]}}, 400),
        ("GET", "/v1/collections?source=..%2F..", {}, 404),
        ("GET", "/v1/collections/", {}, 404),
        ("GET", "/v1/collections/..%2F..%2Fapp.sqlite", {}, 404),
        ("DELETE", "/v1/collections/%2E%2E", {}, 404),
        ("POST", "/v1/collections", {"content": b"[" * 50_000}, 400),
        ("POST", "/v1/collections", {"content": b'{"title": "\\ud800"}'}, 400),
        ("POST", "/v1/collections", {"content": b'{"title": NaN}'}, 400),
        ("POST", "/v1/collections", {"json": {"title": "T", "id": 5}}, 400),
        ("POST", "/v1/collections", {"json": {"title": "T", "principals": 5}}, 400),
        ("POST", "/v1/collections", {"json": {"title": "T", "principals": {"*": 1}}}, 400),
        ("POST", "/v1/ask", {"json": {"question": "x", "k": True}}, 400),
        ("POST", "/v1/ask", {"json": {"question": "x", "k": 1.5}}, 400),
        ("POST", "/v1/ask", {"content": b'{"question": "x", "tag": ["\\ud800"]}'}, 400),
    ],
)
def test_what_is_wrong_is_told(api, method, path, sent, status):
    told = api.request(method, path, **sent)
    assert told.status_code == status, told.text
    assert told.headers["content-type"] == "application/problem+json" and told.json()["status"] == status
    assert set(told.json()) >= {"detail", "expected", "do"} and all(map(str.strip, map(str, told.json().values())))
    assert not re.search(r"(?i)pydantic|validation error|input should|field required|type=", told.text)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/json", b"{}"),
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=" + "b" * 5000, b"--x--\r\n"),
        ("multipart/form-data; boundary=x", b"--x--\r\n"),
        ("multipart/form-data; boundary=x", b"nothing of the kind"),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nx'),
        ("multipart/form-data; boundary=x", b"--x\r\n" + b"A" * 20_000 + b": b\r\n\r\n"),
    ],
)
def test_a_form_that_is_none_is_told(api, kind, content):
    api.post("/v1/collections", json={"title": "Forms"})
    told = api.post("/v1/collections/forms/files", content=content, headers={"content-type": kind})
    assert told.status_code in (400, 415) and told.json()["expected"], told.text
    assert api.get("/v1/collections/forms").json()["files"] == 0


def test_a_body_of_which_no_more_comes_is_given_up(monkeypatch):
    from starlette.requests import Request

    monkeypatch.setattr(bodies, "PATIENCE", 0.05)

    async def stalls():
        await asyncio.sleep(60)

    async def read():
        return [piece async for piece in bodies.pieces(Request({"type": "http", "headers": []}, stalls))]

    with pytest.raises(Problem, match="nothing of the body came"):
        asyncio.run(read())


def test_no_browser_guesses_at_what_an_answer_is(api):
    told = api.get("/healthz")
    assert (told.headers["content-type"], told.headers["x-content-type-options"]) == ("application/json", "nosniff")


def test_what_is_answered_is_what_the_description_says(synced):
    described = synced.get("/v1/openapi.json").json()
    asked = [
        ("get", "/v1/collections", {}), ("get", "/v1/collections/{id}", {}), ("get", "/v1/collections/{id}/files", {}),
        ("get", "/v1/search", {"params": {"q": "refraction", "explain": "yes", "k": 2}}),
        ("get", "/v1/why", {"params": {"q": "refraction", "uri": "optics.html"}}), ("get", "/v1/generators", {}),
        ("post", "/v1/ask", {"json": {"question": "Who measured refraction?", "tag": "first-year"}}),
        ("post", "/v1/ask", {"json": {"question": "Who painted the sky of Mars?"}}),
        ("get", "/v1/sync", {}), ("get", "/v1/release", {}),
        ("post", "/v1/collections", {"json": {"title": "Described"}}),
        ("post", "/v1/collections/{id}/files", {"files": {"file": ("d.md", b"described")}}),
        ("post", "/v1/ask", {"json": {"question": ""}}), ("get", "/v1/search", {"params": {"k": "x"}}),
    ]  # fmt: skip
    for method, path, sent in asked:
        told = synced.request(method, path.format(id="fisica-i"), **sent)
        responses = described["paths"][path][method]["responses"]
        content = responses.get(str(told.status_code), responses["default"])["content"]
        schema = content[told.headers["content-type"]]["schema"]
        jsonschema.validate(told.json(), schema | {"components": described["components"]})
        model = described["components"]["schemas"][schema["$ref"].split("/")[-1]]
        assert set(told.json()) <= set(model["properties"]), (method, path)
    synced.delete("/v1/collections/described")
    synced.delete("/v1/collections/fisica-i/files/d.md")


def test_what_a_request_may_hold_is_described(api):
    described = api.get("/v1/openapi.json").json()
    search = {one["name"]: one for one in described["paths"]["/v1/search"]["get"]["parameters"]}
    assert [name for name, one in search.items() if one["required"]] == ["q"]
    assert search["k"]["schema"]["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 1000}
    asked = described["components"]["schemas"]["AskRequest"]
    assert (asked["required"], asked["additionalProperties"]) == (["question"], False)
    form = described["paths"]["/v1/collections/{id}/files"]["post"]["requestBody"]["content"]
    assert set(form["multipart/form-data"]["schema"]["properties"]) == {"title", "tag", "file"}


def test_no_page_loads_anything_from_another_host(api):
    page = api.get("/docs")
    own = [page.text, *(api.get(path).text for path in re.findall(r'(?:src|href)="([^"]+)"', page.text))]
    assert len(own) == 5 and "default-src 'none'; script-src 'self'" in page.headers["content-security-policy"]
    assert not re.search(r'(src|href)="(https?:)?//', page.text) and api.get("/docs/nothing").status_code == 404
    assert api.get("/openapi.json").json() == api.get("/v1/openapi.json").json()
    assert api.get("/redoc").status_code == 404


def test_the_description_names_every_route(api):
    described = api.get("/v1/openapi.json").json()
    routes = {(path, method) for path, methods in described["paths"].items() for method in methods}
    assert ("/v1/collections/{id}/files", "post") in routes and len(routes) >= 73
    assert all(operation["summary"] for methods in described["paths"].values() for operation in methods.values())
