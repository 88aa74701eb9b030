import { afterAll } from "vitest";

type Closable = { close(): unknown } | { drop(): unknown } | { stop(): unknown } | { remove(): unknown };

/** Ends with the file that opened it on its top level, what was opened last first. */
export function closing<T extends Closable>(opened: T): T {
  afterAll(async () => {
    if ("close" in opened) await opened.close();
    else if ("drop" in opened) await opened.drop();
    else if ("stop" in opened) await opened.stop();
    else await opened.remove();
  });
  return opened;
}
