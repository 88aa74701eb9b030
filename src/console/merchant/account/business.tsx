import type { ComponentProps } from "preact";
import { askLiveAccess, saveBusinessDetails } from "../../../domain/members/live-access.ts";
import { type BusinessDetails, findBusinessDetails } from "../../../domain/members/live-access-queries.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Status } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { AccountRoutes, MemberVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

const here = "/account/business";

/** The business, and its way to live access. */
export function businessPages(routes: AccountRoutes, { people }: MerchantServices): void {
  routes.both(here, {
    capability: "run_business",
    doneAt: () => here,
    show: (visit, typed) => businessPage(people, visit, typed),
    async send(visit, form) {
      const { merchantId } = visit.member;
      const by = visit.session.person;
      const stored = await findBusinessDetails(people.database, merchantId);
      refuseStale(form, shownOf(stored), wordsOf(stored));
      const saved = await saveBusinessDetails(people, { merchantId, by, details: detailsIn(form) });
      if (saved.kind === "not_owner") return goBack(here, "Only an owner can change these details.");
      if (form.text("do") !== "ask") return goTo(here, "Saved.");
      return requestAnswer((await askLiveAccess(people, { merchantId, by })).kind);
    },
  });
}

function requestAnswer(kind: Awaited<ReturnType<typeof askLiveAccess>>["kind"]): Answer {
  switch (kind) {
    case "asked":
      return goTo(here, "You’ve asked for live access. We’ll email you when it’s approved.");
    case "asked_before":
      return goTo(here, "Saved. You asked for live access before; we’ll email you when it’s approved.");
    case "approved":
      return goTo(here, "Saved. You can already sell live.");
    case "unverified":
      return goBack("/account/security", "Your details are saved. Confirm your email, then ask for live access again.");
    case "no_details":
    case "not_owner":
      return goBack(here, "Something changed meanwhile. Check the details and ask again.");
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
  { name: "sells", label: "What you sell and to whom", rows: 4 },
];

function detailsIn(form: SentForm): BusinessDetails {
  const typed = fields.map(({ name, isRequired = true }) => {
    const text = form.text(name);
    return [name, text === "" && !isRequired ? null : text];
  });
  return Object.fromEntries(typed) as unknown as BusinessDetails;
}

function shownOf(stored: BusinessDetails | null): string {
  return JSON.stringify(fields.map(({ name }) => stored?.[name] ?? null));
}

function wordsOf(stored: BusinessDetails | null): string {
  return fields.flatMap(({ name }) => stored?.[name] ?? []).join("; ");
}

async function businessPage(
  { database }: MerchantServices["people"],
  { member }: MemberVisit,
  typed: Typed,
): Promise<PageAnswer> {
  const stored = await findBusinessDetails(database, member.merchantId);
  const requestedAt = stored?.requestedAt ?? null;
  const mayAsk = !member.apiApproved && requestedAt === null;
  return page(
    { title: "Business", note: member.name },
    <>
      <Sheet title="Live access">
        <LiveAccess
          {...{ isApproved: member.apiApproved, requestedAt, refusedBecause: stored?.refusedBecause ?? null }}
        />
        <ButtonLink href="/test/overview">Open the sandbox</ButtonLink>
      </Sheet>
      <Sheet title="Details">
        <Form
          action={here}
          submit={mayAsk ? "Save and ask for live access" : "Save"}
          hidden={{ ...seen(shownOf(stored)), ...(mayAsk ? { do: "ask" } : {}) }}
        >
          {fields.map(({ rows, ...field }) => {
            const props = { ...field, ...typed.field(field.name, stored?.[field.name]) };
            return rows === undefined ? (
              <TextField key={field.name} {...props} />
            ) : (
              <TextAreaField key={field.name} {...props} rows={rows} />
            );
          })}
        </Form>
      </Sheet>
    </>,
  );
}

interface LiveAccessProps {
  readonly isApproved: boolean;
  readonly requestedAt: number | null;
  readonly refusedBecause: string | null;
}

function LiveAccess({ isApproved, requestedAt, refusedBecause }: LiveAccessProps) {
  if (isApproved) {
    return (
      <p>
        <Status>approved</Status> · You can sell live. <a href="/live/keys">Create a live key</a>
      </p>
    );
  }
  if (requestedAt !== null) {
    return (
      <p>
        <Status>waiting</Status> · You asked on <Moment at={requestedAt} style="full" />. We’ll email you when it’s
        approved.
      </p>
    );
  }
  if (refusedBecause !== null) {
    return (
      <p>
        <Status kind="bad">refused</Status> The reason: “{refusedBecause}”. Correct the details below and ask again.
      </p>
    );
  }
  return (
    <p>
      <Status kind="quiet">not asked yet</Status> The sandbox is open. To sell live, fill in the details and ask.
    </p>
  );
}
