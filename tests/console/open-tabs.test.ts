import { expect, test } from "vitest";
import type { ConsoleAnswer, MemberClient } from "../support/console.ts";
import { formOf, formsOf, type ShownForm, submit } from "../support/forms.ts";
import { sharedConsole } from "../support/shared-console.ts";

// Two people have one page open. The second to send it sees what the first one stored, and replaces nothing unseen.

const service = await sharedConsole();
const [owner, partner] = [await service.member("owner"), await service.member("owner")];

interface Case {
  /** Where the form is sent, and the page that shows it. */
  readonly page: string;
  readonly action?: string;
  readonly first: Readonly<Record<string, string>>;
  readonly second: Readonly<Record<string, string>>;
  /** What the second one reads. */
  readonly now: string;
}

/** @returns the path of the newest one on a list's page */
async function pathOn(list: string, pattern: RegExp): Promise<string> {
  const [found = ""] = pattern.exec((await owner.get(list)).text) ?? [];
  return found;
}

async function personIdOf({ email }: MemberClient): Promise<string> {
  return (await service.app.fresh.pool.query("select id from people where email = $1", [email])).rows[0].id.toString();
}

const endpoint = { url: "https://shop.example/hook", description: "", mode: "both", notify: "changes", which: "all" };
const customer = { label: "Mama Tolu", category: "airtime", customer_ref: "08031234567" };

test.each<[name: string, () => Case | Promise<Case>]>([
  [
    "the low-balance alert",
    () => ({
      ...{ page: "/live/wallet", action: "/live/wallet/threshold", now: "it’s now 5000.00" },
      ...{ first: { threshold: "5000" }, second: { threshold: "200" } },
    }),
  ],
  [
    "the allowed addresses",
    () => ({
      ...{ page: "/live/keys/addresses", action: "/live/keys/addresses/try", now: "it’s now 192.0.2.7/32" },
      ...{ first: { ranges: "192.0.2.7" }, second: { ranges: "192.0.2.9" } },
    }),
  ],
  [
    "an endpoint’s settings",
    async () => {
      await owner.send("/live/webhooks/endpoints/new", endpoint);
      return {
        page: await pathOn("/live/webhooks", /\/live\/webhooks\/endpoints\/whe_[0-9a-z]+/),
        first: { ...endpoint, description: "Shop" },
        second: { ...endpoint, notify: "all" },
        now: "it’s now https://shop.example/hook; Shop; Live and test; results after the answer; all events",
      };
    },
  ],
  [
    "a saved customer",
    async () => {
      await owner.send("/live/beneficiaries/add", customer);
      return {
        page: await pathOn("/live/beneficiaries", /\/live\/beneficiaries\/ben_[0-9A-Z]+/),
        first: { ...customer, label: "Mama Bola" },
        second: { ...customer, phone: "08090000000" },
        now: "it’s now Mama Bola; airtime; 08031234567",
      };
    },
  ],
  [
    "a member’s role",
    async () => {
      const person = await personIdOf(await service.member("viewer"));
      const action = "/account/members/change";
      return {
        ...{ page: "/account/members", action, now: "it’s now finance" },
        ...{ first: { person, role: "finance" }, second: { person, role: "developer" } },
      };
    },
  ],
])("%s that someone else changed meanwhile is not replaced from the page of before", async (_name, open) => {
  const { page, action = page, first, second, now } = await open();
  const formIn = (answer: ConsoleAnswer) => {
    const isIt = (form: ShownForm) => form.action === action && form.fields.person === first.person;
    return formsOf(answer).find(isIt) ?? formOf(answer, action);
  };
  const [one, other] = [formIn(await owner.get(page)), formIn(await partner.get(page))];
  const sent = await submit(owner, one, first);
  // The list of addresses is looked at before it is saved.
  if (sent.status === 200) await submit(owner, formOf(sent, page));
  const late = await submit(partner, other, second);
  expect([late.status, late.text.includes(now)], late.text).toEqual([400, true]);
  // What was typed is kept, and can be sent once more by one who has read it.
  const again = await submit(partner, formIn(late));
  expect([200, 303]).toContain(again.status);
});
