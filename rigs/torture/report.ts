import { cp, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ShopCounts } from "./shop.ts";
import type { Check } from "./verdict.ts";

const terminalEveryMs = 1_000;
const otherwiseEveryMs = 10_000;
const shownMax = 5;

/** What a run came to. */
export interface Report {
  readonly seed: number;
  readonly checks: readonly Check[];
  /** Its figures: a title, and what there is to say of it. */
  readonly lines: readonly (readonly [title: string, text: string])[];
}

/** Waits so many seconds, and says how it stands in one line: once a second on a terminal, else each ten seconds. */
export async function waitAloud(seconds: number, standing: () => readonly string[]): Promise<void> {
  const { isTTY } = process.stderr;
  const startedAt = performance.now();
  const passed = () => (performance.now() - startedAt) / 1_000;
  const line = () => [`${clock(passed())} of ${clock(seconds)}`, ...standing()].join(" · ");
  const report = () => void process.stderr.write(isTTY ? `\r\x1b[K${line()}` : `${line()}\n`);
  const timer = setInterval(report, isTTY ? terminalEveryMs : otherwiseEveryMs);
  while (passed() < seconds) await delay(200);
  clearInterval(timer);
  if (isTTY) process.stderr.write("\r\x1b[K");
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3_600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** The verdict, with its figures. */
export function renderReport({ seed, checks, lines }: Report): string {
  const broken = checks.filter((check) => check.broken.length > 0);
  const violations = broken.reduce((sum, check) => sum + check.broken.length, 0);
  return [
    ...broken.flatMap(({ promise, broken: faults }) => [
      `BROKEN: ${promise} (${faults.length})`,
      ...faults.slice(0, shownMax).map((fault) => `  ${fault}`),
    ]),
    `${violations === 0 ? "held" : "BROKEN"}: seed ${seed}, ${violations} violations of ${checks.length} promises`,
    ...lines.map(([title, text]) => `  ${title.padEnd(14)} ${text}`),
  ].join("\n");
}

/** What merchants asked for, and what came of it. */
export function shopLines(counts: ShopCounts, purchases: { stored: number; acknowledged: number }): Report["lines"] {
  return [
    ["purchases", `${purchases.stored} stored, ${purchases.acknowledged} acknowledged one by one`],
    [
      "requests",
      `${counts.requests}; lost answers ${counts.lost}, given up ${counts.givenUp}, not verified ${counts.unverified}`,
    ],
    ["answers", words(counts.answered)],
  ];
}

/** Names with their counts, by name. */
export function words(counts: Readonly<Record<string, number>>): string {
  const named = Object.entries(counts).sort(([one], [other]) => one.localeCompare(other));
  return named.map(([name, times]) => `${name}: ${times}`).join(", ");
}

/** Copies what all processes wrote, logs and books, out of the scratch folder. @returns where it is */
export async function keepWritings(folder: string, name: string): Promise<string> {
  const kept = path.join(path.dirname(folder), name);
  await mkdir(kept, { recursive: true });
  for (const each of await readdir(folder)) {
    if (/\.(log|book)$/.test(each)) await cp(path.join(folder, each), path.join(kept, each));
  }
  await cp(path.join(folder, "data/postgres.log"), path.join(kept, "postgres.log"));
  return kept;
}
