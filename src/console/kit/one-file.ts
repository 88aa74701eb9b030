import { Readable } from "node:stream";
import { refuse } from "../../kernel/problems.ts";
import { byteOrderMark } from "../../platform/csv.ts";
import { pacedPieces } from "../../platform/pacing.ts";
import type { FileAnswer } from "./answer.tsx";
import type { Visit } from "./visit.ts";

/** Seconds after which somebody may ask again while a file is being written. */
const retrySeconds = 30;

/** A file that leaves the house: its route enters it in the audit log. */
interface ExportedFile {
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

interface ExportRules<V extends Visit> {
  /** For whom one file is written at a time. */
  readonly keyOf: (visit: V) => number;
  readonly nameOf: (visit: V, what: string) => string;
  /** What whoever asks for a second one is told. */
  readonly message: string;
}

/**
 * A console's files of lists: one at a time for each key in this process, whichever list, as a long one reads the database
 * for minutes; also where two clicks come at once. @throws Refusal RATE_LIMITED while another is under way
 */
export function openExport<V extends Visit>({ keyOf, nameOf, message }: ExportRules<V>): Export<V> {
  const underWay = new Set<number>();
  return async (visit, { what, format, pieces, name = `${nameOf(visit, what)}.${format}` }) => {
    const key = keyOf(visit);
    if (underWay.has(key)) {
      throw refuse("RATE_LIMITED", { message, meta: { limit: "exports" }, retryAfterSeconds: retrySeconds });
    }
    underWay.add(key);
    const paced = pacedPieces(pieces());
    const content = Readable.from(format === "csv" ? marked(paced) : paced);
    // Also where nobody reads to the end, or at all.
    content.once("close", () => underWay.delete(key));
    return { kind: "file", name, type: types[format], content };
  };
}

async function* marked<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece | string> {
  yield byteOrderMark;
  yield* pieces;
}
