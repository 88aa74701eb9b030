// npm run dev: the service, restarted on every change of its own files, of a page's style or of an island.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import path from "node:path";
import { buildConsole } from "./build.mjs";
import { ensureDependencies, projectRoot } from "./ensure-dependencies.mjs";

/** An editor writes a file in several steps. */
const settleMs = 50;

ensureDependencies({ development: true });
await buildConsole();
let soon;
for (const folder of ["styles", "islands"]) {
  watch(path.join(projectRoot, "src/console", folder), { recursive: true }, () => {
    clearTimeout(soon);
    // The running service keeps what it has read: the changed files in dist/console restart it.
    soon = setTimeout(rebuild, settleMs);
  });
}

const watching = ["watch", "--clear-screen=false", "--include", "dist/console/*.{js,css}", "src/main/start.ts"];
const child = spawn(process.execPath, [path.join(projectRoot, "node_modules/tsx/dist/cli.mjs"), ...watching], {
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal); // the terminal's Ctrl-C reaches it by itself
  });
}
child.on("exit", (code) => process.exit(code ?? 1));

/** In a process of its own: a fault in a style sheet ends that one. */
function rebuild() {
  spawn(process.execPath, [path.join(projectRoot, "scripts/build.mjs"), "console"], { stdio: "inherit" });
}
