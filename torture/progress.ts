import type { Answers } from "./answers.ts";
import type { Shop } from "./shop.ts";
import type { StormFigures } from "./strikes.ts";

const terminalEveryMs = 1_000;
const otherwiseEveryMs = 10_000;

/** One line about how it stands: once a second on a terminal, else each ten seconds. @returns how to stop */
export function tellProgress(line: () => string): () => void {
  const { isTTY } = process.stderr;
  const tell = () => void process.stderr.write(isTTY ? `\r\x1b[K${line()}` : `${line()}\n`);
  const timer = setInterval(tell, isTTY ? terminalEveryMs : otherwiseEveryMs);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stderr.write("\r\x1b[K");
  };
}

export function stormLine(
  { shop, answers, figures }: { readonly shop: Shop; readonly answers: Answers; readonly figures: StormFigures },
  seconds: { readonly passed: number; readonly all: number },
): string {
  const { databaseStops, kills, processStops, cuts, outages } = figures;
  return [
    `${clock(seconds.passed)} of ${clock(seconds.all)}`,
    `${shop.counts.requests} requests`,
    `${answers.count()} purchases acknowledged`,
    `${databaseStops} database stops`,
    `${kills} kills`,
    `${processStops} SIGSTOPs`,
    `${cuts} cuts`,
    `${outages} outages`,
    `${answers.violations.length} violations`,
  ].join(" · ");
}

export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3_600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
