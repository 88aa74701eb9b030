// A thread that parses large bodies, one after the other: see body-reader.ts. It hands over texts, which cost less to
// pass between threads than what they hold, and leaves out what nobody reads.
import { parentPort } from "node:worker_threads";
import { Refusal } from "../../kernel/problems.ts";
import { entriesPerSlice } from "../sliced-list.ts";
import { type BodyShape, shortEntry, withoutLists } from "./body-shape.ts";
import { readJson, unmarkedOf, writeMarked } from "./json-reader.ts";

export interface BodyQuestion {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly shape: BodyShape;
}

export interface WrittenBody {
  readonly text: string;
  /** The same without marks, where there are any. */
  readonly unmarked: string | null;
  readonly lists: Readonly<Record<string, { readonly length: number; readonly slices: readonly string[] }>>;
}

export type BodyAnswer =
  | { readonly id: number; readonly body: WrittenBody }
  | { readonly id: number; readonly refusal: Pick<Refusal, "code" | "message" | "detail"> };

parentPort?.on("message", (question: BodyQuestion) => parentPort?.postMessage(answerTo(question)));

function answerTo({ id, bytes, shape }: BodyQuestion): BodyAnswer {
  try {
    return { id, body: written(readJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), shape) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, detail } = error;
    return { id, refusal: { code, message, detail } };
  }
}

function written(body: unknown, shape: BodyShape): WrittenBody {
  const lists: Record<string, { length: number; slices: string[] }> = {};
  for (const [name, fields] of Object.entries(shape.sliced)) {
    const list = (body as Record<string, unknown> | null)?.[name];
    if (Array.isArray(list)) lists[name] = { length: list.length, slices: slicesOf(list, fields) };
  }
  const unmarked = unmarkedOf(body);
  return {
    text: writeMarked(withoutLists(body, shape)),
    unmarked: unmarked === undefined ? null : JSON.stringify(withoutLists(unmarked, shape)),
    lists,
  };
}

/** None of a list that is refused for its length. */
function slicesOf(list: readonly unknown[], fields: readonly string[]): string[] {
  const slices: string[] = [];
  for (let at = 0; at < list.length && list.length <= slicedEntriesMax; at += entriesPerSlice) {
    slices.push(writeMarked(list.slice(at, at + entriesPerSlice).map((entry) => shortEntry(entry, fields))));
  }
  return slices;
}

/** No list takes more. */
const slicedEntriesMax = 10_000;
