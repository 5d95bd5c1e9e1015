// Formulas are drawn by KaTeX, which comes with Streamlit and is loaded when there is one; until then, and where it cannot
// be read, a formula stays as it is written.
window.drawFormulas ||= (() => {
  const OPTIONS = { throwOnError: true, trust: false, strict: "ignore", maxSize: 20, maxExpand: 300, output: "htmlAndMathml" };
  const MOST = 400; // of a page; further ones stay as they are written
  const drawings = new Map(); // an answer is drawn anew with each of its words, and its formulas with it
  let katex = null, loading = false;

  const drawing = (tex, displayMode) => {
    const key = displayMode + tex;
    if (!drawings.has(key)) {
      const made = document.createElement("span");
      try {
        katex.render(tex, made, { ...OPTIONS, displayMode });
      } catch {
        made.replaceChildren();
      }
      if (drawings.size > MOST) drawings.clear();
      drawings.set(key, made);
    }
    return [...drawings.get(key).cloneNode(true).childNodes];
  };
  const look = () => {
    const waiting = document.querySelectorAll(".formula:not([data-drawn])");
    if (!waiting.length || !window.katexName) return;
    if (!katex) return load();
    const free = MOST - document.querySelectorAll(".formula[data-drawn]").length;
    [...waiting].slice(0, Math.max(0, free)).forEach((one) => {
      one.dataset.drawn = "1";
      const made = drawing(one.dataset.tex, one.dataset.display === "1");
      if (made.length) one.replaceChildren(...made); // before the browser paints: nothing flickers
    });
  };
  const load = async () => {
    if (loading) return;
    loading = true;
    const own = document.querySelector('script[type="module"][src]').src;
    katex = (await import(new URL(window.katexName, own).href)).default;
    look();
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
  return true;
})();
