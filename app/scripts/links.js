// Within a frame of our own, beside a chat, the ways to the other views are not needed, and what it shows is named so.
if (self !== top) {
  document.documentElement.classList.add("framed");
  const naming = setInterval(() => {
    const main = document.getElementById("stMain");
    if (!main) return;
    clearInterval(naming);
    main.ariaLabel = frameElement?.title ?? null;
  }, 100);
}

// A link of ours into this page, and a form that is sent as an address, are followed without loading the page anew;
// what is on the page already (data-to) is only scrolled to.
// Without this script they are ordinary links and forms to the same places.
window.followLinks ||= (() => {
  const ours = (address) => address.origin === location.origin, push = history.pushState;
  const follow = (address, there) => {
    push.call(history, {}, "", address);
    if (there) there.scrollIntoView({ block: "start" });
    else dispatchEvent(new PopStateEvent("popstate"));  // what the back button says, which Streamlit hears
  };
  // A run of the view that was left still says, on a slow line, that the address is its own: Streamlit would write that
  // as a new step, and the back button would lead to a view with another's query. Until a hand does something else, the
  // only address is the one that was followed.
  let followed = null;
  addEventListener("popstate", () => { followed = location.pathname; }, true);
  for (const hand of ["pointerdown", "keydown"]) addEventListener(hand, () => { followed = null; }, true);
  history.pushState = function (state, unused, address) {
    if (followed === null || new URL(address, location).pathname === followed) push.call(this, state, unused, address);
  };
  document.addEventListener("click", (click) => {
    const link = click.target.closest?.('[data-testid="stHtml"] a[href]:not([target="_blank"], [download])');
    if (!link || click.defaultPrevented || click.button || click.ctrlKey || click.metaKey || click.shiftKey) return;
    const address = new URL(link.href);
    if (!ours(address)) return;
    click.preventDefault();
    follow(address, link.dataset.to && document.getElementById(link.dataset.to));
  });
  document.addEventListener("submit", (sent) => {
    const form = sent.target.closest?.('[data-testid="stHtml"] form[action]');
    if (!form || !ours(new URL(form.action))) return;
    sent.preventDefault();
    const address = new URL(form.action), said = [...new FormData(form)].filter(([, value]) => value);
    address.search = new URLSearchParams(said);
    follow(address);
  });
  return follow;
})();
