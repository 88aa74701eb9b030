/** Numbers by chance that a seed repeats. */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<Value>(values: readonly Value[]): Value;
  shuffled<Value>(values: readonly Value[]): Value[];
}

/** A row of numbers for one purpose: each purpose has its own, so that one does not shift another. */
export function openChance(seed: number, purpose: string): Chance {
  let state = hash(`${seed} ${purpose}`);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mixed(state) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    pick<Value>(values: readonly Value[]) {
      if (values.length === 0) throw new Error("there is nothing to pick from");
      return values[whole(0, values.length - 1)] as Value;
    },
    shuffled<Value>(values: readonly Value[]) {
      const drawn = values.map((value) => ({ value, at: next() }));
      return drawn.sort((one, other) => one.at - other.at).map(({ value }) => value);
    },
  };
}

/** In [0, 1), the same for the same seed and text whenever it is asked for: for what does not come in a fixed order. */
export function shareOf(seed: number, text: string): number {
  return mixed(hash(`${seed} ${text}`)) / 2 ** 32;
}

/** A row of a table of chances. */
export interface Weighed<Value> {
  readonly weight: number;
  readonly value: Value;
}

/** The row that a share in [0, 1) falls on. */
export function chosenBy<Value>(rows: readonly Weighed<Value>[], share: number): Value {
  let left = share * rows.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, value } of rows) {
    left -= weight;
    if (left < 0) return value;
  }
  throw new Error("a share is below one");
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}

/** The last step of mulberry32: neighbours come out far apart. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), value | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return (bits ^ (bits >>> 14)) >>> 0;
}
