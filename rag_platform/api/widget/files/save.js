// Where the bookmarklet leads: a page of this server's own origin, which is handed the other page as text and never shows it.
const at = (id) => document.getElementById(id);
const [keys, save, ask, status, log] = ["keys", "save", "ask", "status", "log"].map(at);
const KEY = "rag-token";
// The page comes in the address's fragment, which no server sees: no Content-Security-Policy of it has to allow anything.
const bookmarklet = (place) => {
  const page = { url: location.href, title: document.title, text: String(getSelection()), html: "" };
  const html = document.documentElement.outerHTML;
  if (html.length < 250000) page.html = html;
  open(`${place}#${encodeURIComponent(JSON.stringify(page))}`);
};
at("bookmarklet").href = `javascript:(${encodeURIComponent(String(bookmarklet))})(${JSON.stringify(location.href.split("#")[0])})`;

let page = null;
try {
  page = JSON.parse(decodeURIComponent(location.hash.slice(1)));
} catch {
  page = null; // opened by itself
}
history.replaceState(null, "", location.pathname);
at("mark").hidden = Boolean(page);
at("about").textContent = page ? `${page.title} (${page.url})` : "";
at("question").value = page?.text ?? "";

async function send(method, where, body, headers = {}) {
  const reply = await fetch(where, { method, body, headers: { authorization: `Bearer ${localStorage.getItem(KEY)}`, ...headers } });
  const said = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Error(said.error || said.detail || said.title || "The server failed.");
  return said;
}
const told = (work) => async (event) => {
  event?.preventDefault();
  status.textContent = "One moment …";
  try {
    status.textContent = await work();
  } catch (error) {
    status.textContent = error.message;
  }
};
const line = (name, text) => Object.assign(document.createElement(name), { textContent: text });

const unlock = told(async () => {
  const known = (await send("GET", "v1/collections")).collections;
  at("collection").replaceChildren(...known.map((one) => Object.assign(line("option", one.title), { value: one.id })));
  keys.hidden = true;
  save.hidden = !(page && known.length);
  ask.hidden = at("forget").hidden = false;
  return page && !known.length ? "There is no collection to save it in." : "";
});
keys.addEventListener("submit", (event) => {
  localStorage.setItem(KEY, at("token").value.trim());
  unlock(event);
});
at("forget").addEventListener("click", () => {
  localStorage.removeItem(KEY);
  location.reload();
});
save.addEventListener("submit", told(async () => {
  const from = line("p", `Saved from ${page.url}`).outerHTML;
  const body = page.html ? page.html.replace(/<body[^>]*>/i, (tag) => tag + from) : from + line("p", page.text).outerHTML;
  const name = page.title.replace(/[^\p{L}\p{N} ._-]+/gu, " ").trim().slice(0, 80) || "page";
  const form = new FormData();
  form.append("title", page.title);
  form.append("file", new Blob([body], { type: "text/html" }), `${name}.html`);
  await send("POST", `v1/collections/${encodeURIComponent(at("collection").value)}/files`, form);
  await send("POST", "v1/sync", "{}").catch(() => null); // one that runs already, or runs later, reads it too
  return "Saved. It can be found once the next sync has published it.";
}));
ask.addEventListener("submit", told(async () => {
  const question = at("question").value.trim();
  const answer = await send("POST", "v1/ask", JSON.stringify({ question }), { "content-type": "application/json" });
  const block = line("div", "");
  block.className = "answer";
  block.append(line("p", answer.answer), ...answer.citations.map((one) => line("blockquote", `[${one.n}] ${one.title || one.uri}: ${one.quote}`)));
  log.prepend(block);
  return "";
}));
keys.hidden = false; // sent before this script runs, it would load the page anew and lose the other one
if (localStorage.getItem(KEY)) unlock();
