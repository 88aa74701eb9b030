/**
 * Evenly spaced ticks from zero (or below, where a value is below) to at least the greatest value, at steps of 1, 2, 2.5
 * or 5 times a power of ten. Always two ticks at least, so that nothing divides by nothing; `stepsMax` steps at most.
 */
export function niceTicks(values: readonly number[], stepsMax = 4): number[] {
  const finite = values.filter(Number.isFinite);
  const most = Math.max(0, ...finite);
  const least = Math.min(0, ...finite);
  const step = niceStep((most - least) / stepsMax);
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  // A scale with something below zero may need a step more than asked for: both ends are rounded outwards.
  return Array.from({ length: last - first + 1 }, (_, at) => clean((first + at) * step));
}

function niceStep(least: number): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Without the last digits of a double: 0.30000000000000004 is 0.3. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** `600k`, `1.2m`, `0`: short enough for an axis. */
export function shortNumber(value: number): string {
  const magnitude = Math.abs(value);
  const [divisor, unit] = magnitude >= 1e9 ? [1e9, "bn"] : magnitude >= 1e6 ? [1e6, "m"] : [1e3, "k"];
  if (magnitude < 1_000) return String(clean(value));
  return `${clean(Number((value / divisor).toPrecision(3)))}${unit}`;
}

/** A place may be off its exact one by half a step: unseen among so many. */
const manyPlaces = 13;

/**
 * At most `most` of the places 0 … count − 1, the first and the last among them, evenly spaced: exactly where there are
 * few, to the next place where there are many.
 */
export function spreadPlaces(count: number, most: number): number[] {
  if (count <= 0) return [];
  const last = count - 1;
  const wanted = Array.from({ length: most - 1 }, (_, at) => most - 1 - at);
  const steps = count >= manyPlaces ? most - 1 : (wanted.find((each) => last % each === 0) ?? 1);
  if (last === 0) return [0];
  return Array.from({ length: steps + 1 }, (_, at) => Math.round((at * last) / steps));
}
