import type { ComponentProps } from "preact";
import { askLiveAccess, saveBusinessDetails } from "../../../domain/memberships/live-access.ts";
import {
  type BusinessDetails,
  findBusinessDetails,
  type StoredDetails,
} from "../../../domain/memberships/live-access-queries.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import { TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, type MomentFormat, momentFormat, Status } from "../../kit/parts/text.tsx";
import { statusOf } from "../../kit/refusal-status.ts";
import type { Routes } from "../../kit/routes.ts";
import type { Visit } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";

const here = "/account/business";

/** The business, and its way to live access. */
export function businessPages(routes: Routes<Visit>, services: GateServices & { readonly timeZone: string }): void {
  const { people } = services;
  const format = momentFormat(services.timeZone);
  const show = async (visit: Visit, form: Form, refusal: Refusal | null): Promise<PageAnswer> => {
    const stored = await findBusinessDetails(people.database, visit.member.merchantId);
    return businessPage(visit, { stored, form, refusal, format });
  };

  routes.page(here, { capability: "run_business", show: (visit) => show(visit, emptyForm, null) });

  routes.form(here, {
    capability: "run_business",
    doneAt: () => here,
    refused: show,
    async send(visit, form) {
      const { merchantId } = visit.member;
      const by = visit.session.person;
      const saved = await saveBusinessDetails(people, { merchantId, by, details: detailsIn(form) });
      if (saved.kind === "not_owner") return goBack(here, "Only an owner can change the business.");
      if (form.text("do") !== "ask") return goTo(here, "The details are saved.");
      return askedAnswer((await askLiveAccess(people, { merchantId, by })).kind);
    },
  });
}

function askedAnswer(kind: Awaited<ReturnType<typeof askLiveAccess>>["kind"]): Answer {
  switch (kind) {
    case "asked":
      return goTo(here, "Live access is asked for. The operator looks at it, and you get a letter.");
    case "asked_before":
      return goTo(here, "The details are saved. Live access was asked for before: the operator is looking at it.");
    case "approved":
      return goTo(here, "The details are saved. Live access is granted already.");
    case "unverified":
      return goBack("/account/security", "Confirm your e-mail address first: then ask again. The details are saved.");
    case "no_details":
    case "not_owner":
      return goBack(here, "That did not work. Look at the details and ask again.");
  }
}

interface Field extends Omit<ComponentProps<typeof TextField>, "name"> {
  readonly name: keyof BusinessDetails;
  /** A text of several lines, and how many are shown. */
  readonly rows?: number;
}

/** In the order in which they are asked for. What is not required is null where it is left empty. */
const fields: readonly Field[] = [
  { name: "businessName", label: "Name as registered", autocomplete: "organization" },
  { name: "registrationNumber", label: "Registration number", isRequired: false },
  { name: "address", label: "Address", rows: 2, autocomplete: "street-address" },
  { name: "phone", label: "Phone", type: "tel", autocomplete: "tel" },
  { name: "website", label: "Website", isRequired: false, autocomplete: "url" },
  { name: "sells", label: "What you sell, and to whom", rows: 4 },
];

function detailsIn(form: Form): BusinessDetails {
  const typed = fields.map(({ name, isRequired = true }) => {
    const text = form.text(name);
    return [name, text === "" && !isRequired ? null : text];
  });
  return Object.fromEntries(typed) as unknown as BusinessDetails;
}

interface Shown {
  readonly stored: StoredDetails | null;
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly format: MomentFormat;
}

function businessPage(visit: Visit, { stored, form, refusal, format }: Shown): PageAnswer {
  const { member } = visit;
  const isAsked = stored?.requestedAt != null;
  const value = (name: keyof BusinessDetails) => (form.has(name) ? form.text(name) : (stored?.[name] ?? ""));
  const error = (name: string) => refusal?.detail.errors?.[name]?.join(" ");
  const isElsewhere = refusal !== null && refusal.detail.errors === undefined;
  return page(
    "Business",
    <>
      <PageHead title="Business">{member.name}</PageHead>
      <Sheet title="Live access">
        {member.apiApproved ? (
          <p>
            <Status>approved</Status> Live keys work, and live purchases are carried out.{" "}
            <a href="/live/keys">Make a live key</a>
          </p>
        ) : isAsked ? (
          <p>
            <Status>waiting</Status> Asked for on <Moment at={stored.requestedAt ?? 0} format={format} style="full" />.
            The operator looks at it, and you get a letter.
          </p>
        ) : (
          <p>
            <Status kind="quiet">not asked for</Status> The sandbox needs nobody's consent. To sell live, fill in the
            details and ask.
          </p>
        )}
        <ButtonLink href="/test/overview">To the sandbox</ButtonLink>
      </Sheet>
      <Sheet title="Details">
        {isElsewhere ? <Flash kind="bad">{refusal.message}</Flash> : null}
        <VisitForm
          visit={visit}
          action={here}
          submit={member.apiApproved || isAsked ? "Save" : "Save, and ask for live access"}
          hidden={member.apiApproved || isAsked ? {} : { do: "ask" }}
        >
          {fields.map(({ rows, ...field }) => {
            const props = { ...field, value: value(field.name), error: error(field.name) };
            return rows === undefined ? (
              <TextField key={field.name} {...props} />
            ) : (
              <TextAreaField key={field.name} {...props} rows={rows} />
            );
          })}
        </VisitForm>
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}
