import { runOperator } from "./operator/program.ts";

/** `npm run operator -- <command>`: what the operator of a deployment does by hand, while the service runs. */
process.exitCode = await runOperator(process.argv.slice(2));
