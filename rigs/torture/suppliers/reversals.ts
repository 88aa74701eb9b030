import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../../src/platform/database/database.ts";
import type { Callbacks } from "./callbacks.ts";
import type { Conductor } from "./conductor.ts";

/** Callbacks that were heard are asked about within this time: what is still open then is another's question. */
const requestedSecondsMax = 30;

const updateQuestions = {
  name: "update_torture_questions",
  text: "update callback_questions set due_at = least(due_at, now()) where supplier = any ($1) returning supplier",
};

/** Suppliers tell once more what they took back, as some call may have been lost; then everybody has asked about it. */
export async function settleReversals(
  database: Database,
  callbacks: Callbacks,
  { reversed }: Pick<Conductor, "reversed">,
): Promise<void> {
  const received = reversed.map(({ stand, reference }) => callbacks.callUntilReceived(stand, reference, "declined"));
  await Promise.all(received);
  const suppliers = [...new Set(reversed.map(({ stand }) => stand.name))];
  for (let waited = 0; waited < requestedSecondsMax; waited++) {
    if ((await database.query(updateQuestions, [suppliers])).length === 0) return;
    await delay(1_000);
  }
}
