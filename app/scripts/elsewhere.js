// The scripts that other views begin with come when the first view stands: before, they would take its place on the line.
(() => {
  const later = document.getElementById("elsewhere");
  if (!later) return;  // the document is Streamlit's own
  const look = new MutationObserver(() => {
    if (!document.querySelector('[data-test-script-state="notRunning"]')) return;
    look.disconnect();
    (window.requestIdleCallback ?? setTimeout)(() => document.head.append(later.content));
  });
  look.observe(document, { attributeFilter: ["data-test-script-state"], subtree: true });
})();
