// K-means as scikit-learn computes it: k-means++ with several tries, then Lloyd's iterations.
"use strict";
(function (cvstrat) {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const dot = (a, b) => sum(a.map((value, i) => value * b[i]));
  const minus = (a, b) => a.map((value, i) => value - b[i]);
  const plus = (a, b) => a.map((value, i) => value + b[i]);

  function columnMeans(rows) {
    return rows.reduce(plus).map((total) => total / rows.length);
  }

  const squaredDistances = (one, rows) =>
    rows.map((row) => Math.max(0, -2 * dot(one, row) + dot(one, one) + dot(row, row)));

  // The first place whose running sum is not below (or, with `strictly`, above) what is looked for.
  function place(weights, wanted, strictly) {
    let total = 0;
    for (let i = 0; i < weights.length; i++) {
      total += weights[i];
      if (strictly ? total > wanted : total >= wanted) return i;
    }
    return weights.length - 1;
  }

  function firstCenters(rows, nClusters, rng) {
    const nTries = 2 + Math.floor(Math.log(nClusters));
    const even = rows.map(() => 1 / rows.length);
    const start = place(even, rng.uniform() * sum(even), true);
    const centers = [rows[start]];
    let nearest = squaredDistances(rows[start], rows);
    while (centers.length < nClusters) {
      const total = sum(nearest);
      const draws = Array.from({ length: nTries }, () => rng.uniform() * total);
      const tried = draws.map((drawn) => place(nearest, drawn, false));
      const left = tried.map((row) => squaredDistances(rows[row], rows).map((d, i) => Math.min(d, nearest[i])));
      const sums = left.map(sum);
      const best = sums.indexOf(Math.min(...sums));
      centers.push(rows[tried[best]]);
      nearest = left[best];
    }
    return centers;
  }

  function nearestCenters(rows, centers) {
    const norms = centers.map((center) => dot(center, center));
    return rows.map((row) => {
      const distances = centers.map((center, j) => norms[j] - 2 * dot(row, center));
      return distances.indexOf(Math.min(...distances));
    });
  }

  function meansOf(rows, labels, centers) {
    const sums = centers.map((center) => center.map(() => 0));
    const counts = centers.map(() => 0);
    rows.forEach((row, i) => {
      sums[labels[i]] = plus(sums[labels[i]], row);
      counts[labels[i]] += 1;
    });
    const empty = counts.map((_, j) => j).filter((j) => counts[j] === 0);
    const apart = rows.map((row, i) => dot(minus(row, centers[labels[i]]), minus(row, centers[labels[i]])));
    const farthest = cvstrat.sortedOrder(apart).reverse();
    if (empty.length && apart[farthest[0]] > 0) {
      empty.forEach((cluster, i) => {
        const row = farthest[i];
        sums[labels[row]] = minus(sums[labels[row]], rows[row]);
        counts[labels[row]] -= 1;
        sums[cluster] = [...rows[row]];
        counts[cluster] = 1;
      });
    }
    const means = sums.map((total, j) => total.map((value) => value * (1 / counts[j])));
    const largest = counts.indexOf(Math.max(...counts));
    return means.map((mean, j) => (counts[j] > 0 ? mean : means[largest]));
  }

  function kmeans(given, nClusters, rng) {
    const middle = columnMeans(given);
    const rows = given.map((row) => minus(row, middle));
    const tolerance = (1e-4 * sum(rows.map((row) => dot(row, row)))) / rows.length / middle.length;
    let centers = firstCenters(rows, nClusters, rng);
    let before = null;
    for (let i = 0; i < 300; i++) {
      const labels = nearestCenters(rows, centers);
      const moved = meansOf(rows, labels, centers);
      const shift = sum(moved.map((center, j) => dot(minus(center, centers[j]), minus(center, centers[j]))));
      const settled = before !== null && labels.every((label, row) => label === before[row]);
      centers = moved;
      before = labels;
      if (settled) break;
      if (shift <= tolerance || i === 299) {
        before = nearestCenters(rows, centers);
        break;
      }
    }
    return { labels: before, centers: centers.map((center) => plus(center, middle)) };
  }

  Object.assign(cvstrat, { kmeans, columnMeans });
})((window.cvstrat = window.cvstrat || {}));
