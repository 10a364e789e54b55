// Orders that depend on what rows contain, not on where they stand or what classes are called (splitters/_content.py).
"use strict";
(function (cvstrat) {
  const low64 = (value) => BigInt.asUintN(64, value);
  const floats = new Float64Array(1);
  const words = new BigUint64Array(floats.buffer);

  function bitsOf(number) {
    floats[0] = number + 0; // zero has one sign
    return words[0];
  }

  function spreadBits(number) {
    let bits = bitsOf(number);
    bits = low64((bits ^ (bits >> 32n)) * 0x9e3779b97f4a7c15n);
    return bits ^ (bits >> 29n);
  }

  function finalizeHash(key) {
    key = low64((key ^ (key >> 30n)) * 0xbf58476d1ce4e5b9n);
    key = low64((key ^ (key >> 27n)) * 0x94d049bb133111ebn);
    return key ^ (key >> 31n);
  }

  function rowKeys(rows, rng) {
    const width = rows[0].length;
    const high = Array.from({ length: width }, () => BigInt(rng.uint32()));
    const low = Array.from({ length: width }, () => BigInt(rng.uint32()));
    const factors = high.map((one, i) => (one << 32n) | low[i] | 1n);
    const start = BigInt(rng.uint32()) << 32n;
    return rows.map((row) => {
      const total = row.reduce((sum, value, i) => sum + spreadBits(value) * factors[i], start);
      return finalizeHash(low64(total));
    });
  }

  // The order that sorts values; equal ones stay as they come.
  function sortedOrder(values) {
    const order = values.map((_, i) => i);
    return order.sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b));
  }

  function rankClasses(codes, keys) {
    const members = Array(Math.max(...codes) + 1).fill(0n);
    codes.forEach((code, i) => (members[code] = low64(members[code] + keys[i])));
    const rank = [];
    sortedOrder(members.map(finalizeHash)).forEach((code, i) => (rank[code] = i));
    return codes.map((code) => rank[code]);
  }

  function byClass(order, codes) {
    const parts = Array.from({ length: Math.max(...codes) + 1 }, () => []);
    order.forEach((row) => parts[codes[row]].push(row));
    return parts;
  }

  // To ten digits, so that distances which differ by rounding only are equal.
  function rounded(distance) {
    words[0] = ((bitsOf(distance) + (1n << 17n)) >> 18n) << 18n;
    return floats[0];
  }

  const same = (one, other) => one.every((value, i) => value === other[i]);

  // The number of the first row of each run of equal rows.
  function firstOfEquals(rows) {
    return rows.map((_, i) => i).filter((i) => i === 0 || !same(rows[i], rows[i - 1]));
  }

  Object.assign(cvstrat, { rowKeys, sortedOrder, rankClasses, byClass, rounded, firstOfEquals });
})((window.cvstrat = window.cvstrat || {}));
