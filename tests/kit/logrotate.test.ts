import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../support/receiver.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
// Debian has it where only root's path leads.
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const isThere = spawnSync("logrotate", ["--version"], { env: environment }).status === 0;
const where = isThere ? "" : " (skipped: logrotate is not installed here)";

let scratch: ScratchDirectory;
beforeAll(async () => {
  scratch = await makeScratchDirectory();
  chmodSync(scratch.folder, 0o755);
});
afterAll(() => scratch.remove());

/** Writes numbered lines until its input ends, and holds its output open, as the service does. */
const writer = `
  let number = 0;
  const timer = setInterval(() => console.log(JSON.stringify({ event: "counted", number: number++ })), 1);
  process.stdin.resume().on("end", () => clearInterval(timer));
`;

test.runIf(isThere)(
  `a log that is being written is rotated: whole lines, an old file and a short new one, little lost${where}`,
  async () => {
    const log = path.join(scratch.folder, "dispense.log");
    const file = path.join(scratch.folder, "rotation");
    const kit = readFileSync(path.join(projectRoot, "deploy/logrotate/dispense"), "utf8");
    const text = kit.replace("/var/log/dispense", scratch.folder);
    writeFileSync(file, text, { mode: 0o644 });
    // As systemd's append: opens it.
    const child = spawn(process.execPath, ["-e", writer], { stdio: ["pipe", openSync(log, "a"), "inherit"] });
    await waitUntil(() => statSync(log).size > 20_000, "the log's first lines");
    const args = ["--force", "--state", path.join(scratch.folder, "state"), file];
    const rotated = spawnSync("logrotate", args, { env: environment, encoding: "utf8" });
    expect([rotated.status, rotated.stderr]).toEqual([0, ""]);
    await waitUntil(() => statSync(log).size > 2_000, "lines after the rotation");
    child.stdin?.end();
    await once(child, "exit");

    const old = readdirSync(scratch.folder).filter((name) => /^dispense\.log-\d{8}-\d+\.gz$/.test(name));
    expect(old).toHaveLength(1);
    const before = numbersIn(gunzipSync(readFileSync(path.join(scratch.folder, old[0] ?? ""))).toString());
    const after = numbersIn(readFileSync(log, "utf8"));
    expect(before).toEqual(before.map((_, index) => index));
    expect(after).toEqual(after.map((_, index) => (after[0] ?? 0) + index));
    expect((after[0] ?? 0) - before.length).toBeLessThan(500);
  },
);

/** Fails where a line is none, such as one that begins with the zeros of a hole. */
const numbersIn = (text: string): number[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).number);
