// node scripts/with-dependencies.mjs TOOL ARGUMENTS...: runs an installed tool, after installing it where needed.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensureDependencies, giveUp, pathWithNode, projectRoot } from "./ensure-dependencies.mjs";

const [tool, ...args] = process.argv.slice(2);
if (tool === undefined) giveUp("Usage: node scripts/with-dependencies.mjs TOOL ARGUMENTS...");
ensureDependencies({ development: true });

const bin = path.join(projectRoot, "node_modules/.bin");
const child = spawn(path.join(bin, tool), args, {
  stdio: "inherit",
  env: { ...process.env, PATH: [bin, pathWithNode()].join(path.delimiter) },
});
child.on("error", (error) => giveUp(`${tool} can't be run: ${error.message}`));

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // The terminal's Ctrl-C reaches the tool by itself; a second one would make many tools give up tidying.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
