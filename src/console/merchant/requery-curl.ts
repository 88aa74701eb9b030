import type { ModeVisit } from "../kit/visit.ts";

const keyNames = { live: "YOUR_LIVE_KEY", test: "YOUR_TEST_KEY" } as const;

/** The request that asks the API what became of a purchase, to be pasted into a shell. The key is the reader's to fill in. */
export function requeryCurl({ place, mode }: Pick<ModeVisit, "place" | "mode">, reference: string): string {
  // What stands between the quotes must not end them.
  const name = encodeURIComponent(reference).replaceAll("'", "%27");
  return `curl -sS '${place.origin}/api/v1/merchant/transactions/${name}' -H 'Authorization: Bearer ${keyNames[mode]}'`;
}
