import { derivedNames } from "../../../src/providers/registry.ts";
import { connectorsUnderTest } from "../../../tests/support/suppliers/all-connectors.ts";
import type { ConnectorUnderTest } from "../../../tests/support/suppliers/connector-under-test.ts";
import type { Requested } from "../../../tests/support/suppliers/stub-dialect.ts";
import { type StubServer, startStub } from "../../../tests/support/suppliers/stub-server.ts";
import type { Undo } from "../../base/scratch-folder.ts";
import type { OrderBook } from "../order-book.ts";
import { type Ware, wares } from "./wares.ts";

/** How a supplier is just now. */
export type Mood = "well" | "lying" | "slow" | "poor" | "gone" | "noisy";

/** One supplier outside: the stub of a connector, which is never killed with all that it knows. */
export interface Stand {
  readonly name: string;
  readonly under: ConnectorUnderTest;
  readonly stub: StubServer;
  mood: Mood;
}

/** Which wares a supplier sells, and under which codes. */
export function codesOf({ name, sells }: ConnectorUnderTest): ReadonlyMap<Ware, string> {
  const known = wares.flatMap((ware): [Ware, string][] => {
    const code = ware.codes?.[name] ?? ware.wishes.map((wish) => sells[wish]).find((each) => each !== undefined);
    return code === undefined ? [] : [[ware, code]];
  });
  return new Map(known);
}

/** Every connector of the registry that speaks HTTP, and sells something of the shelf. */
export async function openStands(undo: Undo): Promise<Stand[]> {
  const stands: Stand[] = [];
  for (const under of connectorsUnderTest.filter((each) => codesOf(each).size > 0)) {
    const stub = await startStub(under.stub);
    undo.push(() => stub.close());
    stands.push({ name: under.name, under, stub, mood: "well" });
  }
  return stands;
}

/** What our attempt is called there; null where the supplier knows no name of ours. */
export function nameThere({ name }: Stand, supplierReference: string): string | null {
  const names = derivedNames(name);
  return names === null ? supplierReference : names.there(supplierReference);
}

/** Our name of what is called so there; null where it is none of ours. */
export function nameHere({ name }: Stand, reference: string): string | null {
  const names = derivedNames(name);
  const ours = names === null ? reference : names.here(reference);
  return ours !== null && /^TXN[0-9A-Z]{26}-[0-9]+$/.test(ours) ? ours : null;
}

/** What is bought with a request, by what it names: its code there, or a reference of a merchant. */
export function wareRequested({ under }: Stand, calls: Requested, book: OrderBook): Ware | null {
  const reference = /ware-[0-9]{7}/.exec(JSON.stringify(calls.body))?.[0];
  const named = reference === undefined ? undefined : book.wareOf(reference);
  if (named !== undefined) return named;
  const words = wordsIn(calls.body);
  const fitting = [...codesOf(under)].filter(([, code]) => code.split("/").every((part) => words.has(part)));
  const [longest] = fitting.sort(([, one], [, other]) => other.length - one.length);
  return longest?.[0] ?? null;
}

function wordsIn(value: unknown): Set<string> {
  if (typeof value !== "object" || value === null) return new Set([String(value)]);
  return new Set(Object.values(value).flatMap((inner) => [...wordsIn(inner)]));
}
