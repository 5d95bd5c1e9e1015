"""A Sakai-like server on loopback: a login with a token and redirects, sessions that can be ended, JSON and pages."""

import io
import json
import secrets
import threading
import zipfile
from http.cookies import SimpleCookie
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

from tests.loopback import LoopbackHandler

USER, PASSWORD = "ada", "canary-Pa55 wörd&<>"
DAY = 1_667_952_000_000
"""2022-11-09 in milliseconds."""


def pdf(text):
    """Return a PDF of one page with that text."""
    stream = f"BT /F1 18 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    return out + b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        table,
        start,
    )


def bundle(**files):
    """Return a zip of those files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.txt", text)
    return out.getvalue()


class Sakai:
    """The portal: change its attributes between syncs."""

    def __init__(self):
        self.sessions, self.tokens = set(), set()
        self.asked, self.logins = [], []
        self.broken = {}
        """Path -> status that it answers with, or, with the status 200, "login" or another "page"."""
        self.two_steps = self.in_frame = self.banner = False
        self.expires_at = None
        """Path at which all sessions end."""
        self.quiet_expiry = False
        """Without a session, the broker answers with empty lists instead of refusing."""
        self.announcements = [self.announcement("a1", "Exam room", "The exam is in room <b>2.7</b>."),
                              self.announcement("a2", "Sheet 1", "The first sheet is out.", "sheet.pdf")]  # fmt: skip
        self.files = {"bundle.zip": (bundle(notes="Kirchhoff's laws hold at every node."), 1),
                      "book.pdf": (pdf("Thevenin replaces any linear network"), 1)}  # fmt: skip
        self.wiki = {"home": "The wiki begins here: <a href='/portal/tool/t-wiki?page=two'>on</a>"
                             " <a href='/portal/tool/t-wiki?delete=all'>delete</a>",
                     "two": "Second page about superposition."}  # fmt: skip
        self.tool_pages = {}
        """Tool -> what its page shows; these are in the menu of the subject as well."""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *args: None
        self.server.sakai = self
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def announcement(self, name, title, body, attachment=None):
        url = f"/access/content/attachment/circuits/Announcements/{name}/{attachment}"
        files = [{"name": attachment, "type": "application/pdf", "size": 900, "url": url}] if attachment else []
        return {"announcementId": name, "id": name, "title": title, "body": f"<p>{body}</p>", "attachments": files,
                "createdByDisplayName": "G. Kirchhoff", "createdOn": DAY, "siteId": "circuits"}  # fmt: skip

    def log_in_by_hand(self):
        session = secrets.token_hex(8)
        self.sessions.add(session)
        return session

    def count(self, beginning):
        return sum(path.startswith(beginning) for path in self.asked)

    def pages(self):
        tools = {"t-ann": "sakai.announcements", "t-res": "sakai.resources", "t-les": "sakai.lessonbuildertool",
                 "t-asn": "sakai.assignment.grades", "t-quiz": "sakai.samigo", "t-syl": "sakai.syllabus",
                 "t-cal": "sakai.schedule", "t-wiki": "sakai.rwiki", "t-ros": "sakai.site.roster2"}  # fmt: skip
        return [{"id": f"p-{tool}", "title": name, "tools": [{"id": tool, "toolId": name, "title": name}]}
                for tool, name in tools.items()]  # fmt: skip

    def broker(self, path):
        """Return what the entity broker says, in the shapes of Sakai; None: it knows no such thing."""
        lesson = {"id": 7, "name": "Nodal analysis", "type": 2, "contentsList": [
            {"id": 8, "type": 5, "name": "", "html": "<p>Write one equation for each node.</p>"},
            {"id": 9, "type": 1, "name": "Worked example", "html": "application/pdf",
             "sakaiId": "/group/circuits/hidden/example one.pdf", "contentType": "application/pdf"},
            {"id": 10, "type": 2, "name": "Supernodes", "contentsList": [
                {"id": 11, "type": 5, "html": "<p>A supernode encloses a voltage source.</p>"}]}]}  # fmt: skip
        resources = [{"type": "collection", "title": "circuits", "url": f"{self.url}/access/content/group/circuits/",
                      "numChildren": 2, "size": 0}]  # fmt: skip
        resources += [{"title": name, "type": "application/octet-stream", "size": len(body), "author": "A. Volta",
                       "url": f"{self.url}/access/content/group/circuits/{quote(name)}",
                       "modifiedDate": f"2022110901010{version}000"}
                      for name, (body, version) in self.files.items()]  # fmt: skip
        return {
            "site": {"site_collection": [{"id": "circuits", "title": "Circuit theory", "entityTitle": "x"},
                                         {"id": "~ada", "title": "My workspace"}]},
            "site/circuits/pages": self.pages(),
            "announcement/site/circuits": {"announcement_collection": self.announcements},
            "content/site/circuits": {"content_collection": resources},
            "lessons/site/circuits": {"lessons_collection": [{"id": 7, "lessonTitle": "Nodal analysis"}]},
            "lessons/lesson/7": lesson,
            "assignment/site/circuits": {"entityPrefix": "assignment", "assignment_collection": [
                {"id": "s1", "title": "Sheet one", "context": "circuits", "instructions": "<p>Solve 1 to 4.</p>",
                 "dueTime": {"epochSecond": 1668006000, "nano": 0}, "closeTime": {"epochSecond": 1668006000, "nano": 0},
                 "closeTimeString": "2022-11-10T00:00:00Z", "entityId": "s1", "entityTitle": "Sheet one"}]},
            "sam_pub/context/circuits": {"entityPrefix": "sam_pub", "sam_pub_collection": [
                {"publishedAssessmentId": 12345, "title": "Quiz on phasors", "startDate": DAY, "dueDate": DAY + 57_000,
                 "lastModifiedDate": DAY, "createdBy": None, "comments": None}]},
            "syllabus/site/circuits": {"siteId": "circuits", "redirectUrl": None, "items": [
                {"id": "1", "title": "Teaching guide", "data": "<p>Six credits, two partial exams.</p>"}]},
            "calendar/site/circuits": {"calendar_collection": [
                {"eventId": "e", "title": "First partial exam", "type": "Exam", "description": "Bring a calculator",
                 "firstTime": {"time": DAY}, "duration": 3600000}]},
        }.get(path)  # fmt: skip


class Handler(LoopbackHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        sakai, parts = self.server.sakai, urlsplit(self.path)
        sakai.asked.append(self.path)
        if sakai.expires_at and parts.path.startswith(sakai.expires_at):
            sakai.expires_at = None
            sakai.sessions.clear()
        broken = next((what for path, what in sakai.broken.items() if parts.path.startswith(path)), None)
        if isinstance(broken, int):
            self.reply("Sorry", broken)
        elif broken == "page":
            self.reply("<h1>Back at noon</h1>")
        elif broken == "login" or parts.path in ("/portal/login", "/portal/form"):
            self.login_page(parts)
        elif not self.session() and parts.path.startswith("/direct/") and sakai.quiet_expiry:
            self.reply({"userId": None, "site_collection": []})
        elif not self.session():
            self.reply("", 302, {"location": "/portal/login"})
        elif parts.path.startswith("/direct/"):
            self.broker(parts.path.removeprefix("/direct/").removesuffix(".json"))
        else:
            self.content(parts)

    def do_POST(self):
        sakai, length = self.server.sakai, int(self.headers["content-length"])
        form = {name: value[0] for name, value in parse_qs(self.rfile.read(length).decode()).items()}
        sakai.asked.append(f"POST {self.path}")
        if form.get("token") not in sakai.tokens or form.get("website"):
            self.reply("the token or the honeypot is wrong", 400)
        elif "pw" not in form:
            self.login_page(urlsplit("/portal/login?second"), form["eid"])
        else:
            sakai.logins.append((form.get("eid"), form["pw"]))
            if (form.get("eid"), form["pw"]) == (USER, PASSWORD):
                cookie = f"JSESSIONID={sakai.log_in_by_hand()}; Path=/; HttpOnly"
                self.reply("", 302, {"location": "/portal", "set-cookie": cookie})
            else:
                self.login_page(urlsplit("/portal/login"), error=f"Invalid login for {form['pw']}")

    def login_page(self, parts, name="", error=""):
        sakai = self.server.sakai
        if sakai.in_frame and parts.path != "/portal/form":
            self.reply("<h1>Welcome</h1><iframe src='/portal/form' width=500 height=300></iframe>")
            return
        token = secrets.token_hex(4)
        sakai.tokens.add(token)
        first = (
            "<label>User id <input name='eid'></label>"
            if not name
            else f"<input type=hidden name=eid value={name}>{name}"
        )
        second = "" if sakai.two_steps and not name else "<input type='password' name='pw'>"
        cover = "<div class=cookie-banner style='position:fixed;inset:0;background:#eee'>Cookies?" \
                "<button onclick='this.parentNode.remove()'>Reject all</button></div>"  # fmt: skip
        alert = "<div role=alert>" + error.replace("&", "&amp;").replace("<", "&lt;") + "</div>" if error else ""
        target = "_top" if sakai.in_frame else "_self"
        self.reply(
            f"<title>Sign in</title><form action='/search'><input name=q placeholder=Search></form>{alert}"
            f"<form method=post action='/portal/xlogin' target={target}>"
            f"<input type=hidden name=token value={token}>"
            f"<input name=website style='position:absolute;left:-5000px'>{first}{second}"
            f"<button type=button>Help</button><button type=submit>Log in</button></form>"
            f"{cover if sakai.banner else ''}"
        )

    def broker(self, path):
        if path == "session/current":
            self.reply({"userId": "u-1", "userEid": USER, "active": True})
            return
        answer = self.server.sakai.broker(path)
        self.reply(answer if answer is not None else "no such entity", 200 if answer is not None else 404)

    def content(self, parts):
        sakai, name = self.server.sakai, parts.path.rpartition("/")[2].replace("%20", " ")
        if parts.path == "/portal":
            self.reply(
                "<a href='/portal/site/circuits' title='Circuit theory'>Circuits</a><a href='/portal/logout'>x</a>"
            )
        elif parts.path == "/portal/site/circuits":
            icons = {page["id"].removeprefix("p-"): page["title"].replace(".", "-") for page in sakai.pages()}
            menu = "<a href='/portal/site/circuits/tool/{0}'><i class='icon-{1}'></i>{0}</a>"
            self.reply("".join(menu.format(tool, icons[tool]) for tool in sakai.tool_pages))
        elif name in sakai.tool_pages:
            self.reply(f"<title>{name}</title><main>{sakai.tool_pages[name]}</main>")
        elif parts.path == "/portal/site/circuits/tool/t-wiki":
            self.reply("<nav>Menu</nav><iframe class=portletMainIframe src='/portal/tool/t-wiki'></iframe>")
        elif parts.path == "/portal/tool/t-wiki":
            page = parse_qs(parts.query).get("page", ["home"])[0]
            self.reply(f"<title>Wiki {page}</title><main>{sakai.wiki[page]}</main>")
        elif name in sakai.files:
            self.reply(sakai.files[name][0], headers={"content-type": "application/octet-stream"})
        elif name in ("sheet.pdf", "example one.pdf"):
            self.reply(pdf(f"The text of {name}"), headers={"content-type": "application/pdf"})
        else:
            self.reply("nothing here", 404)

    def session(self):
        cookie = SimpleCookie(self.headers.get("cookie", "")).get("JSESSIONID")
        return cookie is not None and cookie.value in self.server.sakai.sessions

    def reply(self, body, status=200, headers=()):
        kind = "text/html; charset=utf-8"
        if isinstance(body, dict | list):
            body, kind = json.dumps(body), "application/json;charset=UTF-8"
        body = body.encode() if isinstance(body, str) else body
        self.answer(body, status, {"content-type": kind, **dict(headers)})
