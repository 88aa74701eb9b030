// npm run check: everything that CI runs. Stops at the first red.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ensureDependencies, pathWithNode, projectRoot } from "./ensure-dependencies.mjs";

/**
 * Lanes of steps beside each other. Each step is a script of package.json, so that a person can repeat it by itself.
 * Torture's storm has a core while what reads the sources has the other one; later it waits more than it works.
 */
const lanes = [["typecheck", "lint", "lint:api", "test:all", "test:oldest"], ["torture"]];

ensureDependencies({ development: true });
const startedMs = performance.now();
const running = new Set();
const took = [];
const shownAfter = [];
let red = null;
await Promise.all(lanes.map(runLane));
for (const text of shownAfter) console.log(text);
const seconds = secondsSince(startedMs);
if (red === null) console.log(`\n== check is green after ${seconds} s: ${took.join(", ")}`);
else {
  console.error(`\n== check is RED: ${red.reason}`);
  process.exitCode = red.code;
}

function secondsSince(startMs) {
  return ((performance.now() - startMs) / 1_000).toFixed(1);
}

/** Runs one step after the other until one is red, of whichever lane. */
async function runLane(steps, lane) {
  for (const step of steps) {
    if (red === null) await runStep(step, { isShownAfter: lane > 0 });
  }
}

/** Runs one script. What it writes is shown as it comes, or `isShownAfter` at the end, so that lanes don't mix. */
async function runStep(step, { isShownAfter }) {
  if (!isShownAfter) console.log(`\n== npm run ${step}`);
  const stepMs = performance.now();
  const { failure, text } = await run(step, isShownAfter ? "pipe" : "inherit");
  const seconds = secondsSince(stepMs);
  if (isShownAfter) shownAfter.push(`\n== npm run ${step}, beside the others\n${text}`);
  if (failure === null) took.push(`${step} ${seconds} s`);
  else if (red === null) {
    red = { code: failure.code, reason: `npm run ${step} ${failure.reason} after ${seconds} s` };
    for (const child of running) child.kill("SIGTERM");
  }
}

/** `failure` is null when the script passed. It reads nothing from the terminal, so that nothing can wait for an answer. */
function run(step, output) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", step], {
      cwd: projectRoot,
      stdio: ["ignore", output, output],
      env: { ...process.env, PATH: pathWithNode() },
    });
    running.add(child);
    const written = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (some) => written.push(some));
    const end = (failure) => {
      running.delete(child);
      resolve({ failure, text: Buffer.concat(written).toString() });
    };
    child.on("error", (error) => end({ code: 1, reason: `can't be run (${error.message})` }));
    child.on("close", (code, signal) => {
      if (code === 0) end(null);
      else if (signal === null) end({ code, reason: `failed with code ${code}` });
      else end({ code: 128 + constants.signals[signal], reason: `was ended by ${signal}` });
    });
  });
}
