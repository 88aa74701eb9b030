import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectionLimits } from "../../src/http/plugins/connections/connection-limits.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const folder = path.join(projectRoot, "deploy/systemd");
const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name));
const services = units.filter((name) => name.endsWith(".service"));
/** A line that goes on in the next one is one line. */
const read = (name: string): string => readFileSync(path.join(folder, name), "utf8").replaceAll(/\\\n\s*/g, "");

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const where = hasSystemd ? "" : " (skipped: systemd-analyze is not installed here)";

/** Values of a setting in a unit, in order. */
const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
const lastOf = (text: string, name: string): string | undefined => valuesOf(text, name).at(-1);

let scratch: ScratchDirectory;
beforeAll(async () => {
  scratch = await makeScratchDirectory();
  for (const name of units) writeFileSync(path.join(scratch.folder, name), onThisMachine(read(name)));
});
afterAll(() => scratch.remove());

/** Programs and folders that this machine lacks are replaced: systemd looks whether they are there. */
const onThisMachine = (text: string): string =>
  text
    .replaceAll(/^(ExecStart=)(\/\S+)/gm, (line, name, program) => (existsSync(program) ? line : `${name}/bin/true`))
    .replaceAll(/^Documentation=.*$/gm, "");

/** What systemd says about a unit of ours; about the machine's own ones it may say what it likes. */
function verify(name: string, text = onThisMachine(read(name))): string[] {
  const file = path.join(scratch.folder, name);
  writeFileSync(file, text);
  const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
  return `${stdout}${stderr}`.split("\n").filter((line) => line.includes("dispense"));
}

/** Exit code 0 where the unit is exposed by 2.0 at most, of 10. */
const exposure = (file: string) =>
  spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", file], { encoding: "utf8" });

describe("units", () => {
  test.runIf(hasSystemd).each(units)(`systemd has nothing to say against %s${where}`, (name) => {
    expect(verify(name)).toEqual([]);
  });

  test.runIf(hasSystemd)(`a setting that systemd does not know is found${where}`, () => {
    const name = "dispense.service";
    expect(verify(name, onThisMachine(read(name)).replace("TimeoutStopSec", "TimeoutStopsSec"))).toEqual([
      expect.stringContaining("TimeoutStopsSec"),
    ]);
  });

  test.runIf(hasSystemd).each(services)(`%s is exposed by 2.0 at most${where}`, (name) => {
    const { status, stdout } = exposure(path.join(folder, name));
    expect([status, stdout.split("\n").filter((line) => line.startsWith("→"))]).toEqual([0, [expect.anything()]]);
  });

  test.runIf(hasSystemd)(`a unit without its hardening is exposed by more${where}`, () => {
    const file = path.join(scratch.folder, "open.service");
    writeFileSync(file, read("dispense.service").replaceAll(/^(Protect|Private|SystemCall|Capability).*$/gm, ""));
    expect(exposure(file).status).not.toBe(0);
  });
});

describe("the service's unit", () => {
  const unit = read("dispense.service");

  test("it starts node by the program of npm start", () => {
    const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
    const [, start] = scripts.start.split(" ");
    expect(lastOf(unit, "ExecStart")).toBe(`${lastOf(unit, "WorkingDirectory")}/${start} ${lastOf(unit, "WorkingDirectory")}/dist/start.js`);
  });

  test("a stop has more time than the service takes, and the signal goes to its parent alone", () => {
    expect(lastOf(unit, "KillMode")).toBe("mixed");
    // Ten seconds, and the embedded PostgreSQL's own end.
    expect(Number.parseInt(lastOf(unit, "TimeoutStopSec") ?? "", 10)).toBeGreaterThanOrEqual(20);
  });

  test("a process may open as many files as clients and receivers may take", () => {
    expect(Number(lastOf(unit, "LimitNOFILE"))).toBeGreaterThan(connectionLimits.connectionsMax + 3_000);
  });

  test("Node may compile while it runs", () => {
    expect(lastOf(unit, "MemoryDenyWriteExecute")).toBeUndefined();
  });

  test("no secret stands in it: settings come from a file that the service's user can't change", () => {
    expect(lastOf(unit, "EnvironmentFile")).toBe("/etc/dispense/env");
    expect(valuesOf(unit, "Environment").join(" ")).not.toMatch(/PASSWORD|KEY|URL/);
  });

  test("the check of the ledger is locked in like the service", () => {
    const hardening = (text: string) =>
      text
        .split("\n")
        .filter((line) => /^(NoNew|Capab|Ambient|Protect|Private|Restrict|Lock|SystemCall|UMask)/.test(line));
    expect(hardening(read("dispense-check-ledger.service")).sort()).toEqual(hardening(unit).sort());
  });

  test.each(["dispense-check-ledger.service", "dispense-backup@.service"])("a failure of %s is said aloud", (name) => {
    expect(lastOf(read(name), "OnFailure")).toBe("dispense-failed@%N.service");
  });
});
