import { constants } from "node:os";
import { StartError } from "../kernel/start-error.ts";
import { projectRoot } from "../platform/data-directory/data-directory.ts";
import { loadEnvironment, readConfig } from "./configuration/config.ts";
import { type FromChild, openChild } from "./processes/child.ts";
import { runProcesses } from "./processes/run-processes.ts";
import { runService } from "./run-service.ts";

const child = openChild();

/** `npm start`: everything in one process or in several, until it is told to stop. */
async function main(): Promise<void> {
  // A terminal that was closed takes no more words, which is no reason to end in the middle of a purchase.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  const config = readConfig(loadEnvironment());
  let hasBegun = false;
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // Nothing was answered yet. An orderly exit also ends the PostgreSQL that may be coming up.
    if (!hasBegun) process.exit(128 + constants.signals[signal]);
    if (stopping) return;
    stopping = true;
    // Work has begun, so what is left of the start is waited for: it may be showing a key that is shown once.
    void starting
      .then((service) => {
        service.log.info({ event: "service.stopping", signal });
        return service.stop();
      })
      .then(() => process.exit(0), fail);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  process.on("SIGUSR2", () => {
    const rolled = hasBegun && !stopping ? starting : undefined;
    void rolled?.then(
      ({ roll, log }) => roll?.() ?? log.warn({ event: "service.not_rolled" }),
      () => {},
    );
  });
  const options = {
    migrations: `${projectRoot()}/migrations`,
    onBegin: () => {
      hasBegun = true;
    },
  };
  const isParent = child === undefined && config.apiProcesses > 1;
  const starting = isParent ? runProcesses(config, options) : runService(config, options, child);
  const service = await starting;
  const { baseUrl, welcome } = service;
  if (child === undefined) process.stdout.write(welcome);
  else child.say({ type: "ready", baseUrl, welcome });
  void service.lost.then((error) => {
    service.log.fatal({ event: "service.lost", error: error.message });
    fail(error);
  });
}

/** One sentence for what a person can mend, the stack for what only we can. */
function fail(error: unknown): void {
  const sentence = error instanceof StartError ? error.message : String((error as Error)?.stack ?? error);
  if (child === undefined) {
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  }
  // Its parent tells it.
  process.send?.({ type: "failed", sentence } satisfies FromChild, () => process.exit(1));
}

main().catch(fail);
