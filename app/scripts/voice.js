// Questions by voice and answers read aloud, by the browser's own speech: a browser without it has no button.
// No sound goes through this page; some browsers send what they hear to their maker.
window.voice ||= (() => {
  const Recognition = window.SpeechRecognition || window.webkitSpeechRecognition;
  const synthesis = "SpeechSynthesisUtterance" in window ? window.speechSynthesis : undefined;
  if (synthesis) document.documentElement.classList.add("speaks");
  let spoken = null, heard = null;

  const silent = () => {
    synthesis.cancel();
    spoken?.setAttribute("aria-pressed", "false");
    if (spoken) spoken.textContent = spoken.dataset.speak;
    spoken = null;
  };
  document.addEventListener("click", (click) => {
    const button = click.target.closest?.("button.tool[data-speak]");
    if (!button || !synthesis) return;
    const again = spoken === button;
    silent();
    if (again) return;
    const said = Object.assign(new SpeechSynthesisUtterance(button.dataset.said), { lang: button.dataset.lang });
    said.onend = said.onerror = () => spoken === button && silent();
    [spoken, button.textContent] = [button, button.dataset.stop];
    button.setAttribute("aria-pressed", "true");
    synthesis.speak(said);
  }, true);
  if (synthesis) addEventListener("pagehide", silent);
  if (!Recognition) return true;

  const box = () => document.querySelector('[data-testid="stChatInputTextArea"]');
  const write = (text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box(), text);
    box().dispatchEvent(new Event("input", { bubbles: true }));
  };
  const listen = (button) => {
    const before = box().value.trim();
    heard = Object.assign(new Recognition(), { lang: navigator.language, interimResults: true });
    heard.onresult = ({ results }) =>
      box() && write([before, ...[...results].map(([best]) => best.transcript.trim())].filter(Boolean).join(" "));
    heard.onerror = ({ error }) => (button.title = `${button.dataset.failed} (${error})`);
    heard.onend = () => {
      heard = null;
      button.setAttribute("aria-pressed", "false");
      box()?.focus();
    };
    button.title = "";
    button.setAttribute("aria-pressed", "true");
    heard.start();
  };
  document.addEventListener("click", (click) => {
    const button = click.target.closest?.("button.listen");
    if (!button) return;
    click.preventDefault();
    if (heard) heard.stop();
    else if (box()) listen(button);
  }, true);
  document.documentElement.classList.add("listens");
  return true;
})();
