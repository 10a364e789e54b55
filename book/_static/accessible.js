// Whatever scrolls sideways can be reached, and scrolled, with the keyboard.
(function () {
  function reachable() {
    for (const box of document.querySelectorAll("article *")) {
      if (box.scrollWidth <= box.clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(box).overflowX)) continue;
      if (box.tabIndex < 0 && !box.querySelector("a[href]:not(.headerlink), button, input, select, [tabindex='0']")) box.tabIndex = 0;
    }
    document.documentElement.dataset.reachable = innerWidth;
  }
  let waiting = 0;
  function later() {
    delete document.documentElement.dataset.reachable;
    clearTimeout(waiting);
    waiting = setTimeout(reachable, 50);
  }
  window.addEventListener("load", () => {
    reachable();
    window.addEventListener("resize", later);
    const article = document.querySelector("article");
    if (article) new MutationObserver(later).observe(article, { childList: true, subtree: true });
  });
})();
