// What axe-core objects to on this page: by all its rules ("all"), contrast ("colours"), what changes on a phone ("width").
// With the objections go the kinds of text that were looked at; those in `passed` are not looked at again.
async ([rules, passed]) => {
  // What contrast there must be and is follows from the colour of a text, its ground, and whether it is large, as axe-core
  // reckons it: one element of each kind is enough.
  const grounds = new Map();
  const ground = (element) => {
    if (!element) return "";
    if (!grounds.has(element)) {
      const { backgroundColor, opacity } = getComputedStyle(element);
      const own = backgroundColor === "rgba(0, 0, 0, 0)" ? "" : backgroundColor;
      grounds.set(element, (own || ground(element.parentElement)) + (opacity === "1" ? "" : `/${opacity}`));
    }
    return grounds.get(element);
  };
  const kinds = new Map();
  const note = (element) => {
    if (![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) return;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const large = Math.ceil(parseFloat(fontSize) * 72) / 96 >= (fontWeight >= 700 ? 14 : 18);
    const kind = [color, large, ground(element)].join();
    const simpler = !kinds.has(kind) || element.childElementCount < kinds.get(kind).childElementCount;
    if (simpler && element.checkVisibility({ visibilityProperty: true })) kinds.set(kind, element);
  };
  if (rules !== "width") {
    document.body.querySelectorAll("*").forEach(note);
    document.querySelectorAll("[data-kind]").forEach((element) => element.removeAttribute("data-kind"));
    passed.forEach((kind) => kinds.delete(kind));
    if (rules === "colours" && !kinds.size) return [[], []];
    kinds.values().forEach((element) => element.setAttribute("data-kind", ""));
    axe.configure({ rules: [{ id: "color-contrast", selector: "[data-kind]" }] });
  }
  const options = {
    all: {},
    colours: { runOnly: ["color-contrast"] },
    width: { runOnly: ["aria-hidden-focus", "button-name", "label", "link-name", "scrollable-region-focusable"] },
  }[rules];
  const { violations } = await axe.run(document, { ...options, resultTypes: ["violations"], preload: false });
  const lines = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target} ${node.html.slice(0, 200)}`));
  return [lines, [...kinds.keys()]];
};
