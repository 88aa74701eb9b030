import { runOperator } from "./program.ts";

/** `npm run operator -- <command>`: what the operator of a deployment does by hand, while the service runs. */
let isOutputLost = false;
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // The reader may have closed the pipe on purpose, as `| head -1` does.
  if (code === "EPIPE" || isOutputLost) return;
  isOutputLost = true;
  process.stderr.write(`What the command says can't be written: ${message}.\n`);
});
process.stderr.on("error", () => {});
const exitCode = await runOperator(process.argv.slice(2));
process.exitCode = isOutputLost ? 1 : exitCode;
