import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "../../rigs/base/program.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

let scratch: ScratchDirectory;
beforeAll(async () => {
  scratch = await makeScratchDirectory();
});
afterAll(() => scratch.remove());

/** In the place of docker: notes what it is asked for, and answers as a deployment that runs does. */
const standIn = `#!/bin/bash
echo "$*" >> "$(dirname "$0")/calls"
case "$*" in
  "compose version"*) echo "\${COMPOSE:-2.26.1-4}" ;;
  "compose ps"*) echo container ;;
  "compose config --hash"*) echo "$4 hash-of-now" ;;
  "compose config --services") printf '%s\\n' database api-a prometheus alertmanager ;;
  "image inspect"*) echo image ;;
  "inspect"*) echo "\${HASH:-hash-of-before} image" ;;
esac
`;

interface Updated {
  readonly said: string;
  readonly status: number | null;
  /** What docker was to change, in order. */
  readonly changes: readonly string[];
  readonly version: string | undefined;
}

function update(settings: string, { words = [] as readonly string[], environment = {} } = {}): Updated {
  const folder = mkdtempSync(path.join(scratch.folder, "site-"));
  for (const file of ["compose.yaml", "package.json", "deploy/update.sh"]) {
    cpSync(path.join(projectRoot, file), path.join(folder, file));
  }
  const programs = path.join(folder, "programs");
  mkdirSync(programs);
  writeFileSync(path.join(programs, "docker"), standIn);
  chmodSync(path.join(programs, "docker"), 0o755);
  writeFileSync(path.join(folder, ".env"), settings);
  const { status, stdout, stderr } = spawnSync(path.join(folder, "deploy/update.sh"), words, {
    encoding: "utf8",
    env: { ...process.env, ...environment, PATH: `${programs}:${process.env.PATH}` },
  });
  const calls = path.join(programs, "calls");
  const lines = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
  const changes = lines.filter((line) => /^compose (run|rm|up|build|pull) /.test(line));
  const [, version] = /^VERSION=(.*)$/m.exec(readFileSync(path.join(folder, ".env"), "utf8")) ?? [];
  return { said: stdout + stderr, status, changes, version };
}

const settings = "VERSION=0.1.0\nDOMAIN=localhost\nOWNER_PASSWORD='aB-_.~1'\nSERVICE_PASSWORD=aB+=2\nALARM_WEBHOOK=\n";
const { version } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8")) as { version: string };

test("an update replaces one service after the other, none together with what depends on it, and the database alone", () => {
  const updated = update(settings);
  expect(updated.changes).toEqual([
    "compose run --rm --no-deps migrate",
    "compose rm --force migrate",
    ...["api-a", "api-b", "worker", "console"].flatMap((service) => [
      `compose rm --stop --force ${service}`,
      `compose up --detach --wait --no-recreate ${service}`,
    ]),
    "compose up --detach --no-deps --force-recreate prometheus alertmanager",
    "compose up --detach --wait --no-deps database",
    "compose up --detach",
  ]);
  expect([updated.status, updated.version]).toEqual([0, version]);
  expect(updated.said).toContain(`${version} sells at https://localhost. Back: deploy/update.sh 0.1.0`);
  expect(updated.said).toContain("Nobody hears an alarm");
});

test("what is as it should be is not replaced, and another release than the checkout's is named for the next time", () => {
  const updated = update(settings, { words: ["v0.1.0"], environment: { HASH: "hash-of-now" } });
  expect(updated.changes.filter((line) => line.startsWith("compose rm --stop"))).toEqual([]);
  expect(updated.said).toContain(`say 0.1.0 after a change of .env, too: deploy/update.sh alone goes to ${version}.`);
  expect(updated.version).toBe("0.1.0");
});

test.each([
  ["a password with a slash", settings.replace("aB+=2", "aB/2"), {}, "SERVICE_PASSWORD in .env is empty, or has"],
  ["no password", settings.replace("'aB-_.~1'", ""), {}, "OWNER_PASSWORD in .env is empty, or has"],
  ["a name that nobody reads", `${settings}SMPT_URL=x\n`, {}, ".env has what compose.yaml does not read: SMPT_URL."],
  ["an older Compose", settings, { COMPOSE: "v2.3.0" }, "docker compose version says: v2.3.0"],
])("%s is refused, and nothing is changed", (_what, given, environment, sentence) => {
  const updated = update(given, { environment });
  expect(updated.said).toContain(sentence);
  expect([updated.status, updated.changes, updated.version]).toEqual([1, [], "0.1.0"]);
});
