// The keys of the search, and its history: "/" goes to the box, arrows or j and k through the results, Enter in the box
// reranks, Esc leads back. Each question that was settled is one step of the back button, not each of its letters.
window.searchKeys ||= (() => {
  const box = () => document.querySelector(".st-key-q input");
  const hits = () => [...document.querySelectorAll(".hits .open")];
  const empty = (at) => at.matches?.('[data-testid="stChatInputTextArea"]') && !at.value; // it has the focus unasked
  const typing = (at) => at.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) && !empty(at));
  const toBox = () => { const at = box(); at?.focus(); at?.select(); scrollTo({ top: 0 }); };
  const to = (hit) => { hit.focus({ preventScroll: true }); hit.closest(".hit").scrollIntoView({ block: "nearest" }); };
  const move = (step) => {
    const all = hits(), at = all.indexOf(document.activeElement?.closest(".hit")?.querySelector(".open"));
    if (at + step < 0) return toBox();
    if (all[at + step]) to(all[at + step]);
  };
  let settled = true, opened = null, back = false, last = null;
  const settle = () => { settled = true; };
  let pause;
  document.addEventListener("keydown", (key) => {
    const at = key.target, inBox = at === box(), entered = inBox && key.key === "Enter";
    if (key.ctrlKey || key.metaKey || key.altKey || key.isComposing || (key.defaultPrevented && !entered)) return;
    if (key.key === "/" && !typing(at)) {
      key.preventDefault();
      if (box()) toBox(); else { last = "/"; window.followLinks(new URL("search", document.baseURI)); }
    } else if (key.key === "Escape" && opened && location.pathname.endsWith("/document") && !typing(at)) {
      history.back();
    } else if (!box()) {
      return;
    } else if (entered) {  // the box itself has sent its text, if that is new
      document.querySelector(".st-key-go button")?.click();
      settle();
    } else if (key.key === "Escape" && at.closest?.(".search")) {
      toBox();
    } else if ((key.key === "ArrowDown" || (key.key === "j" && !inBox)) && (inBox || !typing(at)) && hits().length) {
      key.preventDefault();
      move(1);
    } else if ((key.key === "ArrowUp" || key.key === "k") && !typing(at) && at.closest?.(".hits")) {
      key.preventDefault();
      move(-1);
    }
  });
  document.addEventListener("input", (input) => {
    if (input.target !== box()) return;
    if (settled) history.pushState(history.state, "", location.href);  // the letters to come replace this copy
    settled = false;
    clearTimeout(pause);
    pause = setTimeout(settle, 2000);
  }, true);
  addEventListener("popstate", () => { settle(); back = Boolean(opened) && location.pathname.endsWith("/search"); });
  // What had the focus has it again when its list was drawn anew, and the hit that was opened when one comes back.
  const name = (link) => {
    if (link.matches(".open")) return link.getAttribute("href");
    const list = link.closest("section, nav") ?? link.closest("ul");
    return [list.querySelector("h2")?.textContent ?? list.ariaLabel, link.firstChild.textContent].join("\n");
  };
  document.addEventListener("focusin", (focus) => {
    last = focus.target.matches(".search a") ? name(focus.target) : null;
  });
  document.addEventListener("mousedown", () => { last = null; });
  document.addEventListener("click", (click) => {
    const link = click.target.closest?.(".search a");
    opened = link?.matches(".open") ? name(link) : opened;
    if (link?.closest(".pages")) scrollTo({ top: 0 });
  }, true);
  new MutationObserver(() => {
    const wanted = last ?? (back ? opened : null);
    if (!wanted || !box() || (document.activeElement && document.activeElement !== document.body)) return;
    if (last === "/") return toBox();
    const link = [...document.querySelectorAll(".search a")].find((one) => name(one) === wanted);
    if (!link) return;
    if (link.matches(".open")) to(link); else link.focus({ preventScroll: true });
    if (back) opened = null, back = false;
  }).observe(document.body, { childList: true, subtree: true });
  return true;
})();
