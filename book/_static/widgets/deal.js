// "Deal the folds yourself": points in the plane, a technique, and what its folds look like, at once.
"use strict";
(function (cvstrat) {
  const WIDTH = 640;
  const HEIGHT = 400;
  const SCALE = 40; // of a unit, in parts of the drawing's width
  const MOST = 300;
  const CLASSES = ["a", "b", "c"];
  const COLOURS = "#0173b2 #de8f05 #029e73 #d55e00 #cc78bc #ca9161 #fbafe4 #949494 #ece133 #56b4e9".split(" ");
  const SHAPES = { a: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z", b: "M-4.6-4.6h9.2v9.2h-9.2Z", c: "M0-6L5.6 4.4h-11.2Z" };

  const four = (value) => Math.round(value * 1e4) / 1e4;

  function groups(seed, parts) {
    const rng = new cvstrat.RandomState(seed);
    const point = ([x, y, spread, name]) => ({
      x: four(x + spread * rng.normal()),
      y: four(y + spread * rng.normal()),
      name,
    });
    return parts.flatMap(([count, ...part]) => Array.from({ length: count }, () => point(part)));
  }

  function crescents() {
    const rng = new cvstrat.RandomState(5);
    return Array.from({ length: 100 }, (_, i) => {
      const [angle, upper] = [Math.PI * rng.uniform(), i % 2 === 0];
      const x = (upper ? -1.5 : 1.5) + 4 * Math.cos(angle) + 0.3 * rng.normal();
      const y = (upper ? -1 + 4 * Math.sin(angle) : 1 - 4 * Math.sin(angle)) + 0.3 * rng.normal();
      return { x: four(x), y: four(y), name: upper ? "a" : "b" };
    });
  }

  const OWN = "your own points";
  const DATA = {
    "five groups, three classes": () =>
      groups(1, [[24, -5, 0.5, 0.8, "a"], [24, -2, 3, 0.6, "a"], [24, 0, -2.6, 0.8, "a"], [24, 2.6, 2, 0.7, "b"], [24, 5.4, -1, 0.5, "c"]]),
    "two classes that overlap": () => groups(2, [[50, -1, 0, 1.6, "a"], [50, 1.2, 0.4, 1.6, "b"]]),
    "a rare class in two groups": () => groups(3, [[90, 0, 0, 1.7, "a"], [6, -4.5, 2.5, 0.4, "b"], [6, 4.8, -2.2, 0.4, "b"]]),
    "two crescents": crescents,
    [OWN]: () => [],
  };

  class Widget {
    constructor(root) {
      this.root = root;
      this.svg = root.querySelector("svg");
      this.marks = root.querySelector(".marks");
      this.cross = root.querySelector(".crosshair");
      this.cursor = { x: 0, y: 0 };
      this.seed = 0;
      this.shown = null; // the one fold that is shown
      this.isUnbiased = true;
      this.jitter = new cvstrat.RandomState(17);
      Object.keys(DATA).forEach((name) => this.field("data").add(new Option(name, name)));
      this.listen();
      new ResizeObserver(() => this.resize()).observe(this.svg);
      this.choose(this.field("data").value);
    }

    field(name) {
      return this.root.querySelector(`[name="${name}"]`);
    }

    listen() {
      this.field("data").addEventListener("change", (event) => this.choose(event.target.value));
      for (const name of ["technique", "n_splits", "n_clusters"]) this.field(name).addEventListener("input", () => this.update());
      this.field("balance").addEventListener("input", () => ((this.isUnbiased = false), this.update()));
      this.field("unbiased").addEventListener("click", () => ((this.isUnbiased = true), this.update()));
      this.field("again").addEventListener("click", () => ((this.seed += 1), this.update()));
      this.field("undo").addEventListener("click", () => this.edit(this.points.slice(0, -1)));
      this.field("clear").addEventListener("click", () => this.edit([]));
      this.root.querySelectorAll("form").forEach((form) => form.addEventListener("submit", (event) => event.preventDefault()));
      this.svg.addEventListener("click", (event) => this.click(event));
      this.svg.addEventListener("keydown", (event) => this.press(event));
    }

    choose(name) {
      this.points = DATA[name]();
      this.update();
    }

    // Points of one's own; what was there is kept.
    edit(points) {
      this.points = points.slice(0, MOST);
      this.field("data").value = OWN;
      this.update();
    }

    add({ x, y }) {
      const name = this.root.querySelector('[name="class"]:checked').value;
      const off = () => 0.01 * (this.jitter.uniform() - 0.5); // less than can be seen: no two distances are equal
      const inside = (value, edge) => four(Math.max(-edge, Math.min(edge, value)) + off());
      this.edit([...this.points, { x: inside(x, WIDTH / SCALE / 2), y: inside(y, HEIGHT / SCALE / 2), name }]);
    }

    click(event) {
      const mark = event.target.closest("[data-row]");
      if (mark) return this.edit(this.points.filter((_, row) => row !== Number(mark.dataset.row)));
      const box = this.svg.getBoundingClientRect();
      const across = (event.clientX - box.left) / box.width - 0.5;
      const down = (event.clientY - box.top) / box.height - 0.5;
      this.cursor = { x: (across * WIDTH) / SCALE, y: (-down * HEIGHT) / SCALE };
      return this.add(this.cursor);
    }

    press(event) {
      const step = event.shiftKey ? 1 : 0.25;
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      if (event.key in moves) {
        const [x, y] = moves[event.key];
        this.cursor = { x: Math.max(-8, Math.min(8, this.cursor.x + x)), y: Math.max(-5, Math.min(5, this.cursor.y + y)) };
        this.place(this.cross, this.cursor);
      } else if (event.key === "Enter" || event.key === " ") {
        this.add(this.cursor);
      } else if ((event.key === "Delete" || event.key === "Backspace") && this.points.length) {
        const distance = this.points.map((point) => Math.hypot(point.x - this.cursor.x, point.y - this.cursor.y));
        const nearest = distance.indexOf(Math.min(...distance));
        this.edit(this.points.filter((_, row) => row !== nearest));
      } else return;
      event.preventDefault();
    }

    options() {
      const nSplits = Number(this.field("n_splits").value);
      return {
        rows: this.points.map((point) => [point.x, point.y]),
        names: this.points.map((point) => point.name),
        nSplits,
        seed: this.seed,
        nClusters: Number(this.field("n_clusters").value),
        balance: this.isUnbiased ? cvstrat.unbiasedBalance(nSplits) : Number(this.field("balance").value),
      };
    }

    update() {
      const technique = this.field("technique").value;
      const options = this.options();
      this.root.querySelectorAll("[data-for]").forEach((one) => (one.hidden = one.dataset.for !== technique));
      if (this.isUnbiased) this.field("balance").value = options.balance;
      for (const [name, text] of [["n_splits", options.nSplits], ["n_clusters", options.nClusters], ["balance", options.balance.toFixed(2)]]) {
        this.field(`${name}_shown`).value = text;
      }
      this.field("undo").disabled = this.field("clear").disabled = !this.points.length;
      if (this.shown >= options.nSplits) this.shown = null;
      let found = { folds: [], ratio: NaN };
      let sentence = "";
      try {
        found = cvstrat.assignFolds(technique, options);
        const ratio = isNaN(found.ratio) ? "not defined" : found.ratio.toFixed(3);
        sentence = `Balance ratio ${ratio}. Folds with equal means have 0, random ones 1 on average.`;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        sentence = `${error.message} Add points, or take fewer folds.`;
      }
      this.folds = found.folds;
      this.root.dataset.ratio = found.ratio;
      this.root.querySelector(".widget-answer").textContent = sentence;
      this.draw();
      this.count(options.nSplits);
      this.root.querySelector("code").textContent = this.python(technique, options);
    }

    place(element, { x, y }) {
      element.setAttribute("transform", `translate(${WIDTH / 2 + SCALE * x} ${HEIGHT / 2 - SCALE * y})`);
    }

    // Marks keep their size on a narrow screen, where the drawing shrinks.
    resize() {
      const width = this.svg.getBoundingClientRect().width;
      if (width) this.svg.style.setProperty("--mark", Math.max(1, Math.min(1.7, WIDTH / width)).toFixed(2));
    }

    draw() {
      const marks = this.points.map((point, row) => {
        const group = document.createElementNS(this.svg.namespaceURI, "g");
        const path = group.appendChild(document.createElementNS(this.svg.namespaceURI, "path"));
        const fold = this.folds[row];
        path.setAttribute("d", SHAPES[point.name]);
        path.setAttribute("fill", fold === undefined ? "none" : COLOURS[fold]);
        group.dataset.row = row;
        if (fold !== undefined) group.dataset.fold = fold;
        group.classList.toggle("faint", this.shown !== null && fold !== this.shown);
        this.place(group, point);
        return group;
      });
      this.marks.replaceChildren(...marks);
      this.place(this.cross, this.cursor);
    }

    count(nSplits) {
      const body = this.root.querySelector("tbody");
      const focused = [...body.querySelectorAll("button")].indexOf(document.activeElement);
      const lines = Array.from({ length: this.folds.length ? nSplits : 0 }, (_, fold) => {
        const line = document.createElement("tr");
        const head = line.appendChild(document.createElement("th"));
        const button = head.appendChild(document.createElement("button"));
        head.scope = "row";
        button.type = "button";
        button.textContent = fold;
        button.setAttribute("aria-pressed", this.shown === fold);
        button.setAttribute("aria-label", `Show fold ${fold} alone`);
        button.style.setProperty("--fold", COLOURS[fold]);
        button.addEventListener("click", () => {
          this.shown = this.shown === fold ? null : fold;
          this.draw();
          this.count(nSplits);
        });
        const names = this.points.filter((_, row) => this.folds[row] === fold).map((point) => point.name);
        for (const name of CLASSES) line.insertCell().textContent = names.filter((one) => one === name).length;
        line.insertCell().textContent = names.length;
        return line;
      });
      body.replaceChildren(...lines);
      if (focused >= 0) body.querySelectorAll("button")[focused]?.focus();
    }

    python(technique, { rows, names, nSplits, seed, nClusters, balance }) {
      const extra = { SCBCV: `n_clusters=${nClusters}, `, Balanced: `balance=${balance}, criterion="features", ` }[technique] || "";
      return [
        "import numpy as np",
        "from cvstrat import balance_ratio, make_splitter",
        "",
        `X = np.array(${JSON.stringify(rows).replaceAll("],[", "], [")})`,
        `y = np.array(list("${names.join("")}"))`,
        `cv = make_splitter("${technique}", n_splits=${nSplits}, ${extra}random_state=${seed})`,
        "tests = [test for train, test in cv.split(X, y)]",
        "print(balance_ratio(cv, X, y))",
      ].join("\n");
    }
  }

  document.querySelectorAll("#deal").forEach((root) => (cvstrat.deal = new Widget(root)));
})((window.cvstrat = window.cvstrat || {}));
