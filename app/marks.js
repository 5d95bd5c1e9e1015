// A link within the page leads there without loading it anew; what stands on it already is only scrolled to.
// Without this script it is an ordinary link to the same place.
window.followLinks ||= (document.addEventListener("click", (click) => {
  const link = click.target.closest?.("a.cite, a.inner");
  if (!link?.href || click.button || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  history.pushState({}, "", link.href);
  const there = link.dataset.to && document.getElementById(link.dataset.to);
  if (there) there.scrollIntoView({ block: "start" });
  else dispatchEvent(new PopStateEvent("popstate")); // Streamlit then shows what the address names
}), true);
