import type { Person } from "../../../domain/identity/people/person.ts";
import { membershipsOf } from "../../../domain/members/membership.ts";
import { type FrameAnswer, goTo, type RedirectAnswer } from "../../kit/answer.tsx";
import { endedLinkPage } from "../../kit/entrance/links.tsx";
import type { GateServices } from "../../kit/gate.ts";
import { Form } from "../../kit/parts/form.tsx";

/** The page behind a link in a letter: it has a button, as programs that look at letters open links and would use them up. */
export function tokenPage(link: Readonly<Record<"title" | "action" | "token" | "submit", string>>): FrameAnswer {
  const { title, action, token, submit } = link;
  return {
    title,
    body: (
      <Form action={action} submit={submit} hidden={{ token }}>
        <p>The link works once.</p>
      </Form>
    ),
  };
}

/** To the log-in, and on to a link afterwards. */
export function logInFor(next: string, flash?: string): RedirectAnswer {
  return goTo(`/log-in?next=${encodeURIComponent(next)}`, flash);
}

/** For a link that belongs to another account than the one that is logged in. */
export function otherAddressPage(email: string): FrameAnswer {
  return {
    title: "This link is for another account",
    status: 403,
    body: (
      <Form action="/log-out" submit="Log out">
        <p>You’re logged in as {email}. Log out, then open the link again and log in with the account it’s for.</p>
      </Form>
    ),
  };
}

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
