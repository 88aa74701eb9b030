import { StartError } from "../kernel/start-error.ts";
import { readConfig } from "./config.ts";
import { loadEnvironment } from "./environment.ts";
import { projectRoot } from "./project-root.ts";
import { runService } from "./run-service.ts";

/** `npm start`: everything in one process, until it is told to stop. */
async function main(): Promise<void> {
  const config = readConfig(loadEnvironment());
  const service = await runService(config, { migrations: `${projectRoot()}/migrations` });
  process.stdout.write(service.welcome);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    service.log.info({ event: "service.stopping", signal });
    void service.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  void service.lost.then((error) => {
    service.log.fatal({ event: "service.lost", error: error.message });
    fail(error);
  });
}

/** One sentence for what a person can mend, the stack for what only we can. */
function fail(error: unknown): never {
  process.stderr.write(
    error instanceof StartError ? `${error.message}\n` : `${String((error as Error)?.stack ?? error)}\n`,
  );
  process.exit(1);
}

main().catch(fail);
