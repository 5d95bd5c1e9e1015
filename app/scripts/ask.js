// What buttons of the view Ask do beside what Streamlit knows.
window.askButtons ||= (document.addEventListener("click", (click) => {
  const copy = click.target.closest?.("button.tool[data-copy]");
  if (copy) copyText(copy);
  if (click.target.closest?.("button.tool[data-print]")) setTimeout(() => print(), 300); // when the menu has closed
}, true), true);

async function copyText(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch { // an address without https has no clipboard
    const area = Object.assign(document.createElement("textarea"), { value: button.dataset.copy });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const said = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = said), 1600);
}

// A question that was typed and not sent outlives a reload, and a sign-in that has expired meanwhile.
window.askDraft ||= (() => {
  const box = () => document.querySelector('[data-testid="stChatInputTextArea"]');
  const draft = () => sessionStorage.getItem("question");
  document.addEventListener("input", (input) => {
    if (input.target !== box()) return;
    clearInterval(looking); // who types already wants no earlier draft, nor this one again once it is sent
    sessionStorage.setItem("question", input.target.value);
  }, true);
  setInterval(() => { // sent: it is in the chat
    const sent = [...document.querySelectorAll("h2.question")].at(-1)?.dataset.question;
    if (draft() && sent === draft().trim()) sessionStorage.removeItem("question");
  }, 400);
  const looking = setInterval(() => {
    if (!box()) return;
    clearInterval(looking);
    if (!draft() || box().value) return;
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box(), draft());
    box().dispatchEvent(new Event("input", { bubbles: true }));
  }, 200);
  return true;
})();

// Reading begins at the last question: while its answer grows, and when it is whole, until the reader moves the page.
window.beginAtQuestion ||= (() => {
  let until = 0, moved = false, pinned = null, height = 0;
  const questions = () => [...document.querySelectorAll("h2.question")];
  const named = () => [location.search, questions().length, questions().at(-1)?.dataset.question].join();
  const pin = () => {
    if (pinned === named()) return;
    pinned = named();
    moved = false;
  };
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(kind, () => (moved = true), { capture: true, passive: true });
  setInterval(() => {
    const writing = document.querySelector("details.trace.live"), welcome = document.querySelector(".hero");
    if (writing) pin();
    const now = document.querySelector(".block-container")?.scrollHeight;
    if (welcome && now !== height) until = Date.now() + 1000; // its examples have come, after which the page would end
    height = now;
    if (moved || (!writing && Date.now() > until)) return;
    const all = questions(), first = all.length > 1 ? all.at(-1) : document.querySelector("h1.chat-title") || welcome;
    first?.scrollIntoView({ block: "start" });
  }, 120);
  return () => {
    pin();
    until = Date.now() + 2500;
  };
})();

// Who comes to ask can type at once, and again when an answer is whole and what was pressed for it is gone;
// on a device without a keyboard that would cover half of the page.
window.askFocus ||= (() => {
  const seen = new WeakSet();
  let answered = 0, owed = false; // what was pressed may have the focus a while after the answer is whole
  for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => { owed = false; }, true);
  setInterval(() => {
    const box = document.querySelector('[data-testid="stChatInputTextArea"]');
    const asked = document.querySelectorAll("h2.question").length;
    if (!box || document.querySelector("details.trace.live") || !matchMedia("(hover: hover)").matches) return;
    owed ||= asked > answered || !seen.has(box);
    answered = asked;
    seen.add(box);
    if (!owed || (document.activeElement && document.activeElement !== document.body)) return;
    box.focus({ preventScroll: true });
    owed = false;
  }, 300);
  return true;
})();

// Where there is room, a source opens beside the chat, and not in its place.
window.askBeside ||= (() => {
  const WIDE = 1200;
  let from = null;
  const same = (link) => link.isConnected ? link : // it was drawn anew meanwhile
    [...document.querySelectorAll("a")].find((one) => one.href === link.href && one.className === link.className);
  const close = () => {
    document.querySelector("aside.beside")?.remove();
    document.documentElement.classList.remove("beside-open");
    if (from) same(from)?.focus({ preventScroll: true });
    from = null;
  };
  const open = (link, words) => {
    close();
    from = link;
    const aside = Object.assign(document.createElement("aside"), { className: "beside", ariaLabel: words.label });
    const whole = Object.assign(document.createElement("a"), { href: link.href, textContent: words.open });
    const shut = Object.assign(document.createElement("button"), { type: "button", textContent: words.close });
    shut.addEventListener("click", close);
    const head = document.createElement("header");
    head.append(whole, shut);
    const shown = Object.assign(document.createElement("iframe"), { title: words.label, src: `${link.href}&embed=true` });
    aside.append(head, shown);
    document.body.append(aside);
    document.documentElement.classList.add("beside-open");
    shut.focus();
  };
  document.addEventListener("click", (click) => {
    const link = click.target.closest?.('[class*="st-key-turn-"] :is(a.card, a.cite, .from a)');
    const words = link?.closest('[class*="st-key-turn-"]').querySelector(".cards")?.dataset;
    if (!words || innerWidth < WIDE || click.button || click.ctrlKey || click.metaKey || click.shiftKey) return;
    click.preventDefault();
    click.stopPropagation();
    open(link, words);
  }, true);
  document.addEventListener("keydown", (key) => {
    if (key.key === "Escape" && from) close();
  });
  let at = location.pathname + location.search;
  setInterval(() => {
    if (at === (at = location.pathname + location.search)) return;
    from = null; // another chat, or another view
    close();
  }, 200);
  return true;
})();
