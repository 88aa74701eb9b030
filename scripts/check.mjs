// npm run check: everything that CI runs, in its order. Stops at the first red.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ensureDependencies, pathWithNode, projectRoot } from "./ensure-dependencies.mjs";

/** Each step is a script of package.json, so that a person can repeat it by itself. */
const steps = ["typecheck", "lint", "lint:api", "test:all", "test:browser", "torture"];
/** For a minute, where `npm run test:all` takes a quarter of one. */
const fuzzSeconds = "60";

ensureDependencies({ development: true });
const took = [];
for (const step of steps) {
  console.log(`\n== npm run ${step}`);
  const startedMs = performance.now();
  const failure = await run(step);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  if (failure !== null) {
    console.error(`\n== check is RED: npm run ${step} ${failure.reason} after ${seconds} s`);
    process.exit(failure.code);
  }
  took.push(`${step} ${seconds} s`);
}
console.log(`== check is green: ${took.join(", ")}`);

/** Runs one script; null when it passed. Reads nothing from the terminal, so that nothing can wait for an answer. */
function run(step) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", step], {
      cwd: projectRoot,
      stdio: ["ignore", "inherit", "inherit"],
      env: { FUZZ_SECONDS: fuzzSeconds, ...process.env, PATH: pathWithNode() },
    });
    child.on("error", (error) => resolve({ code: 1, reason: `can't be run (${error.message})` }));
    child.on("exit", (code, signal) => {
      if (code === 0) resolve(null);
      else if (signal === null) resolve({ code, reason: `failed with code ${code}` });
      else resolve({ code: 128 + constants.signals[signal], reason: `was ended by ${signal}` });
    });
  });
}
