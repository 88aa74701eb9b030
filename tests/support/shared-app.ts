import { afterAll, test } from "vitest";
import { startApp, type TestApp } from "./app.ts";

let started: Promise<TestApp> | undefined;

/** Ends with the runner's worker, which fails the run where the app's books are not as they should be. */
const endingWithWorker = test.extend(
  "closing",
  { scope: "worker" },
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs
  async ({}, { onCleanup }: { onCleanup: (end: () => Promise<void>) => void }) => {
    onCleanup(async () => (await started)?.close());
    return true;
  },
);

/**
 * The app of this worker of the runner, for files that need no options of their own, and a merchant of the file's own.
 * Merchants and their references are a file's own; what belongs to all (products, billers, settings) is put back as it
 * was. After a file its answers are judged, at the worker's end the ledger of all. Asked for on the file's top level.
 */
export async function sharedApp(): Promise<TestApp> {
  endingWithWorker.beforeAll(({ closing }) => void closing);
  afterAll(async () => (await started)?.throwFaults());
  started ??= startApp();
  const app = await started;
  const close = () => Promise.reject(new Error("the worker closes it"));
  return { ...app, merchant: await app.createMerchant(), close };
}
