import { afterAll } from "vitest";
import { startApp, type TestApp } from "./app.ts";
import { ofWorker } from "./of-worker.ts";

const appOfWorker = ofWorker(() => startApp());

/**
 * The app of this worker of the runner, for files that need no options of their own, and a merchant of the file's own.
 * Merchants and their references are a file's own; what belongs to all (products, billers, settings) is put back as it
 * was. After a file its answers are judged, and the ledger of all. Asked for on the file's top level.
 */
export async function sharedApp(): Promise<TestApp> {
  return forOneFile(await appOfWorker());
}

/** The same app for a file: with a merchant of its own, its answers judged after it, and not to be closed by it. */
export async function forOneFile(app: TestApp): Promise<TestApp> {
  // Here and not at the worker's end alone: what fails there fails no run.
  afterAll(async () => {
    app.throwFaults();
    await app.checkBooks();
  });
  const close = () => Promise.reject(new Error("the worker closes it"));
  return { ...app, merchant: await app.createMerchant(), close };
}
