// What the page's own links, marks and buttons do beside what Streamlit knows. Without this script a link is an ordinary
// link to the same place.
window.pageLinks ||= (document.addEventListener("click", (click) => {
  const copy = click.target.closest?.("button.tool[data-copy]");
  if (copy) return void copyText(copy);
  if (click.target.closest?.('[data-testid="stChatInputStopButton"]')) return void showStopped();
  const link = click.target.closest?.("a.cite, a.card, nav.chats a");
  if (!link || click.button || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  history.pushState({}, "", link.href); // Streamlit goes where the address says when one goes back or forth in it
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
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

// Streamlit ends the script and leaves the page as it is; the button below the answer shows what was kept of it.
function showStopped() {
  const stopping = () => document.querySelector('[data-testid="stChatInputStopButton"]');
  const looking = setInterval(() => {
    if (stopping()) return;
    clearInterval(looking);
    document.querySelector(".st-key-show-stopped button")?.click();
  }, 150);
}
