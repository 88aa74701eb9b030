// npm run walkthrough: plays the service's main uses on a fresh database and prints what was sent and answered.
// With -- --write it also renews docs/walkthrough.out, which holds the same with ids, times and tokens masked.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { playWalkthrough } from "./walkthrough/play.ts";
import { openMask } from "./walkthrough/transcript.ts";

const writtenFile = path.resolve(import.meta.dirname, "../docs/walkthrough.out");

async function main(): Promise<void> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "dispense-walkthrough-"));
  const mask = openMask();
  const masked: string[] = [];
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort(`Ended by ${signal}.`));
  try {
    await playWalkthrough({
      environment: { DATA_DIR: dataDirectory },
      print: (text) => {
        process.stdout.write(text);
        masked.push(mask(text));
      },
      signal: interrupted.signal,
    });
  } finally {
    await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
  }
  if (process.argv.includes("--write")) await writeFile(writtenFile, masked.join(""));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
