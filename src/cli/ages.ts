import { orComplain } from "./arguments.ts";

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `2h`, `3d` as milliseconds. */
export function ageWord(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,5})([smhd])$/.exec(text) ?? [];
  const ms = count === undefined || unit === undefined ? null : Number(count) * (unitMs[unit] ?? 0);
  return orComplain(ms, "It must be an age such as 90s, 15m, 2h or 3d.");
}

/** The two largest units of an age: `2 d 3 h`, `15 min 2 s`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first === -1 ? parts.length - 1 : first)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
