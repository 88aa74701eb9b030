import { emailChoicesOf, saveEmailChoices } from "../../../domain/members/email-choices.ts";
import type { EmailKind } from "../../../domain/members/email-kinds.ts";
import { fundedEmailsMax, unusedDays } from "../../../domain/members/notices/notices.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { CheckField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { AccountRoutes, MemberVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

const here = "/account/notifications";

/** Which emails a person gets about the business that they work for now, and about their own account. */
export function notificationPages(routes: AccountRoutes, { people }: MerchantServices): void {
  routes.both(here, {
    capability: "own_account",
    doneAt: () => here,
    show: (visit) => notificationsPage(people, visit),
    async send(visit, form) {
      await saveEmailChoices(people, visit.member, new Set(form.fields.keys()));
      return goTo(here, "Saved.");
    },
  });
}

const names: Readonly<Record<EmailKind, readonly [label: string, hint: string]>> = {
  low_balance: ["Low balance", "When the live balance falls below the alert that’s set under Wallet."],
  money_added: [
    "Money added",
    `When a bank transfer is added to your live wallet; up to ${fundedEmailsMax} emails a day.`,
  ],
  money_taken_back: ["Money taken back", "When the bank takes back a transfer that we had added to your live wallet."],
  webhook_failing: ["Failing webhook", "When every event has failed for an hour, and when we turn the webhook off."],
  key_ending: [
    "Key about to end",
    `A day before a live key ends that’s still in use, and when one hasn’t been used for ${unusedDays} days.`,
  ],
  monthly_statement: ["Monthly statement", "On the first of the month: what came in and went out of the live wallet."],
  new_place: ["New device", "When someone logs in to your account with a device we haven’t seen before."],
};

async function notificationsPage(
  { database }: MerchantServices["people"],
  { member, session }: MemberVisit,
): Promise<PageAnswer> {
  const choices = await emailChoicesOf(database, member);
  const about = (isOwn: boolean) =>
    choices
      .filter(({ kind }) => (kind === "new_place") === isOwn)
      .map(({ kind, isOn }) => {
        const [label, hint] = names[kind];
        return <CheckField key={kind} name={kind} label={label} hint={hint} isChecked={isOn} />;
      });
  const ofBusiness = about(false);
  return page(
    { title: "Notifications", note: `Emails to ${session.person.email}` },
    <Sheet>
      <Form action={here} submit="Save">
        {ofBusiness.length === 0 ? null : <h2>About {member.name}</h2>}
        {ofBusiness}
        <h2>About your account</h2>
        {about(true)}
        <p class="hint">We always email you when your password, your email or your way to log in changes.</p>
      </Form>
    </Sheet>,
  );
}
