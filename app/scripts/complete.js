// Behind # or @ in the box, names of collections and documents are offered, behind ! at its beginning templates of
// questions; the server finds them, as who asks may read.
window.completeNames ||= (() => {
  const SIGN = /(?:^|\s)([#@](?:"[^"]*|[^\s"]*))$|^(!\S*)$/;
  const box = () => document.querySelector('[data-testid="stChatInputTextArea"]');
  const asked = () => document.querySelector(".st-key-completing input");
  const found = () => document.querySelector(".st-key-completing ul[data-for]");
  const put = (field, value) => {
    const kind = field.tagName === "TEXTAREA" ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const typed = () => {
    const at = box();
    const found = at && document.activeElement === at && SIGN.exec(at.value.slice(0, at.selectionStart));
    return found ? found[1] ?? found[2] : undefined;
  };
  let list = null, chosen = 0, refused = null, shown = null;
  const close = () => {
    list?.remove();
    list = shown = null;
    for (const name of ["aria-controls", "aria-activedescendant", "aria-autocomplete"]) box()?.removeAttribute(name);
  };
  const mark = (place) => {
    chosen = (place + list.children.length) % list.children.length;
    [...list.children].forEach((one, at) => one.setAttribute("aria-selected", at === chosen));
    box().setAttribute("aria-activedescendant", list.children[chosen].id);
  };
  const take = (item) => {
    const at = box(), sign = typed() ?? refused, begin = at.selectionStart - (sign?.length ?? 0);
    const text = `${at.value.slice(0, begin)}${item.dataset.sign} `;
    put(at, text + at.value.slice(at.selectionStart).trimStart());
    at.setSelectionRange(text.length, text.length);
    close();
  };
  const draw = (names) => {
    close();
    shown = names.outerHTML;
    list = Object.assign(document.createElement("ul"), { className: "names", id: "names", role: "listbox" });
    list.ariaLabel = names.dataset.label;
    for (const [place, name] of [...names.children].entries()) {
      const item = Object.assign(document.createElement("li"), { id: `name-${place}`, role: "option" });
      item.dataset.sign = name.dataset.sign;
      const kind = Object.assign(document.createElement("span"), { className: "kind", textContent: name.dataset.kind });
      item.append(name.textContent, kind);
      item.addEventListener("pointerdown", (press) => { press.preventDefault(); take(item); });
      list.append(item);
    }
    const around = box().closest('[data-testid="stChatInput"]').getBoundingClientRect();
    const look = getComputedStyle(document.querySelector(".stApp"));
    Object.assign(list.style, { left: `${around.left}px`, bottom: `${innerHeight - around.top + 6}px`,
      width: `${around.width}px`, background: look.backgroundColor, color: look.color });
    box().closest("main").append(list);
    box().setAttribute("aria-controls", "names");
    box().setAttribute("aria-autocomplete", "list");  // a field of many lines may be no combobox
    mark(0);
  };
  setInterval(() => {
    const sign = typed(), names = found();
    if (sign === undefined || sign === refused || !asked()) {
      if (sign === undefined) refused = null;
      if (list) close();
    } else if (asked().value !== sign) {
      put(asked(), sign);
    } else if (names?.dataset.for === sign && names.outerHTML !== shown) {
      if (names.children.length) draw(names); else close();
    }
  }, 100);
  document.addEventListener("keydown", (key) => {
    if (!list || key.target !== box() || key.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key.key];
    if (step) mark(chosen + step);
    else if (key.key === "Enter" || key.key === "Tab") take(list.children[chosen]);
    else if (key.key === "Escape") { refused = typed(); close(); }
    else return;
    key.preventDefault();
    key.stopImmediatePropagation();
  }, true);
  return true;
})();

// A text that is selected in a document can be asked about.
window.askAbout ||= (() => {
  let button = null;
  const selected = () => {
    const chosen = getSelection(), text = chosen?.toString().trim();
    const at = chosen?.anchorNode, within = (at?.nodeType === Node.ELEMENT_NODE ? at : at?.parentElement)?.closest(".document");
    return text && within ? { text, range: chosen.getRangeAt(0) } : null;
  };
  const show = () => {
    const now = selected(), about = document.querySelector("a.ask-about[data-selected]");
    if (!now || !about) return void (button?.remove(), button = null);
    button ??= Object.assign(document.createElement("a"), { className: "ask-selected", target: "_self" });
    const address = new URL(about.href);
    address.searchParams.set("quote", now.text.slice(0, 600));
    Object.assign(button, { href: address.href, textContent: about.dataset.selected });
    const place = now.range.getBoundingClientRect();
    button.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 180))}px`;
    button.style.top = `${Math.max(8, Math.min(place.bottom + 6, innerHeight - 110))}px`;
    if (!button.isConnected) document.body.append(button);
  };
  document.addEventListener("selectionchange", () => { clearTimeout(show.soon); show.soon = setTimeout(show, 150); });
  document.addEventListener("scroll", () => { button?.remove(); button = null; }, true);
  document.addEventListener("click", (click) => {
    if (click.target !== button || click.ctrlKey || click.metaKey || click.shiftKey) return;
    click.preventDefault();
    const address = new URL(button.href);
    button.remove();
    button = null;
    window.followLinks(address);
  });
  return true;
})();
