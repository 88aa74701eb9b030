import {
  createBeneficiary,
  deleteBeneficiary,
  findBeneficiary,
  type NewBeneficiary,
  updateBeneficiary,
} from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import type { Beneficiary, BeneficiaryChanges } from "../../../domain/purchases/beneficiaries/beneficiary.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { askFirst } from "../../kit/ask-first.tsx";
import type { Typed } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { ButtonLink, Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { Customer } from "../../kit/sale.tsx";
import { refuseStale } from "../../kit/stale.ts";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { afterSaleField, boughtPath, customerHref, savedCustomer } from "../buy/customers.ts";
import { changing } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { BeneficiaryForm, factsText, openReading } from "./beneficiary-form.tsx";

/** A kept number: added, changed, removed. Customers' numbers stay out of the audit log: who, when and which one is enough. */
export function beneficiaryPages(routes: ModeRoutes, services: MerchantServices): void {
  const read = openReading();
  /** @throws Refusal BENEFICIARY_NOT_FOUND, also for another merchant's */
  const keptIn = ({ buyer, param }: ModeVisit) => findBeneficiary(services.database, buyer, param("id"));
  const saving = (visit: ModeVisit, command: string, id?: string) => {
    const details = id === undefined ? {} : { beneficiary: id };
    return { ...services, database: changing(services, visit, { command, details }) };
  };
  const shared = { capability: "keep_beneficiaries", doneAt: (visit: ModeVisit) => visit.to("beneficiaries") } as const;

  routes.both("/beneficiaries/add", {
    ...shared,
    show: (visit, typed) => addPage(services, visit, typed),
    async send(visit, form) {
      const sent = read(form);
      const { label } = await createBeneficiary(saving(visit, "console beneficiary add"), visit.buyer, sent);
      const sale = parseStoredReference(form.text(afterSaleField));
      return goTo(sale === null ? visit.to("beneficiaries") : boughtPath(visit, sale), `${label} is saved.`);
    },
  });

  routes.both("/beneficiaries/:id", {
    ...shared,
    show: async (visit, typed) => changePage(services, visit, await keptIn(visit), typed),
    async send(visit, form) {
      const kept = await keptIn(visit);
      const sent = read(form);
      refuseStale(form, factsText(kept));
      const changes = changesIn(sent, kept);
      const entered = saving(visit, "console beneficiary change", kept.id);
      const { label } = await updateBeneficiary(entered, visit.buyer, kept.id, changes);
      return goTo(visit.to("beneficiaries"), `${label} is changed.`);
    },
  });

  routes.both(
    "/beneficiaries/:id/remove",
    askFirst({
      ...shared,
      async ask(visit) {
        const { id, label, customerRef } = await keptIn(visit);
        const text = <Removal {...{ id, customerRef }} />;
        const cancelHref = visit.to(`beneficiaries/${id}`);
        return { title: `Remove ${label}`, text, submit: `Remove ${label}`, cancelHref };
      },
      async send(visit) {
        const { id, label } = await keptIn(visit);
        const { database } = saving(visit, "console beneficiary remove", id);
        await database.transaction((tx) => deleteBeneficiary(tx, visit.buyer, id));
        return goTo(visit.to("beneficiaries"), `${label} is removed.`);
      },
    }),
  );
}

async function addPage({ catalogue }: MerchantServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  const current = await catalogue.current();
  return page(
    { title: "Add a customer", note: "Live and Test share them." },
    <Sheet>
      <BeneficiaryForm catalogue={current} typed={typed} action={visit.to("beneficiaries/add")} />
    </Sheet>,
  );
}

async function changePage(
  { catalogue }: MerchantServices,
  visit: ModeVisit,
  kept: Beneficiary,
  typed: Typed,
): Promise<PageAnswer> {
  const current = await catalogue.current();
  const sellHref = customerHref(visit, current, savedCustomer(kept));
  const place = visit.to(`beneficiaries/${kept.id}`);
  const actions = <ButtonLink href={visit.to("beneficiaries")}>All customers</ButtonLink>;
  return page(
    { title: kept.label, note: <code>{kept.id}</code>, actions },
    <>
      <Sheet>
        <BeneficiaryForm catalogue={current} typed={typed} kept={kept} action={place} />
      </Sheet>
      <Buttons>
        {visit.may("buy") ? <ButtonLink href={sellHref}>Sell to {kept.label}</ButtonLink> : null}
        <ButtonLink href={`${place}/remove`}>Remove {kept.label}</ButtonLink>
      </Buttons>
    </>,
  );
}

function Removal({ id, customerRef }: Pick<Beneficiary, "id" | "customerRef">) {
  return (
    <>
      <Facts facts={{ Number: <Customer text={customerRef} />, ID: <code>{id}</code> }} />
      <p>Past sales stay as they are. API requests with this ID are refused at once, in Live and Test.</p>
    </>
  );
}

/** What differs: a biller that went away since it was saved may stay as long as nobody touches it. */
function changesIn(sent: NewBeneficiary, kept: Beneficiary): BeneficiaryChanges {
  const differs = ([name, value]: [string, unknown]) => kept[name as keyof Beneficiary] !== value;
  return Object.fromEntries(Object.entries(sent).filter(differs));
}
