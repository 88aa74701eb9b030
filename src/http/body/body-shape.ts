import { refuseField } from "../../kernel/problems.ts";

/** The parts of a body that a route reads. The thread that parses large bodies passes on nothing else. */
export interface BodyShape {
  /** The fields that may be objects or lists, and how many entries such a list may have. Whatever is no container is kept. */
  readonly containers: Readonly<Record<string, number | null>>;
  /** Lists of thousands of entries, which are passed on in slices: the fields of an entry that is an object. */
  readonly sliced: Readonly<Record<string, readonly string[]>>;
}

interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
  readonly maxItems?: number;
}

/** A list that may have more entries than this comes in slices. */
const wholeListMax = 1_000;

export function shapeOf(schema: unknown): BodyShape {
  const containers: Record<string, number | null> = {};
  const sliced: Record<string, readonly string[]> = {};
  for (const [name, part] of Object.entries((schema as SchemaPart | undefined)?.properties ?? {})) {
    if ((part.maxItems ?? 0) > wholeListMax) sliced[name] = Object.keys(part.items?.properties ?? {});
    else containers[name] = part.maxItems ?? null;
  }
  return { containers, sliced };
}

/** Enough for 500 recipients, the longest list that a request may hold besides bulk lines. */
const containerBytesMax = 65_536;
/** No field of a line takes a longer text: a text that is cut here is refused as the whole one would be. */
const lineTextMax = 300;

/**
 * The body without what nobody reads, its sliced lists left out. @throws Refusal VALIDATION_ERROR for an object or a
 * list that is longer than any field takes
 */
export function withoutLists(body: unknown, { containers, sliced }: BodyShape): unknown {
  if (!isObject(body)) return Array.isArray(body) ? [] : body;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== "object" || value === null) kept[name] = value;
    else if (Object.hasOwn(sliced, name)) kept[name] = Array.isArray(value) ? undefined : {};
    else if (Object.hasOwn(containers, name)) kept[name] = shortened(value, name, containers[name] ?? null);
  }
  return kept;
}

function shortened(value: object, name: string, entriesMax: number | null): object {
  const cut = Array.isArray(value) && entriesMax !== null ? value.slice(0, entriesMax + 1) : value;
  if (JSON.stringify(cut).length <= containerBytesMax) return cut;
  throw refuseField("VALIDATION_ERROR", name, `Must be at most ${containerBytesMax} bytes.`);
}

/** An entry of a sliced list with the fields that are read of it, none of them a container. */
export function shortEntry(entry: unknown, fields: readonly string[]): unknown {
  if (!isObject(entry)) return shortValue(entry);
  const kept: Record<string, unknown> = {};
  for (const field of fields) if (Object.hasOwn(entry, field)) kept[field] = shortValue(entry[field]);
  return kept;
}

function shortValue(value: unknown): unknown {
  if (typeof value === "string") return value.length > lineTextMax ? value.slice(0, lineTextMax) : value;
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
