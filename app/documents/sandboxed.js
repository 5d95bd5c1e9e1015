// Shows a page in a frame that may do nothing: no script, no form, no way to this page (its origin is its own).
export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".sandboxed");
  if (place.shown === data.html) return;
  place.shown = data.html;
  const address = URL.createObjectURL(new Blob([data.html], { type: "text/html;charset=utf-8" }));
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "");
  frame.title = data.title;
  frame.referrerPolicy = "no-referrer";
  frame.onload = () => URL.revokeObjectURL(address);
  frame.src = address + "#cited";
  place.replaceChildren(frame);
}
