import { consoleOf, startConsole, type TestConsole } from "./console.ts";
import { ofWorker } from "./of-worker.ts";
import { forOneFile } from "./shared-app.ts";

const consoleOfWorker = ofWorker(() => startConsole());

/**
 * The console of this worker of the runner, for files that need no options of their own. The merchant and people are a
 * file's own. What belongs to all (products, prices, settings, what waits for approval) is put back as it was, and lists
 * of the company hold what other files left: a file that can't live with that starts its own. After a file its answers
 * are judged, at the worker's end the ledger of all. Asked for on the file's top level.
 */
export async function sharedConsole(): Promise<TestConsole> {
  const service = await consoleOfWorker();
  return consoleOf(await forOneFile(service.app), { merchant: service.routes, operator: service.operatorRoutes });
}
