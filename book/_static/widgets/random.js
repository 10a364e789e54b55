// NumPy's RandomState: the Mersenne Twister and the draws that the splitters make, number for number.
"use strict";
(function (cvstrat) {
  class RandomState {
    constructor(seed) {
      this.state = new Uint32Array(624);
      this.state[0] = seed >>> 0;
      for (let i = 1; i < 624; i++) {
        const last = this.state[i - 1] ^ (this.state[i - 1] >>> 30);
        this.state[i] = Math.imul(1812433253, last) + i;
      }
      this.place = 624;
      this.spare = null;
    }

    uint32() {
      if (this.place === 624) this.refill();
      let y = this.state[this.place++];
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      return (y ^ (y >>> 18)) >>> 0;
    }

    refill() {
      const state = this.state;
      for (let i = 0; i < 624; i++) {
        const y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
        state[i] = state[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.place = 0;
    }

    // A whole number from 0 to `largest`, both included.
    interval(largest) {
      if (largest === 0) return 0;
      const mask = 2 ** (32 - Math.clz32(largest)) - 1;
      for (;;) {
        const value = (this.uint32() & mask) >>> 0;
        if (value <= largest) return value;
      }
    }

    uniform() {
      const high = this.uint32() >>> 5;
      const low = this.uint32() >>> 6;
      return (high * 67108864 + low) / 9007199254740992;
    }

    normal() {
      if (this.spare !== null) {
        const kept = this.spare;
        this.spare = null;
        return kept;
      }
      for (;;) {
        const first = 2 * this.uniform() - 1;
        const second = 2 * this.uniform() - 1;
        const radius = first * first + second * second;
        if (radius >= 1 || radius === 0) continue;
        const factor = Math.sqrt((-2 * Math.log(radius)) / radius);
        this.spare = factor * first;
        return factor * second;
      }
    }

    shuffle(values) {
      for (let i = values.length - 1; i > 0; i--) {
        const j = this.interval(i);
        [values[i], values[j]] = [values[j], values[i]];
      }
      return values;
    }

    permutation(n) {
      return this.shuffle(Array.from({ length: n }, (_, i) => i));
    }
  }

  cvstrat.RandomState = RandomState;
})((window.cvstrat = window.cvstrat || {}));
