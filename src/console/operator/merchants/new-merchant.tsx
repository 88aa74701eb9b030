import { createMerchant } from "../../../domain/members/company-changes.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { lettersFrom } from "../../kit/account/letters-from.ts";
import { goTo, page } from "../../kit/answer.tsx";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { limitChoices, priceChoices, tierIn } from "./tiers.ts";

const list = "/operator/merchants";
const here = "/operator/new-merchant";

/** A merchant that the company makes: its owner is invited by an email, and makes the keys. */
export function newMerchantPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads, people } = services;
  routes.both(here, {
    capability: "change_merchants",
    doneAt: () => list,
    async show(_visit, typed) {
      const [limits, prices] = await Promise.all([limitChoices(reads), priceChoices(reads)]);
      const head = { title: "New merchant", crumbs: [["Merchants", list]] as const };
      return page(
        { ...head, note: "It begins in the sandbox" },
        <Sheet>
          <Form action={here} submit="Create merchant" cancelHref={list}>
            <TextField {...typed.field("name")} label="Business name" lengthMax={200} isFocused />
            <TextField
              {...typed.field("email")}
              label="Owner’s email"
              type="email"
              hint="The owner gets a link that works once, for 7 days."
            />
            <SelectField {...typed.field("price_tier", "1")} label="Price tier" choices={prices} />
            <SelectField {...typed.field("limit_tier", "1")} label="Limit tier" choices={limits} />
          </Form>
        </Sheet>,
      );
    },
    async send(visit, form) {
      const given = {
        name: form.text("name"),
        email: form.text("email"),
        limitTier: tierIn(form, "limit_tier", await limitChoices(reads)),
        priceTier: tierIn(form, "price_tier", await priceChoices(reads)),
      };
      const publicUrl = lettersFrom(services, visit);
      const id = await createMerchant(people, { ...given, publicUrl, by: visit.session.person });
      return goTo(
        `${list}/${formatMerchantId(id)}`,
        `${given.name} is created. ${given.email} was invited as its owner.`,
      );
    },
  });
}
