import { makeOwner } from "../../../domain/members/company-changes.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { MerchantRow } from "../../../domain/merchants/queries.ts";
import { emailsFrom, whereEmailsLie } from "../../kit/account/emails-from.ts";
import { email } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import type { StaffVisit } from "../access.ts";
import { changeOfTwo } from "../approvals/change.ts";
import { askForTwo } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { merchantAt, merchantIn, merchantPath } from "./found-merchant.ts";

/** An owner spends the merchant's money: a second person approves each that the company makes. */
export const merchantOwner = changeOfTwo({
  at: "/operator/merchants/:id/people/invite",
  may: "change_merchants",
  doneAt: (visit) => `/operator/merchants/${visit.param("id")}`,
  find: merchantAt,
  fields: fields({
    email: email("Invite an owner", {
      hint: "A second person approves. Owners invite everyone else. The link works once, for 7 days.",
    }),
  }),
  looks: () => ({ submit: "Ask for invitation" }),
  kind: "merchant owner",
  approve: ["admin"],
  subjects: ({ merchant, email }) => [`owner ${email} of ${merchant}`],
  summary: ({ found, values }) => ownerRequest(found, values.email, "").summary,
  freeze: ({ found, values }, visit, services) => ownerRequest(found, values.email, emailsFrom(services, visit)).fields,
  async run({ people }, { email }, frozen) {
    const given = { merchantId: merchantIn(frozen), email, publicUrl: String(frozen.publicUrl) };
    const done = await makeOwner(people, given);
    if (done === "invited") return `${email} is invited as an owner.${whereEmailsLie(people)}`;
    return done === "changed" ? `${email} is an owner now.` : `${email} was an owner already.`;
  },
});

/** Asks for an owner who is on the team already. */
export function askForOwner(services: OperatorServices, visit: StaffVisit, merchant: MerchantRow, email: string) {
  const request = ownerRequest(merchant, email, emailsFrom(services, visit));
  return askForTwo(services, visit, merchantOwner.kind, { ...request, doneAt: merchantPath(merchant.id) });
}

/** `publicUrl`: where links in the invitation lead. */
export function ownerRequest({ id, name }: MerchantRow, email: string, publicUrl: string) {
  const merchant = formatMerchantId(id);
  return { summary: `Make ${email} an owner of ${name} (${merchant})`, fields: { merchant, email, publicUrl } };
}
