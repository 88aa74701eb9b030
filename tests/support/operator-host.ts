// A program: runs one operator's command after the other, each as a process of its own would. A start takes four tenths
// of a second of a core, and the tests give two hundred commands.
import { runOperator } from "../../src/cli/program.ts";

export interface Order {
  readonly words: readonly string[];
  /** The command's whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to both outputs when the command is through, with its exit code. */
  readonly end: string;
}

const kept = () => process.getActiveResourcesInfo().length;
process.on("message", (order: Order) => void carryOut(order));
process.on("disconnect", () => process.exit()); // whatever a command may have left running
for (const output of [process.stdout, process.stderr]) output.write("");
const takenAtRest = kept();

async function carryOut({ words, environment, end }: Order): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const code = await runOperator(words);
  // A process ends when nothing holds it. One that is held for ever is killed by who gave the order.
  while (kept() > takenAtRest) await new Promise((resolve) => setTimeout(resolve, 2));
  for (const output of [process.stdout, process.stderr]) output.write(`${end}${code}\n`);
}
