// npm run attacks [-- NAME …]: attacks the service as a hostile client would, and says what held. See rigs/attacks/README.md.
import { spawnSync } from "node:child_process";
import { table } from "../base/figures.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import type { Attack, Figure } from "./attack.ts";
import { borrowedFiles } from "./borrowed-files.ts";
import { borrowedReset } from "./borrowed-reset.ts";
import { formFloods } from "./form-floods.ts";
import { greedyBulk } from "./greedy-bulk.ts";
import { heavyPages } from "./heavy-pages.ts";
import { logInFlood } from "./log-in-flood.ts";
import { longExports } from "./long-exports.ts";
import { massInvitations } from "./mass-invitations.ts";
import { packedLists } from "./packed-lists.ts";
import { phonesShorthand } from "./phones-shorthand.ts";
import { silentReceivers } from "./silent-receivers.ts";
import { squattedAddress } from "./squatted-address.ts";

const attacks: readonly Attack[] = [
  phonesShorthand,
  greedyBulk,
  silentReceivers,
  squattedAddress,
  logInFlood,
  massInvitations,
  formFloods,
  packedLists,
  longExports,
  heavyPages,
  borrowedFiles,
  borrowedReset,
];

const progress = (text: string) => void process.stderr.write(`  ${text.trimEnd()}\n`);

interface Finding {
  readonly figures: readonly Figure[];
  readonly verdict: "held" | "broken";
}

process.exitCode = (await attackWith(process.argv.slice(2))) ? 0 : 1;

/** @returns whether everything held */
async function attackWith(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => attacks.every((attack) => attack.name !== name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(", ")}. There are: ${attacks.map(({ name }) => name).join(", ")}.`);
    return false;
  }
  const chosen = attacks.filter(({ name }) => names.length === 0 || names.includes(name));
  const [attack, ...more] = chosen;
  if (attack === undefined || more.length > 0) return attackInTurn(chosen);
  process.stderr.write(`\n${attack.name}: ${attack.does}\n`);
  const finding = await findingOf(attack);
  console.log(rendered(attack, finding));
  return finding.verdict === "held";
}

/** Each in a process of its own: an attacker lowers its priority, which takes root to undo. @returns whether all held */
function attackInTurn(chosen: readonly Attack[]): boolean {
  const codes = chosen.map(({ name }) => {
    const args = [...process.execArgv, import.meta.filename, name];
    return spawnSync(process.execPath, args, { stdio: "inherit" }).status;
  });
  return codes.every((code) => code === 0);
}

/** An attack that fails, or does not end, has found something as well. */
async function findingOf(attack: Attack): Promise<Finding> {
  try {
    const figures = await inScratchFolder((folder, undo) =>
      beforeItIsTooLate(attack, attack.run({ folder, undo, progress })),
    );
    return { figures, verdict: figures.every(({ holds }) => holds) ? "held" : "broken" };
  } catch (error) {
    const measured = error instanceof Error ? error.message : String(error);
    return { figures: [{ what: "the attack itself", measured, bound: "ends", holds: false }], verdict: "broken" };
  }
}

async function beforeItIsTooLate<T>({ secondsMax }: Attack, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${secondsMax} s`)), secondsMax * 1_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function rendered({ name }: Attack, { figures, verdict }: Finding): string {
  const lines = figures.map(({ what, measured, bound, holds }) => [
    `  ${what}`,
    measured,
    `${bound === null ? "" : `(${bound})`}${holds ? "" : "  BROKEN"}`,
  ]);
  return `${name}: ${verdict}\n${table(lines)}`;
}
