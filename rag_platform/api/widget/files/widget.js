// A button on any page that opens a panel to ask in. The panel is a frame of the server's own origin, so the page cannot
// read what is asked, and needs nothing in its Content-Security-Policy but script-src and frame-src for that origin.
(() => {
  const script = document.currentScript;
  const given = { label: "Ask", title: "Ask", position: "right", accent: "#1a5fb4", theme: "auto", ...script.dataset };
  const light = (colour) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.179;
  };
  given.accent = /^#[0-9a-f]{6}$/i.test(given.accent) ? given.accent : "#1a5fb4";
  given.ink = light(given.accent) ? "#000000" : "#ffffff"; // what can be read on the accent
  given.site = location.origin; // for its rate: what others spend on their site is not this one's
  const side = given.position === "left" ? "left" : "right";

  const style = new CSSStyleSheet();
  style.replaceSync(`
    button { position: fixed; bottom: 1rem; ${side}: 1rem; z-index: 2147483646; padding: .75rem 1.25rem; border: 0;
      border-radius: 2rem; font: 600 1rem/1.2 system-ui, sans-serif; cursor: pointer; color: ${given.ink};
      background: var(--rag-accent, ${given.accent}); box-shadow: 0 2px 8px #0006; }
    button:focus-visible { outline: 3px solid ${given.accent}; outline-offset: 3px; }
    iframe { position: fixed; bottom: 4.5rem; ${side}: 1rem; z-index: 2147483647; border: 0; border-radius: .75rem;
      width: min(26rem, calc(100vw - 2rem)); height: min(38rem, calc(100vh - 6rem)); box-shadow: 0 4px 24px #0006;
      color-scheme: normal; }
    [hidden] { display: none; }`);

  const host = document.createElement("rag-widget");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [style];
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = given.label;
  button.setAttribute("aria-expanded", "false");
  root.append(button);
  let frame = null;

  const tell = () => frame.contentWindow.postMessage({ rag: "focus" }, new URL(script.src).origin);
  const build = () => {
    frame = document.createElement("iframe");
    frame.title = given.title;
    frame.referrerPolicy = "no-referrer";
    frame.src = `${new URL("widget/panel", script.src)}#${new URLSearchParams(given)}`; // a fragment is in no log
    frame.addEventListener("load", tell);
    root.append(frame);
  };
  const show = (open) => {
    if (open && !frame) build();
    frame.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    open ? tell() : button.focus();
  };
  button.addEventListener("click", () => show(!frame || frame.hidden));
  addEventListener("message", (event) => {
    if (frame && event.source === frame.contentWindow && event.data?.rag === "close") show(false);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && frame && !frame.hidden) show(false);
  });
  const place = () => document.body.append(host);
  document.body ? place() : addEventListener("DOMContentLoaded", place);
})();
