import { openBreakers } from "../../../src/domain/suppliers/routing/breaker.ts";
import type { VendOutcome } from "../../../src/providers/contract.ts";

/** Whether ten such outcomes in a row open a breaker. */
export function isTrouble(outcome: VendOutcome): boolean {
  const breakers = openBreakers({ clock: { now: () => 0 } });
  for (let i = 0; i < 10; i++) breakers.begin("supplier", "data")?.(outcome);
  return !breakers.admits("supplier", "data");
}
