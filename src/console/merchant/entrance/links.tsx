import type { Person } from "../../../domain/identity/people/person.ts";
import { membershipsOf } from "../../../domain/members/membership.ts";
import type { FrameAnswer } from "../../kit/answer.tsx";
import { endedLinkPage } from "../../kit/entrance/links.tsx";
import type { GateServices } from "../../kit/gate.ts";

/** For a merchant's link that was used before, or has expired. */
export function expiredLinkPage(): FrameAnswer {
  return endedLinkPage(
    "",
    <p>Log in to ask for a new one. An invitation comes from an owner of the business: ask them to send it again.</p>,
  );
}

/** Where a person's data is: what somebody sold who can't sell live yet is in the sandbox. */
export async function homeOf({ people }: Pick<GateServices, "people">, { id }: Pick<Person, "id">): Promise<string> {
  const isLive = (await membershipsOf(people.database, id)).some(({ apiApproved }) => apiApproved);
  return isLive ? "/live/overview" : "/test/overview";
}
