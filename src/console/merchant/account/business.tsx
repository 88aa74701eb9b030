import { askLiveAccess, saveBusinessDetails } from "../../../domain/memberships/live-access.ts";
import {
  type BusinessDetails,
  findBusinessDetails,
  type StoredDetails,
} from "../../../domain/memberships/live-access-queries.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../answer.ts";
import { emptyForm, type Form } from "../../form.ts";
import type { GateServices } from "../../gate.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { TextAreaField, TextField } from "../../parts/field.tsx";
import { Flash } from "../../parts/flash.tsx";
import { Moment, type MomentFormat, momentFormat } from "../../parts/moment.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Status } from "../../parts/status.tsx";
import type { Routes } from "../../routes.ts";
import type { Visit } from "../../visit.ts";
import { VisitForm } from "../../visit-form.tsx";

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

function detailsIn(form: Form): BusinessDetails {
  const orNull = (name: string) => (form.text(name) === "" ? null : form.text(name));
  return {
    businessName: form.text("businessName"),
    registrationNumber: orNull("registrationNumber"),
    address: form.text("address"),
    phone: form.text("phone"),
    website: orNull("website"),
    sells: form.text("sells"),
  };
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
          <TextField
            name="businessName"
            label="Name as registered"
            value={value("businessName")}
            error={error("businessName")}
            autocomplete="organization"
          />
          <TextField
            name="registrationNumber"
            label="Registration number"
            value={value("registrationNumber")}
            error={error("registrationNumber")}
            isRequired={false}
          />
          <TextAreaField
            name="address"
            label="Address"
            value={value("address")}
            error={error("address")}
            rows={2}
            autocomplete="street-address"
          />
          <TextField
            name="phone"
            label="Phone"
            type="tel"
            value={value("phone")}
            error={error("phone")}
            autocomplete="tel"
          />
          <TextField
            name="website"
            label="Website"
            value={value("website")}
            error={error("website")}
            isRequired={false}
            autocomplete="url"
          />
          <TextAreaField
            name="sells"
            label="What you sell, and to whom"
            value={value("sells")}
            error={error("sells")}
          />
        </VisitForm>
      </Sheet>
    </>,
    { status: refusal === null ? 200 : 400 },
  );
}
