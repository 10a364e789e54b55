// A short name in prose or a table says on hover what it stands for; its first use in prose leads to the glossary.
(function () {
  const { glossary, names } = window.shortNames;
  const escaped = Object.keys(names).sort((a, b) => b.length - a.length).map((name) => name.replace(/[^\w]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w-])(${escaped.join("|")})(-Mini)?([2-9])?(?!\\w)`, "g");
  const untouched = "abbr, code, dt, mjx-container, pre, script, select, style, svg, textarea, .math, [role='status']";
  const unlinked = "a, button, figcaption, h1, h2, h3, h4, h5, h6, label, summary, table, .widget";
  const here = document.documentElement.dataset.content_root + glossary;
  const linked = new Set();

  function meaning([, name, mini, clusters]) {
    return names[name][0] + (mini ? ", with Mini-Batch K-means" : "") + (clusters ? `, ${clusters} clusters per class` : "");
  }

  function marked(found, parent) {
    const abbreviation = Object.assign(document.createElement("abbr"), { title: meaning(found), textContent: found[0] });
    const [name, anchor] = [found[1], names[found[1]][1]];
    if (linked.has(name) || parent.closest(unlinked)) return abbreviation;
    linked.add(name);
    const target = document.getElementById(anchor) ? `#${anchor}` : `${here}#${anchor}`;
    const link = Object.assign(document.createElement("a"), { href: target, className: "reference internal" });
    link.append(abbreviation);
    return link;
  }

  function explain(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const words = text.data;
      const all = [...words.matchAll(pattern)];
      if (!all.length || text.parentElement.closest(untouched)) continue;
      const pieces = [];
      let end = 0;
      for (const found of all) {
        pieces.push(words.slice(end, found.index), marked(found, text.parentElement));
        end = found.index + found[0].length;
      }
      text.replaceWith(...pieces, words.slice(end));
    }
  }

  window.addEventListener("load", () => {
    const article = document.querySelector("article");
    if (!article || !escaped.length) return;
    if (location.pathname.endsWith(glossary)) Object.keys(names).forEach((name) => linked.add(name));
    explain(article);
    for (const widget of article.querySelectorAll(".widget")) {
      new MutationObserver(() => explain(widget)).observe(widget, { childList: true, subtree: true });
    }
  });
})();
