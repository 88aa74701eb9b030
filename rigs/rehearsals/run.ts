// npm run rehearse [-- NAME…]: see docs/rehearsals/README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { build, buildConsole } from "../../scripts/build.mjs";
import { table } from "../base/figures.ts";
import { projectRoot } from "../base/program.ts";
import { describeCommit } from "../bench/machine.ts";
import { citus } from "./citus.ts";
import { clock } from "./clock.ts";
import { compose } from "./compose.ts";
import { diskFull } from "./disk-full.ts";
import { failover } from "./failover.ts";
import { pooler } from "./pooler.ts";
import { readonly } from "./readonly.ts";
import type { Performance, Rehearsal } from "./rehearsal.ts";
import { restore } from "./restore.ts";
import { missing, onStage } from "./stage.ts";
import { standbyAway } from "./standby-away.ts";
import { update } from "./update.ts";

const all: readonly Rehearsal[] = [
  failover,
  standbyAway,
  readonly,
  pooler,
  update,
  restore,
  diskFull,
  clock,
  compose,
  citus,
];

const program = new Command("rehearse")
  .description("starts the real parts, sells, breaks one, and tells what was lost and for how long nothing was sold")
  .argument("[names...]", all.map(({ name }) => name).join(", "))
  .option("--save", "write what came of it to docs/rehearsals")
  .action(rehearse);
await program.parseAsync();

async function rehearse(names: readonly string[], { save = false }: { readonly save?: boolean }): Promise<void> {
  const unknown = names.filter((name) => !all.some((rehearsal) => rehearsal.name === name));
  if (unknown.length > 0) {
    program.error(`There is no rehearsal ${unknown.join(", ")}: ${all.map(({ name }) => name).join(", ")}.`);
  }
  await build("start");
  await buildConsole();
  for (const rehearsal of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
    await perform(rehearsal, save);
  }
}

async function perform(rehearsal: Rehearsal, save: boolean): Promise<void> {
  const { name, says, programs, hindrance } = rehearsal;
  console.log(`\n${name}: ${says}`);
  const lacking = missing(programs);
  const hindered = lacking.length > 0 ? `this machine lacks ${lacking.join(", ")}` : (hindrance?.() ?? null);
  if (hindered !== null) return console.log(`SKIPPED: ${hindered}.`);
  const startedMs = performance.now();
  const came = await onStage((stage) => rehearsal.perform(stage));
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const { verdict, notes = [] } = came;
  const isSound = verdict.lost === 0 && verdict.brokenInvariants.length === 0;
  const words = `${verdict.acknowledged} purchases acknowledged, ${verdict.lost} of them lost; ${verdict.brokenInvariants.length === 0 ? "every invariant holds" : verdict.brokenInvariants.join("; ")}.`;
  console.log(
    [
      table(came.rows.map((row) => [...row])),
      ...notes,
      `${isSound ? "HELD" : "BROKEN"} in ${seconds} s: ${words}`,
    ].join("\n"),
  );
  if (!isSound) process.exitCode = 1;
  if (save) write(rehearsal, came, words);
}

function write({ name, says }: Rehearsal, { rows, notes = [] }: Performance, words: string): void {
  const [head = [], ...lines] = rows;
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const text = [
    `# Rehearsal: ${name}`,
    `${says} Made by \`npm run rehearse -- ${name} --save\` on ${new Date().toISOString().slice(0, 10)} at ${describeCommit(projectRoot)}.`,
    [row(head), row(head.map(() => "---")), ...lines.map(row)].join("\n"),
    ...notes,
    words,
  ].join("\n\n");
  const folder = path.join(projectRoot, "docs/rehearsals");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.md`), `${text}\n`);
}
