import { Readable } from "node:stream";
import { refuse } from "../../kernel/problems.ts";
import { byteOrderMark } from "../../platform/csv.ts";
import { pacedPieces } from "../../platform/pacing.ts";
import type { FileAnswer } from "./answer.tsx";
import type { Visit } from "./visit.ts";

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

/** A file that leaves the house: its route enters it in the audit log. */
export interface ExportedFile {
  /** What it holds, and what the file's name begins with: `transactions`. */
  readonly what: string;
  /** The name, where it is another one. */
  readonly name?: string;
  readonly format: "csv" | "pdf";
  /** Written while it is read: no more of it is held than one piece. */
  readonly pieces: () => AsyncIterable<string | Buffer>;
}

/** Gives out a list as a file to keep. */
export type Export<V extends Visit> = (visit: V, file: ExportedFile) => Promise<FileAnswer>;

const types = { csv: "text/csv; charset=utf-8", pdf: "application/pdf" } as const;

interface ExportRules<V extends Visit, Key> {
  /** For whom one file is written at a time. */
  readonly keyOf: (visit: V) => Key;
  readonly nameOf: (visit: V, what: string) => string;
  /** What whoever asks for a second one is told. */
  readonly message: string;
}

/** A console's files of lists: one at a time for each key, whichever list, as a long one reads the database for minutes. */
export function openExport<V extends Visit, Key>({ keyOf, nameOf, message }: ExportRules<V, Key>): Export<V> {
  const oneFile = openOneFile<Key>(message);
  return async (visit, { what, format, pieces, name = `${nameOf(visit, what)}.${format}` }) => {
    const content = await oneFile(keyOf(visit), () => {
      const paced = pacedPieces(pieces());
      return format === "csv" ? marked(paced) : paced;
    });
    return { kind: "file", name, type: types[format], content };
  };
}

async function* marked<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece | string> {
  yield byteOrderMark;
  yield* pieces;
}
