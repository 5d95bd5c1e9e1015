// The scripts that other views begin with come, and are read, when the first view stands: before, they would take its
// place on the line, and when somebody goes there, they would come one wave after the other.
(() => {
  const later = document.getElementById("elsewhere");
  if (!later) return;  // the document is Streamlit's own
  const look = new MutationObserver(() => {
    if (!document.querySelector('[data-test-script-state="notRunning"]')) return;
    look.disconnect();
    const bring = () => later.content.querySelectorAll("link").forEach((one) => import(one.href).catch(() => {}));
    (window.requestIdleCallback ?? setTimeout)(bring);
  });
  look.observe(document, { attributeFilter: ["data-test-script-state"], subtree: true });
})();
