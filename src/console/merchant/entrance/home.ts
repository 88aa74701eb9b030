import type { Person } from "../../../domain/identity/people/person.ts";
import { membershipsOf } from "../../../domain/members/membership.ts";
import type { GateServices } from "../../kit/gate.ts";

/** Where a log-in leads unless it is told. */
export const overview = "/live/overview";

/** Where a person's data is: what somebody sold who can't sell live yet is in the sandbox. */
export async function homeOf({ people }: Pick<GateServices, "people">, { id }: Pick<Person, "id">): Promise<string> {
  const isLive = (await membershipsOf(people.database, id)).some(({ apiApproved }) => apiApproved);
  return isLive ? overview : "/test/overview";
}
