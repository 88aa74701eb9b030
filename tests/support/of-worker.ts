import { test } from "vitest";

/**
 * What the files of one worker of the runner share, started by the first that asks for it, and closed at the worker's
 * end. What fails there fails no run. Asked for on a file's top level.
 */
export function ofWorker<T extends { close(): Promise<void> }>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  const endingWithWorker = test.extend(
    "closing",
    { scope: "worker" },
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs
    async ({}, { onCleanup }: { onCleanup: (end: () => Promise<void>) => void }) => {
      onCleanup(async () => (await started)?.close());
      return true;
    },
  );
  return () => {
    endingWithWorker.beforeAll(({ closing }) => void closing);
    started ??= start();
    return started;
  };
}
