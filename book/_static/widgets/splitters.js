// The splitters, shuffled with a seed: for rows, classes and options they give the folds that the package gives.
"use strict";
(function (cvstrat) {
  const { RandomState, rowKeys, sortedOrder, rankClasses, byClass, rounded, firstOfEquals } = cvstrat;

  function bySizes(nRows, nSplits) {
    return Array.from({ length: nSplits }, (_, fold) => Math.floor(nRows / nSplits) + (fold < nRows % nSplits));
  }

  function atRandom({ rows, nSplits, seed }) {
    const shuffled = new RandomState(seed).permutation(rows.length);
    const folds = [];
    let start = 0;
    bySizes(rows.length, nSplits).forEach((size, fold) => {
      shuffled.slice(start, start + size).forEach((row) => (folds[row] = fold));
      start += size;
    });
    return folds;
  }

  function stratified({ codes, nSplits, seed }) {
    const rng = new RandomState(seed);
    const inOrder = [...new Set(codes)]; // classes as they come
    const encoded = codes.map((code) => inOrder.indexOf(code));
    const sorted = [...encoded].sort((a, b) => a - b);
    const folds = [];
    inOrder.forEach((_, code) => {
      const dealt = [];
      for (let fold = 0; fold < nSplits; fold++) {
        const share = sorted.filter((one, i) => i % nSplits === fold && one === code);
        dealt.push(...share.map(() => fold));
      }
      rng.shuffle(dealt);
      encoded.forEach((one, row) => one === code && (folds[row] = dealt.shift()));
    });
    return folds;
  }

  function byCluster(rows, { nClusters }, rng) {
    if (rows.length === 1 || firstOfEquals(rows).length <= nClusters) return rows.map((_, i) => i);
    const { labels, centers } = cvstrat.kmeans(rows, nClusters, new RandomState(rng.interval(2147483646)));
    const found = [...new Set(labels)]; // clusters as they come
    const distance = rows.map((row, i) =>
      rounded(Math.sqrt(row.reduce((sum, value, j) => sum + (value - centers[labels[i]][j]) ** 2, 0))),
    );
    const clusters = labels.map((label) => found.indexOf(label));
    return byClass(sortedOrder(distance), clusters).flat();
  }

  // Distinct points, each there a number of times, that are taken one by one.
  class Pool {
    constructor(rows) {
      const first = firstOfEquals(rows);
      this.left = first.map((start, i) => (i + 1 < first.length ? first[i + 1] : rows.length) - start);
      const points = first.map((row) => rows[row]);
      const middle = points[0].map((_, j) => {
        const values = points.map((point) => point[j]).sort((a, b) => a - b);
        const half = values.length >> 1;
        return values.length % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
      });
      this.points = points.map((point) => point.map((value, j) => value - middle[j]));
    }

    nearest(here, number) {
      const there = this.points.map((_, i) => i).filter((i) => i !== here && this.left[i] > 0);
      const squared = there.map((i) =>
        this.points[i].reduce((sum, value, j) => sum + (value - this.points[here][j]) ** 2, 0),
      );
      return sortedOrder(squared).slice(0, number).map((i) => there[i]);
    }
  }

  // The i-th visit to a point is to its i-th copy; copies of a row follow each other.
  function orderOfVisits(visits) {
    const sequence = [];
    sortedOrder(visits).forEach((visit, row) => (sequence[visit] = row));
    return sequence;
  }

  function byWalk(rows) {
    const pool = new Pool(rows);
    const visits = [];
    let here = 0;
    for (;;) {
      while (pool.left[here]) {
        visits.push(here);
        pool.left[here] -= 1;
      }
      if (visits.length === rows.length) return orderOfVisits(visits);
      here = pool.nearest(here, 1)[0];
    }
  }

  function byNeighborhood(rows, { nSplits }) {
    const pool = new Pool(rows);
    const visits = [];
    for (let here = 0; here < pool.left.length; here++) {
      while (pool.left[here]) {
        let wanted = nSplits;
        const take = (point) => {
          const copies = Math.min(pool.left[point], wanted);
          pool.left[point] -= copies;
          wanted -= copies;
          for (let i = 0; i < copies; i++) visits.push(point);
        };
        take(here);
        if (wanted) pool.nearest(here, wanted).forEach((point) => wanted && take(point));
      }
    }
    return orderOfVisits(visits);
  }

  const shuffled = (rows, _, rng) => rng.permutation(rows.length);

  // An order of the rows of each class, dealt out to the folds; `finish` deals what the order has dealt once more.
  function dealt(order, finish) {
    return (options) => {
      const { rows, codes, nSplits, seed } = options;
      const rng = new RandomState(seed);
      const keys = rowKeys(rows, rng);
      const strata = byClass(sortedOrder(keys), rankClasses(codes, keys)).filter((stratum) => stratum.length);
      const orders = strata.map((stratum) => {
        const inside = order(stratum.map((row) => rows[row]), options, rng);
        return inside.map((i) => stratum[i]);
      });
      const sequence = orders.flat();
      let given = sequence.map((_, i) => i % nSplits);
      if (finish) given = finish(sequence.map((row) => rows[row]), orders.map((one) => one.length), given, options, rng);
      const folds = [];
      sequence.forEach((row, i) => (folds[row] = given[i]));
      return folds;
    };
  }

  function inBalance(rows, sizes, folds, { nSplits, balance }, rng) {
    return cvstrat.balanceFolds(cvstrat.features(rows, rng), sizes, folds, nSplits, balance, rng);
  }

  const unbiasedBalance = (nSplits) => (2 * (nSplits - 1)) / (2 * nSplits - 1);

  const TECHNIQUES = {
    KFold: atRandom,
    SCV: stratified,
    SCBCV: dealt(byCluster),
    DBSCV: dealt(byWalk),
    "DOB-SCV": dealt(byNeighborhood),
    Balanced: dealt(shuffled, inBalance),
  };

  // The fold of each row, or a sentence that says why there is none; `names` are the classes of the rows.
  function assignFolds(technique, { rows, names, nSplits, seed, nClusters, balance }) {
    const known = [...new Set(names)].sort();
    const codes = names.map((name) => known.indexOf(name));
    const largest = Math.max(0, ...known.map((name) => names.filter((one) => one === name).length));
    if (rows.length < nSplits) throw new RangeError(`${nSplits} folds need at least ${nSplits} points.`);
    if (technique !== "KFold" && largest < nSplits) {
      throw new RangeError(`${nSplits} folds are more than the points of any class; the largest has ${largest}.`);
    }
    const folds = TECHNIQUES[technique]({ rows, codes, nSplits, seed, nClusters, balance });
    return { folds, ratio: cvstrat.balanceRatio(rows, codes, folds, nSplits) };
  }

  Object.assign(cvstrat, { assignFolds, unbiasedBalance, techniques: Object.keys(TECHNIQUES) });
})((window.cvstrat = window.cvstrat || {}));
