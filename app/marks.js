// A mark [n] in an answer leads through the page's own link beside the same source, so that nothing is loaded anew.
// Without this script it is an ordinary link to the same place.
window.followMarks ||= (document.addEventListener("click", (click) => {
  const mark = click.target.closest?.("a.cite");
  if (!mark || click.button || click.ctrlKey || click.metaKey || click.shiftKey) return;
  const query = (link) => { const found = new URL(link.href).searchParams; found.sort(); return found.toString(); };
  const links = [...document.querySelectorAll('a[data-testid="stPageLink-NavLink"]')];
  const same = links.find((link) => query(link) === query(mark));
  if (same) { click.preventDefault(); same.click(); }
}), true);
