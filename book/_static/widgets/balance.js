// How alike folds are, and folds made alike: the balance ratio (metrics/_parts.py), the features (fourier.py), the
// balanced dealer (splitters/_balancing.py).
"use strict";
(function (cvstrat) {
  const UNIT = 2 ** 18;
  const N_WAVES = 256;
  const PASSES = 10;
  const { columnMeans, sortedOrder } = cvstrat;

  // Halves go to the even neighbour, as in NumPy.
  function rint(value) {
    const below = Math.floor(value);
    const rest = value - below;
    if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
    return below % 2 === 0 ? below : below + 1;
  }

  function standardRows(rows) {
    const shifted = rows.map((row) => row.map((value, j) => value - rows[0][j]));
    const mean = columnMeans(shifted);
    const centered = shifted.map((row) => row.map((value, j) => value - mean[j]));
    const scale = mean.map((_, j) => {
      const std = Math.sqrt(centered.reduce((sum, row) => sum + row[j] * row[j], 0) / rows.length);
      return std > 1e-13 * Math.abs(rows[0][j]) ? std : Infinity;
    });
    return { rows: centered.map((row) => row.map((value, j) => value / scale[j])), nVaried: scale.filter(isFinite).length };
  }

  function balanceRatio(given, codes, folds, nSplits) {
    const { rows } = standardRows(given);
    let distance = 0;
    let expected = 0;
    for (const code of new Set(codes)) {
      const members = codes.map((_, i) => i).filter((i) => codes[i] === code);
      const mean = columnMeans(members.map((i) => rows[i]));
      const centered = new Map(members.map((i) => [i, rows[i].map((value, j) => value - mean[j])]));
      const squares = members.reduce((sum, i) => sum + centered.get(i).reduce((s, v) => s + v * v, 0), 0);
      const lost = 1e-24 * mean.reduce((s, v) => s + v * v, 0) * new Set(codes).size;
      if (squares <= lost) continue;
      const variance = squares / Math.max(members.length - 1, 1);
      for (let fold = 0; fold < nSplits; fold++) {
        const inside = members.filter((i) => folds[i] === fold);
        if (!inside.length) continue;
        const sums = mean.map((_, j) => inside.reduce((sum, i) => sum + centered.get(i)[j], 0));
        distance += sums.reduce((s, v) => s + v * v, 0) / inside.length;
        expected += (1 - inside.length / members.length) * variance;
      }
    }
    return expected > 0 ? distance / expected : NaN;
  }

  function nearestDistance(standard, whole) {
    const found = standard.slice(0, 200).map((row) => {
      const distances = standard.map((other) => Math.hypot(...row.map((value, j) => value - other[j])));
      const least = distances.sort((a, b) => a - b).slice(0, 3);
      return Math.min(...least.map((distance) => (distance > 1e-6 * whole ? distance : Infinity)));
    });
    const known = found.filter(isFinite).sort((a, b) => a - b);
    if (!known.length) return whole;
    const half = known.length >> 1;
    return known.length % 2 ? known[half] : (known[half - 1] + known[half]) / 2;
  }

  const f32 = Math.fround;
  const fma32 = (a, b, c) => f32(a * b + c); // the product of two floats of 32 bits is exact in 64

  // Sine and cosine to 32 bits as NumPy's vectorised loops have them: reduction to a quadrant, then a polynomial.
  function sineAndCosine(angle) {
    const x = f32(angle);
    const quadrant = rint(f32(x * f32(0.6366197466850281)));
    let r = fma32(quadrant, -1.570796012878418, x);
    r = fma32(quadrant, -3.1391647326017846e-7, r);
    r = fma32(quadrant, -5.390302529957765e-15, r);
    const r2 = f32(r * r);
    let sine = fma32(2.8404097065504175e-6, r2, -1.9856491417158395e-4);
    sine = fma32(sine, r2, 8.333397097885609e-3);
    sine = fma32(sine, r2, -0.1666666716337204);
    sine = fma32(f32(sine * r2), r, r);
    let cosine = fma32(2.4372266125283204e-5, r2, -1.388652017340064e-3);
    cosine = fma32(cosine, r2, 4.166661947965622e-2);
    cosine = fma32(cosine, r2, -0.5);
    cosine = fma32(cosine, r2, 1);
    const turn = ((quadrant % 4) + 4) % 4;
    return [
      [sine, cosine],
      [cosine, -sine],
      [-sine, -cosine],
      [-cosine, sine],
    ][turn];
  }

  function features(given, rng) {
    const standard = standardRows(given);
    const whole = Math.sqrt(2 * standard.nVaried) || 1;
    const low = nearestDistance(standard.rows, whole);
    const width = given[0].length;
    const nWaves = low <= whole ? N_WAVES : 0;
    const lengths = Array.from({ length: nWaves }, (_, i) => 10 ** (Math.log10(low) + (i * Math.log10(whole / low)) / (nWaves - 1)));
    if (nWaves) [lengths[0], lengths[nWaves - 1]] = [low, whole];
    const ofWaves = Math.max(whole - low, 0);
    const ofColumns = whole / 2;
    const column = UNIT * Math.sqrt(ofColumns / (ofWaves + ofColumns) / Math.max(standard.nVaried, 1));
    const sum = lengths.reduce((total, length) => total + length, 0) || 1;
    const heights = lengths.map((length) => f32(UNIT * Math.sqrt(((ofWaves / (ofWaves + ofColumns)) * length) / sum)));
    const waves = Array.from({ length: width }, () => lengths.map((length) => rng.normal() / length));
    return standard.rows.map((row) => {
      const values = new Float64Array(width + 2 * nWaves);
      row.forEach((value, j) => (values[j] = rint(value * column)));
      for (let i = 0; i < nWaves; i++) {
        const phase = row.reduce((total, value, j) => total + value * waves[j][i], 0);
        const [sine, cosine] = sineAndCosine(phase);
        values[width + i] = rint(f32(cosine * heights[i]));
        values[width + nWaves + i] = rint(f32(sine * heights[i]));
      }
      return values;
    });
  }

  // The row of each column that makes the sum of costs least: shortest augmenting paths, ties as SciPy resolves them.
  function assign(costs) {
    const n = costs.length;
    const u = new Float64Array(n);
    const v = new Float64Array(n);
    const columnOf = new Int32Array(n).fill(-1);
    const rowOf = new Int32Array(n).fill(-1);
    for (let row = 0; row < n; row++) {
      const shortest = new Float64Array(n).fill(Infinity);
      const path = new Int32Array(n).fill(-1);
      const rowSeen = new Uint8Array(n);
      const columnSeen = new Uint8Array(n);
      const left = Array.from({ length: n }, (_, i) => n - 1 - i);
      let least = 0;
      let sink = -1;
      let i = row;
      while (sink < 0) {
        rowSeen[i] = 1;
        let lowest = Infinity;
        let chosen = -1;
        left.forEach((j, number) => {
          const cost = least + costs[i][j] - u[i] - v[j];
          if (cost < shortest[j]) {
            shortest[j] = cost;
            path[j] = i;
          }
          if (shortest[j] < lowest || (shortest[j] === lowest && rowOf[j] < 0)) {
            lowest = shortest[j];
            chosen = number;
          }
        });
        least = lowest;
        const j = left[chosen];
        columnSeen[j] = 1;
        left[chosen] = left[left.length - 1];
        left.pop();
        if (rowOf[j] < 0) sink = j;
        else i = rowOf[j];
      }
      u[row] += least;
      for (let other = 0; other < n; other++) {
        if (rowSeen[other] && other !== row) u[other] += least - shortest[columnOf[other]];
        if (columnSeen[other]) v[other] -= least - shortest[other];
      }
      for (let j = sink; ; ) {
        const from = path[j];
        rowOf[j] = from;
        const next = columnOf[from];
        columnOf[from] = j;
        j = next;
        if (from === row) break;
      }
    }
    return Array.from(columnOf);
  }

  const zeros = (n, width) => Array.from({ length: n }, () => new Float64Array(width));

  function product(a, b) {
    let total = 0;
    for (let i = 0; i < a.length; i++) total += a[i] * b[i];
    return total;
  }

  function add(target, values, factor) {
    for (let i = 0; i < target.length; i++) target[i] += factor * values[i];
  }

  // Rows of one class, which may change places: their folds, and the sums of their centred features in each fold.
  class Kind {
    constructor(rows, folds, nSplits) {
      this.rows = rows.map((row) => Float64Array.from(row));
      this.folds = folds;
      this.counts = Array.from({ length: nSplits }, (_, fold) => folds.filter((one) => one === fold).length);
      this.sums = zeros(nSplits, rows[0].length);
    }

    start(share, rng) {
      const folds = rng.shuffle([...this.folds]);
      const mean = new Float64Array(this.rows[0].length);
      this.rows.forEach((row) => add(mean, row, 1));
      for (let i = 0; i < mean.length; i++) mean[i] = rint(mean[i] / this.rows.length);
      this.rows.forEach((row) => add(row, mean, -1));
      this.rows.forEach((row, i) => add(this.sums[folds[i]], row, 1));
      this.sums.forEach((sums) => sums.forEach((value, i) => (sums[i] = -rint(share * value))));
    }

    deal(others) {
      const nSplits = this.counts.length;
      let nRounds = Math.min(...this.counts);
      let dealt = nRounds * nSplits;
      const rounds = Array.from({ length: nRounds }, (_, i) => this.counts.map((__, j) => i * nSplits + j));
      this.dealRounds(rounds, others, false);
      while (dealt < this.rows.length) {
        const open = this.counts.map((_, fold) => fold).filter((fold) => this.counts[fold] > nRounds);
        const places = open.map((_, i) => dealt + i);
        const costs = open.map((fold) =>
          places.map((place) => product(this.sums[fold], this.rows[place]) + product(others[fold], this.rows[place]) / 2),
        );
        assign(costs).forEach((column, i) => {
          this.folds[places[column]] = open[i];
          add(this.sums[open[i]], this.rows[places[column]], 1);
        });
        dealt += open.length;
        nRounds += 1;
      }
    }

    dealAgain(others, rng) {
      const nRounds = Math.min(...this.counts);
      const drawn = rng.permutation(this.rows.length);
      const members = this.counts.map((_, fold) => drawn.filter((place) => this.folds[place] === fold));
      const rounds = Array.from({ length: nRounds }, (_, i) => members.map((places) => places[i]));
      this.dealRounds(rounds, others, true);
    }

    dealRounds(rounds, others, again) {
      const halves = this.sums.map((sums, fold) => sums.map((value, i) => value + others[fold][i] / 2));
      for (const round of rounds) {
        const rows = round.map((place) => this.rows[place]);
        const costs = halves.map((half, fold) =>
          rows.map((row) => product(half, row) - (again ? product(rows[fold], row) : 0)),
        );
        assign(costs).forEach((column, fold) => {
          for (const sums of [halves[fold], this.sums[fold]]) {
            add(sums, rows[column], 1);
            if (again) add(sums, rows[fold], -1);
          }
          this.folds[round[column]] = fold;
        });
      }
    }
  }

  // The folds of rows that come kind by kind, after rows of each kind have changed places.
  function balanceFolds(rows, sizes, folds, nSplits, balance, rng) {
    const total = zeros(nSplits, rows[0].length);
    const found = [];
    let start = 0;
    for (const size of sizes) {
      const kind = new Kind(rows.slice(start, start + size), folds.slice(start, start + size), nSplits);
      kind.start(Math.sqrt(balance), rng);
      kind.deal(total);
      for (let pass = 0; pass < PASSES; pass++) kind.dealAgain(total, rng);
      kind.sums.forEach((sums, fold) => add(total[fold], sums, 1));
      found.push(...kind.folds);
      start += size;
    }
    return found;
  }

  Object.assign(cvstrat, { balanceRatio, balanceFolds, features, sineAndCosine, assign, sortedOrder });
})((window.cvstrat = window.cvstrat || {}));
