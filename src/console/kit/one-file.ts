import { Readable } from "node:stream";
import { refuse } from "../../kernel/problems.ts";

/** Seconds after which somebody may ask again while a file is being written. */
const retrySeconds = 30;

/** Writes a file for one of the keys. */
export type OneFile<Key> = (
  key: Key,
  pieces: () => AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>>,
) => Promise<Readable>;

/**
 * One file at a time for each key in this process, as a long one reads the database for minutes: also where two clicks
 * come at once. @throws Refusal RATE_LIMITED while another is under way
 */
export function openOneFile<Key>(message: string): OneFile<Key> {
  const underWay = new Set<Key>();
  return async (key, pieces) => {
    if (underWay.has(key)) {
      throw refuse("RATE_LIMITED", { message, meta: { limit: "exports" }, retryAfterSeconds: retrySeconds });
    }
    underWay.add(key);
    try {
      const content = Readable.from(await pieces());
      // Also where nobody reads to the end, or at all.
      content.once("close", () => underWay.delete(key));
      return content;
    } catch (error) {
      underWay.delete(key);
      throw error;
    }
  };
}
