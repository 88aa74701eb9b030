import { keyChanged } from "../../../domain/letters/letter-texts.ts";
import { memberDatabase } from "../../../domain/memberships/owners.ts";
import type { KeyServices } from "../../../domain/merchants/api-keys.ts";
import type { GateServices } from "../../kit/gate.ts";
import type { ModeVisit } from "../../kit/visit.ts";

interface KeyChange {
  readonly command: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** As the letter says it: `made the test key “Till”`. */
  readonly what: string;
}

/** What a change of keys is made with: it ends with a letter to the owners and its entry in the audit log. */
export function changingKeys(
  { people }: Pick<GateServices, "people">,
  { member, session }: ModeVisit,
  { command, details, what }: KeyChange,
): KeyServices {
  const { name: merchant, merchantId } = member;
  const by = session.person;
  const letter = (frame: Parameters<typeof keyChanged>[0]) => keyChanged(frame, { merchant, what, by: by.email });
  return { ...people, database: memberDatabase(people, { by, merchantId, command, details, letter }) };
}
