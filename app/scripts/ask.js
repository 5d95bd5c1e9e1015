// What buttons of the view Ask do beside what Streamlit knows.
window.askButtons ||= (document.addEventListener("click", (click) => {
  const copy = click.target.closest?.("button.tool[data-copy]");
  if (copy) copyText(copy);
  if (click.target.closest?.('[data-testid="stChatInputStopButton"]')) showStopped();
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

// Streamlit only ends the reading in this tab; this button, which is not seen, ends the writing.
function showStopped() {
  const looking = setInterval(() => {
    if (document.querySelector('[data-testid="stChatInputStopButton"]')) return;
    clearInterval(looking);
    document.querySelector(".st-key-stop-writing button")?.click();
  }, 150);
}

// A question that was typed and not sent outlives a reload, and a sign-in that has expired meanwhile.
window.askDraft ||= (() => {
  const box = () => document.querySelector('[data-testid="stChatInputTextArea"]');
  const draft = () => sessionStorage.getItem("question");
  document.addEventListener("input", (input) => {
    if (input.target === box()) sessionStorage.setItem("question", input.target.value);
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

// The page follows its end while it grows; until the reader moves it, it stays where reading begins.
window.beginAtQuestion ||= () => {
  const until = Date.now() + 2500;
  let moved = false;
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(kind, () => (moved = true), { once: true, capture: true, passive: true });
  const step = () => {
    if (moved || Date.now() > until) return;
    const questions = [...document.querySelectorAll("h2.question")];
    const first = questions.length > 1 ? questions.at(-1) : document.querySelector("h1.chat-title, .hero");
    first?.scrollIntoView({ block: "start" });
    setTimeout(step, 120);
  };
  setTimeout(step, 50);
};
