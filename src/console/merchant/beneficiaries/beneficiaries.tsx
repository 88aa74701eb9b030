import {
  type BeneficiaryServices,
  createBeneficiary,
  deleteBeneficiary,
  findBeneficiary,
  type NewBeneficiary,
  updateBeneficiary,
} from "../../../domain/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/beneficiaries/beneficiary.ts";
import type { BeneficiaryChanges } from "../../../domain/beneficiaries/changed-facts.ts";
import { memberDatabase } from "../../../domain/memberships/owners.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type Database, forReaders } from "../../../platform/database/database.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import { notFoundPage } from "../../kit/gate-pages.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { ButtonLink, Buttons, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { buyerOf } from "../buy/selling-gate.tsx";
import { openExport } from "../exports.ts";
import { beneficiaryPieces } from "./beneficiary-file.ts";
import { BeneficiaryForm, formOfBeneficiary, openReading } from "./beneficiary-form.tsx";
import { beneficiaryListPage, buyForHref } from "./beneficiary-list.tsx";

export type BeneficiaryPageServices = GateServices & BeneficiaryServices & { readonly wallTime: WallTime };

const capability = "keep_beneficiaries";
const here = (visit: ModeVisit) => modePath(visit, "beneficiaries");

/** Customers' numbers that are kept by name, to buy for again. */
export function beneficiaryPages(routes: Routes<ModeVisit>, services: BeneficiaryPageServices): void {
  const read = openReading();
  const reads = forReaders(services.database);

  routes.page("/beneficiaries", { capability, show: (visit) => beneficiaryListPage(reads, visit) });

  const exportList = openExport(services);
  routes.page("/beneficiaries.csv", {
    capability: "see_money",
    show: (visit) =>
      exportList(visit, {
        what: "beneficiaries",
        format: "csv",
        pieces: () => beneficiaryPieces({ ...services, database: reads }, visit),
      }),
  });

  routes.page("/beneficiaries/add", { capability, show: (visit) => addPage(services, visit, emptyForm, null) });
  routes.form("/beneficiaries/add", {
    capability,
    doneAt: here,
    refused: (visit, form, refusal) => addPage(services, visit, form, refusal),
    async send(visit, form) {
      const sent = read(form);
      const database = enteredBy(services, visit, { command: "console beneficiary add" });
      const { label } = await createBeneficiary({ ...services, database }, buyerOf(visit), sent);
      return goTo(here(visit), `${label} is saved.`);
    },
  });

  routes.page("/beneficiaries/:id", {
    capability,
    show: (visit) => ofKept(services, visit, (kept) => changePage(services, visit, kept)),
  });
  routes.form("/beneficiaries/:id", {
    capability,
    doneAt: here,
    refused: (visit, form, refusal) =>
      ofKept(services, visit, (kept) => changePage(services, visit, kept, { form, refusal })),
    async send(visit, form) {
      const kept = await keptOf(services, visit);
      const changes = changesIn(read(form), kept);
      const database = enteredBy(services, visit, { command: "console beneficiary change", id: kept.id });
      const { label } = await updateBeneficiary({ ...services, database }, buyerOf(visit), kept.id, changes);
      return goTo(here(visit), `${label} is changed.`);
    },
  });

  routes.page("/beneficiaries/:id/remove", {
    capability,
    show: (visit) => ofKept(services, visit, (kept) => removePage(visit, kept)),
  });
  routes.form("/beneficiaries/:id/remove", {
    capability,
    doneAt: here,
    refused: () => notFoundPage(),
    async send(visit) {
      const { id, label } = await keptOf(services, visit);
      const database = enteredBy(services, visit, { command: "console beneficiary remove", id });
      await database.transaction((tx) => deleteBeneficiary(tx, buyerOf(visit), id));
      return goTo(here(visit), `${label} is removed.`);
    },
  });
}

/** @throws Refusal BENEFICIARY_NOT_FOUND, also for another merchant's */
function keptOf({ database }: BeneficiaryPageServices, visit: ModeVisit): Promise<Beneficiary> {
  const { id } = visit.request.params as { readonly id: string };
  return findBeneficiary(database, buyerOf(visit), id);
}

async function ofKept(
  services: BeneficiaryPageServices,
  visit: ModeVisit,
  show: (kept: Beneficiary) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await show(await keptOf(services, visit));
  } catch (error) {
    if (error instanceof Refusal && error.code === "BENEFICIARY_NOT_FOUND") return notFoundPage();
    throw error;
  }
}

/** Customers' numbers stay out of the audit log: who, when and which one is enough. */
function enteredBy(
  services: BeneficiaryPageServices,
  { session, member }: ModeVisit,
  { command, id }: { readonly command: string; readonly id?: string },
): Database {
  const details = id === undefined ? {} : { beneficiary: id };
  const change = { by: session.person, merchantId: member.merchantId, command, details };
  return memberDatabase({ ...services.people, database: services.database }, change);
}

/** What differs: a biller that went away since it was saved may stay as long as nobody touches it. */
function changesIn(sent: NewBeneficiary, kept: Beneficiary): BeneficiaryChanges {
  const differs = ([name, value]: [string, unknown]) => kept[name as keyof Beneficiary] !== value;
  return Object.fromEntries(Object.entries(sent).filter(differs));
}

async function addPage(
  { catalogue }: BeneficiaryPageServices,
  visit: ModeVisit,
  form: Form,
  refusal: Refusal | null,
): Promise<PageAnswer> {
  const title = "Add a beneficiary";
  const shown = { visit, catalogue: await catalogue.current(), form, refusal };
  return page(
    title,
    <>
      <PageHead title={title}>Live and test keep the same numbers.</PageHead>
      <Sheet>
        <BeneficiaryForm {...shown} action={`${here(visit)}/add`} cancelHref={here(visit)} />
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}

async function changePage(
  { catalogue }: BeneficiaryPageServices,
  visit: ModeVisit,
  kept: Beneficiary,
  typed: { readonly form: Form; readonly refusal: Refusal | null } = { form: formOfBeneficiary(kept), refusal: null },
): Promise<PageAnswer> {
  const shown = { visit, catalogue: await catalogue.current(), ...typed };
  const place = `${here(visit)}/${kept.id}`;
  return page(
    kept.label,
    <>
      <PageHead title={kept.label} actions={<ButtonLink href={here(visit)}>All beneficiaries</ButtonLink>}>
        <code>{kept.id}</code>
      </PageHead>
      <Sheet>
        <BeneficiaryForm {...shown} action={place} cancelHref={here(visit)} />
      </Sheet>
      <Buttons>
        <ButtonLink href={buyForHref(visit, kept)}>Buy for it</ButtonLink>
        <ButtonLink href={`${place}/remove`}>Remove it</ButtonLink>
      </Buttons>
    </>,
    { status: statusOf(typed.refusal) },
  );
}

function removePage(visit: ModeVisit, kept: Beneficiary): PageAnswer {
  const title = `Remove ${kept.label}?`;
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <Facts
          facts={[
            { name: "Number", value: <code>{kept.customerRef}</code> },
            { name: "Id", value: <code>{kept.id}</code> },
          ]}
        />
        <p>
          What was bought with it stays as it is. Requests of the API that send its id are refused from then on, in live
          and in test.
        </p>
        <VisitForm
          visit={visit}
          action={`${here(visit)}/${kept.id}/remove`}
          submit="Remove it"
          kind="danger"
          cancelHref={`${here(visit)}/${kept.id}`}
        />
      </Sheet>
    </>,
  );
}

function statusOf(refusal: Refusal | null): number {
  return refusal === null ? 200 : problems[refusal.code].status;
}
