// The panel of the widget. What an answer says is shown as text: no markup of it is ever read as HTML.
const given = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, "", location.pathname); // the token is kept here alone
const at = (id) => document.getElementById(id);
const [log, status, field] = ["log", "status", "question"].map(at);
const form = document.querySelector("form");
const turns = [];

const make = (name, text = "", properties = {}) => Object.assign(document.createElement(name), { textContent: text }, properties);
const theme = () => {
  const dark = given.get("theme") === "dark" || (given.get("theme") !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
};
theme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
for (const name of ["accent", "ink"]) {
  if (/^#[0-9a-f]{6}$/i.test(given.get(name) ?? "")) document.documentElement.style.setProperty(`--${name}`, given.get(name));
}
document.documentElement.lang = given.get("lang") || "en";
at("title").textContent = document.title = given.get("title") || "Ask";
if (given.get("placeholder")) field.placeholder = given.get("placeholder");
if (given.get("greeting")) log.append(make("p", given.get("greeting")));

const FAILED = "The server failed.";
async function send(where, body, accept = "application/json") {
  const headers = { "content-type": "application/json", authorization: `Bearer ${given.get("token")}`, accept };
  const reply = await fetch(where, { method: "POST", headers, body: JSON.stringify(body) });
  if (reply.ok) return reply;
  const said = await reply.json().catch(() => ({}));
  throw new Error(reply.status === 429 ? "Too many questions at once. Please wait a minute." : said.detail || FAILED);
}

// The name and the document of each server-sent event.
async function* events(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "", read; !(read = await reader.read()).done;) {
    const blocks = (rest + read.value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const [name, data] = ["event: ", "data: "].map((key) => block.split("\n").find((line) => line.startsWith(key))?.slice(key.length));
      if (data) yield [name, JSON.parse(data)];
    }
  }
}

// Writes what comes into the draft; returns the checked answer that takes its place.
async function answered(reply, draft) {
  for await (const [name, said] of events(reply)) {
    if (name === "answer") return said;
    if (name === "error") throw new Error(said.detail || FAILED);
    draft.textContent = name === "token" ? draft.textContent + said.text : "";
  }
  throw new Error(FAILED);
}

// A paragraph, or a quote, with [n] as links to the sources below it.
function marked(said, place, known) {
  const text = said.replace(/^> ?/gm, "");
  const line = make(text === said ? "p" : "blockquote");
  let from = 0;
  for (const mark of text.matchAll(/\[(\d+)\]/g)) {
    if (!known.has(Number(mark[1]))) continue;
    const label = `Source ${mark[1]}`;
    const link = make("a", mark[0], { href: `#${place}-${mark[1]}`, ariaLabel: label });
    line.append(text.slice(from, mark.index), link);
    from = mark.index + mark[0].length;
  }
  line.append(text.slice(from));
  return line;
}

function source(citation, place) {
  const item = make("li", "", { id: `${place}-${citation.n}`, tabIndex: -1 });
  const name = `[${citation.n}] ${citation.title || citation.uri}`;
  const web = /^https?:\/\//i.test(citation.uri);
  item.append(web ? make("a", name, { href: citation.uri, target: "_blank", rel: "noopener noreferrer" }) : make("span", name));
  item.append(make("blockquote", citation.quote));
  return item;
}

function judge(receipt) {
  const row = make("p", "", { className: "judge" });
  const buttons = [["Helpful", true], ["Not helpful", false]].map(([label, good]) => {
    const button = make("button", label, { type: "button", ariaPressed: "false" });
    button.addEventListener("click", async () => {
      await send("feedback", { receipt, good }).then(() => {
        for (const one of buttons) one.ariaPressed = String(one === button);
        status.textContent = "Thank you.";
      }, (error) => { status.textContent = error.message; });
    });
    return button;
  });
  row.append(...buttons);
  return row;
}

function show(answer) {
  const place = `s${turns.length}`;
  const block = make("div", "", { className: "answer" });
  const known = new Set(answer.citations.map((one) => one.n));
  block.append(...answer.answer.split(/\n{2,}/).map((text) => marked(text, place, known)));
  block.append(...answer.notes.map((note) => make("p", note, { className: "note" })));
  if (answer.citations.length) {
    const list = make("ol");
    list.append(...answer.citations.map((one) => source(one, place)));
    block.append(list);
  }
  block.append(judge(answer.receipt));
  return block;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const question = field.value.trim();
  const button = form.querySelector("button");
  if (!question || button.disabled) return;
  button.disabled = true;
  log.append(make("p", question, { className: "asked" }));
  field.value = "";
  status.textContent = "Looking for an answer …";
  const draft = make("div", "", { className: "draft" });
  log.append(draft);
  log.ariaBusy = "true"; // the whole is read out, not each piece of it
  let shown;
  try {
    const asked = { question, history: turns.slice(-5), site: given.get("site") ?? "", assistant: given.get("assistant") ?? "" };
    const answer = await answered(await send("ask", asked, "text/event-stream"), draft);
    shown = show(answer);
    turns.push({ question, answer: answer.answer });
  } catch (error) {
    shown = make("p", error.message, { className: "failed" });
    field.value = question;
  }
  status.textContent = "";
  draft.replaceWith(shown);
  log.ariaBusy = "false";
  shown.scrollIntoView({ block: "nearest" });
  button.disabled = false;
  field.focus();
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
const close = () => parent.postMessage({ rag: "close" }, "*"); // says nothing that any page may not know
at("close").addEventListener("click", close);
addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
addEventListener("message", (event) => { if (event.source === parent && event.data?.rag === "focus") field.focus(); });
field.disabled = form.querySelector("button").disabled = false; // what is typed before this script runs would be lost
