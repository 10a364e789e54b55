// "Explore the results": bias, standard deviation and RMSE of the techniques that are ticked, with intervals.
"use strict";
(function (cvstrat) {
  const ALL = "all";
  const MEASURES = { bias: "Bias", std: "Standard deviation", rmse: "RMSE" };
  const ORDINARY = { metric: "accuracy", n_splits: "10" };
  const UNTICKED = /, as published$|^ROCBCV$/; // until the reader wants them
  const STUDIES = { spezia2025: "cluster-based study", diamantidis2000: "study of 2000", "diamantidis2000-c45": "study of 2000, C4.5", balance: "study of balance" };
  const LINE = 22; // height of a technique in the figure, in pixels

  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const root = (value) => Math.sqrt(Math.max(0, value));
  const shown = (value) => value.toFixed(2).replace("-", "\u2212").replace(/^\u2212(0\.00)$/, "$1");

  // Value, lower and upper limit of each measure for one cell: a data set, a model, a technique.
  function ofCell(row) {
    const [t, low, high] = cvstrat.results.factors[row.n];
    const bias = [row.bias, row.bias - t * row.bias_se, row.bias + t * row.bias_se];
    const square = row.bias ** 2;
    const variance = Math.max(0, row.rmse ** 2 - square);
    const ends = [bias[1] ** 2, bias[2] ** 2];
    const least = bias[1] < 0 && bias[2] > 0 ? 0 : Math.min(...ends);
    // The limits of a sum of two parts follow from those of the parts.
    const below = Math.hypot(square - least, variance * (1 - low ** 2));
    const above = Math.hypot(Math.max(...ends) - square, variance * (high ** 2 - 1));
    const rmse = [row.rmse, root(row.rmse ** 2 - below), root(row.rmse ** 2 + above)];
    return { bias, std: [row.std, row.std * low, row.std * high], rmse };
  }

  // The same for several data sets: means over their models first, then over the sets.
  function ofSets(rows) {
    const bySet = {};
    rows.forEach((row) => (bySet[row.dataset] = bySet[row.dataset] || []).push(row));
    const sets = Object.values(bySet);
    const t = sets.length > 1 ? cvstrat.results.factors[sets.length][0] : Infinity;
    const limits = (values) => {
      const middle = mean(values);
      const variance = mean(values.map((value) => (value - middle) ** 2)) * (values.length / (values.length - 1));
      const margin = values.length > 1 ? t * Math.sqrt(variance / values.length) : Infinity;
      return [middle, middle - margin, middle + margin];
    };
    const squares = (name) => limits(sets.map((set) => mean(set.map((row) => row[name] ** 2)))).map(root);
    return { bias: limits(sets.map((set) => mean(set.map((row) => row.bias)))), std: squares("std"), rmse: squares("rmse") };
  }

  function element(name, attributes, text) {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => one.setAttribute(key, value));
    if (text !== undefined) one.textContent = text;
    return one;
  }

  // About four round numbers between two others.
  function ticks(low, high) {
    const rough = (high - low) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
    const found = [];
    for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(i * step);
    return found;
  }

  class Explorer {
    constructor(box) {
      this.box = box;
      this.ticks = new Map(); // what the reader has ticked or unticked, by name
      const studies = Object.keys(cvstrat.results.studies).map((name) => [name, STUDIES[name] ?? name]);
      this.fill("study", studies, STUDIES.spezia2025);
      for (const name of ["dataset", "model", "metric", "n_splits"]) this.field(name).addEventListener("change", () => this.update());
      this.field("study").addEventListener("change", () => this.open());
      this.field("all").addEventListener("click", () => this.tick(true));
      this.field("none").addEventListener("click", () => this.tick(false));
      box.querySelector(".techniques").addEventListener("change", (event) => {
        this.ticks.set(event.target.dataset.name, event.target.checked);
        this.show();
      });
      box.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
      let width = 0;
      new ResizeObserver(([entry]) => {
        if (Math.abs(entry.contentRect.width - width) > 1) this.show();
        width = entry.contentRect.width;
      }).observe(box);
      this.open();
    }

    field(name) {
      return this.box.querySelector(`[name="${name}"]`);
    }

    fill(name, options, preferred) {
      const kept = this.field(name).selectedOptions[0]?.text;
      this.field(name).replaceChildren(...options.map(([value, text]) => new Option(text, value)));
      const texts = options.map((option) => String(option[1]));
      const at = [kept, preferred].map((text) => texts.indexOf(String(text))).find((i) => i >= 0);
      this.field(name).selectedIndex = at === undefined ? 0 : at;
    }

    // Rows of a study as objects, with names of axes as numbers.
    open() {
      const { axes, rows } = cvstrat.results.studies[this.field("study").value];
      this.axes = axes;
      this.rows = rows.n.map((n, i) => {
        const row = { n };
        for (const axis of Object.keys(axes)) row[axis] = rows[axis][i];
        for (const measure of ["bias", "bias_se", "std", "rmse"]) row[measure] = rows[measure][i] / 100;
        return row;
      });
      const numbered = (names) => names.map((name, i) => [i, name]);
      this.fill("dataset", [[ALL, `all ${axes.dataset.length}, mean`], ...numbered(axes.dataset)]);
      this.fill("model", [[ALL, axes.model.length > 1 ? "all, mean" : axes.model[0]], ...(axes.model.length > 1 ? numbered(axes.model) : [])]);
      this.fill("metric", numbered(axes.metric), ORDINARY.metric);
      this.fill("n_splits", axes.n_splits.map((k, i) => [i, k || "without folds"]), ORDINARY.n_splits);
      this.update();
    }

    // Rows of the data set, model, metric and number of folds; the techniques among them can be ticked.
    update() {
      const wanted = ["dataset", "model", "metric", "n_splits"].map((name) => [name, this.field(name).value]);
      this.chosen = this.rows.filter((row) => wanted.every(([name, value]) => value === ALL || row[name] === Number(value)));
      const there = [...new Set(this.chosen.map((row) => row.technique))].sort((a, b) => a - b);
      const nSets = (technique) => new Set(this.chosen.filter((row) => row.technique === technique).map((row) => row.dataset)).size;
      const most = Math.max(...there.map(nSets)); // a technique of few data sets would leave out all others
      const labels = there.map((technique) => {
        const name = this.axes.technique[technique];
        const label = document.createElement("label");
        const box = label.appendChild(document.createElement("input"));
        box.type = "checkbox";
        box.value = technique;
        box.dataset.name = name;
        box.checked = this.ticks.get(name) ?? (!UNTICKED.test(name) && nSets(technique) > most / 2);
        label.appendChild(document.createElement("span")).textContent = name;
        return label;
      });
      this.box.querySelector(".techniques").replaceChildren(...labels);
      this.show();
    }

    tick(checked) {
      this.box.querySelectorAll(".techniques input").forEach((box) => {
        box.checked = checked;
        this.ticks.set(box.dataset.name, checked);
      });
      this.show();
    }

    // The values of the ticked techniques, over the pairs of data set and model that have all of them.
    values() {
      const ticked = [...this.box.querySelectorAll(".techniques input:checked")].map((box) => Number(box.value));
      const pair = (row) => `${row.dataset} ${row.model}`;
      const count = {};
      const rows = this.chosen.filter((row) => ticked.includes(row.technique));
      rows.forEach((row) => (count[pair(row)] = (count[pair(row)] || 0) + 1));
      const common = rows.filter((row) => count[pair(row)] === ticked.length);
      const isOne = this.field("dataset").value !== ALL && new Set(common.map(pair)).size === 1;
      const techniques = ticked.map((technique) => {
        const own = common.filter((row) => row.technique === technique);
        return own.length && { name: this.axes.technique[technique], ...(isOne ? ofCell(own[0]) : ofSets(own)) };
      });
      return { techniques: techniques.filter(Boolean), nSets: new Set(common.map((row) => row.dataset)).size, isOne, ticked, common };
    }

    show() {
      const { techniques, nSets, isOne, ticked, common } = this.values();
      this.box.querySelector(".widget-answer").textContent = this.sentence(techniques, nSets, isOne, ticked, common);
      this.box.querySelector(".widget-panels").replaceChildren(...(techniques.length ? Object.keys(MEASURES) : []).map((measure) => this.panel(measure, techniques)));
      const lines = techniques.map((technique) => {
        const line = document.createElement("tr");
        const head = line.appendChild(document.createElement("th"));
        head.scope = "row";
        head.textContent = technique.name;
        for (const measure of Object.keys(MEASURES)) {
          const [value, low, high] = technique[measure];
          const range = isFinite(low + high) ? ` [${shown(low)}, ${shown(high)}]` : "";
          line.insertCell().textContent = shown(value) + range;
        }
        return line;
      });
      this.box.querySelector("tbody").replaceChildren(...lines);
    }

    sentence(techniques, nSets, isOne, ticked, common) {
      if (!ticked.length) return "Tick a technique.";
      if (!techniques.length) return "No data set has results of every technique that is ticked. Untick some.";
      const sorted = [...techniques].sort((one, other) => one.rmse[0] - other.rmse[0]);
      const [least, most] = [sorted[0], sorted[sorted.length - 1]].map((one) => `${shown(one.rmse[0])} (${one.name})`);
      const left = new Set(this.chosen.map((row) => row.dataset)).size - nSets;
      const out = left > 0 ? ` ${left} without all of these techniques ${left === 1 ? "is" : "are"} left out.` : "";
      const base = isOne ? `${common[0].n} repetitions.` : nSets === 1 ? "One data set, mean over models: no interval." : `Mean over ${nSets} data sets.${out}`;
      return `${base} RMSE ${techniques.length > 1 ? `from ${least} to ${most}` : least} points.`;
    }

    panel(measure, techniques) {
      const figure = document.createElement("figure");
      figure.appendChild(document.createElement("figcaption")).textContent = `${MEASURES[measure]} (points)`;
      const whole = this.box.querySelector(".widget-panels").clientWidth || 300;
      const width = whole >= 660 ? Math.floor(whole / 3) - 12 : whole;
      const broken = (name) => (name.length > 18 ? name.split(", ") : [name]);
      const names = 14 + 7 * Math.max(...techniques.flatMap((one) => broken(one.name)).map((part) => part.length));
      const height = LINE * techniques.length;
      const values = techniques.flatMap((one) => one[measure]).filter(isFinite);
      const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
      const room = 0.06 * (high - low || 1);
      const x = (value) => names + ((value - low + room) / (high - low + 2 * room)) * (width - names);
      const svg = element("svg", { width, height: height + 22, viewBox: `0 0 ${width} ${height + 22}` });
      for (const tick of ticks(low - room, high + room)) {
        svg.append(element("path", { class: Math.abs(tick) < 1e-9 ? "zero" : "grid", d: `M${x(tick)} 0V${height}` }));
        const text = String(Number(tick.toPrecision(3))).replace("-", "\u2212");
        const half = 3.5 * text.length; // a number at the edge stays inside
        svg.append(element("text", { x: Math.min(x(tick), width - half), y: height + 16, "text-anchor": "middle" }, text));
      }
      techniques.forEach((one, i) => {
        const y = LINE * (i + 0.5);
        const [value, from, to] = one[measure];
        broken(one.name).forEach((part, line, parts) => {
          svg.append(element("text", { x: names - 8, y: y + 4 + 11 * (line - (parts.length - 1) / 2), "text-anchor": "end" }, part));
        });
        if (isFinite(from + to)) svg.append(element("path", { class: "range", d: `M${x(from)} ${y}H${x(to)}` }));
        svg.append(element("circle", { cx: x(value), cy: y, r: 4.5 }));
      });
      figure.append(svg);
      return figure;
    }
  }

  document.querySelectorAll("#explore").forEach((box) => (cvstrat.explorer = new Explorer(box)));
})((window.cvstrat = window.cvstrat || {}));
