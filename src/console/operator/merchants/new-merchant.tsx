import { readName } from "../../../domain/identity/people/person.ts";
import { createMerchant } from "../../../domain/members/company-changes.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { emailsFrom } from "../../kit/account/emails-from.ts";
import { goTo } from "../../kit/answer.tsx";
import { email, typed } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { changeBy } from "../approvals/change.ts";
import { limitTierField, priceTierField, readTiers, type Tiers } from "./tiers.ts";

const list = "/operator/merchants";
const nameMax = 200;

/** A merchant that the company makes: its owner is invited by an email, and makes the keys. Its own function enters it in the audit log. */
export const newMerchant = changeBy<Tiers, NewMerchant>(
  {
    at: "/operator/new-merchant",
    may: "change_merchants",
    doneAt: () => list,
    find: ({ reads }) => readTiers(reads),
    fields: (tiers) =>
      fields({
        name: typed(
          "Business name",
          { read: (text: string) => readName(text, { field: "name", lengthMax: nameMax }) },
          { lengthMax: nameMax, isFocused: true },
        ),
        email: email("Owner’s email", { hint: "The owner gets a link that works once, for 7 days." }),
        price_tier: priceTierField(tiers, 1),
        limit_tier: limitTierField(tiers, 1),
      }),
    head: () => ({ title: "New merchant", crumbs: [["Merchants", list]], note: "It begins in the sandbox" }),
    looks: () => ({ submit: "Create merchant", cancelHref: list }),
  },
  { kind: null, command: "console merchant create" },
  async (services, visit, { values: { name, email, limit_tier, price_tier } }) => {
    const tiers = { limitTier: limit_tier, priceTier: price_tier };
    const given = { name, email, ...tiers, publicUrl: emailsFrom(services, visit), by: visit.session.person };
    const id = await createMerchant(services.people, given);
    return goTo(`${list}/${formatMerchantId(id)}`, `${name} is created. ${email} was invited as its owner.`);
  },
);

interface NewMerchant {
  readonly name: string;
  readonly email: string;
  readonly price_tier: number;
  readonly limit_tier: number;
}
