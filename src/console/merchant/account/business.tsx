import { askLiveAccess, readDetail, saveBusinessDetails } from "../../../domain/members/live-access.ts";
import {
  type BusinessDetails,
  findBusinessDetails,
  type StoredDetails,
} from "../../../domain/members/live-access-queries.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { changeForm } from "../../kit/change.tsx";
import { optional, typed as typedField } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import type { Typed } from "../../kit/form.ts";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Status } from "../../kit/parts/text.tsx";
import type { AccountRoutes, Capability, MemberVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

const here = "/account/business";

type Name = keyof BusinessDetails;

/** As their own function reads them. */
function detail(name: Name, label: string, options: Parameters<typeof typedField>[2]) {
  return typedField(label, { read: (text: string) => readDetail(name, text) }, options);
}

/** In the order in which they are asked for. What is not required is null where it is left empty. */
const form = fields<BusinessDetails>({
  businessName: detail("businessName", "Name as registered", { autocomplete: "organization" }),
  registrationNumber: optional(detail("registrationNumber", "Registration number", {})),
  address: detail("address", "Address", { rows: 2, autocomplete: "street-address" }),
  phone: detail("phone", "Phone", { type: "tel", autocomplete: "tel" }),
  website: optional(detail("website", "Website", { autocomplete: "url" })),
  sells: detail("sells", "What you sell and to whom", { rows: 4 }),
});
const nothing: BusinessDetails = {
  ...{ businessName: "", registrationNumber: null, address: "", phone: "", website: null, sells: "" },
};

interface Found {
  readonly stored: StoredDetails | null;
  /** Live access can be asked for: it isn't open, and nobody has asked. */
  readonly mayAsk: boolean;
}

async function findDetails({ people }: MerchantServices, { member }: MemberVisit): Promise<Found> {
  const stored = await findBusinessDetails(people.database, member.merchantId);
  return { stored, mayAsk: !member.apiApproved && (stored?.requestedAt ?? null) === null };
}

const details = changeForm<MerchantServices, MemberVisit, Capability, Found, BusinessDetails>(
  {
    at: here,
    may: "run_business",
    doneAt: () => here,
    find: findDetails,
    fields: form,
    stored: ({ stored }) => stored ?? nothing,
    evenUnchanged: (sent) => sent.text("do") === "ask",
    looks: ({ mayAsk }) => ({
      submit: mayAsk ? "Save and ask for live access" : "Save",
      hidden: mayAsk ? { do: "ask" } : {},
    }),
  },
  { kind: null, command: "console business save" },
  async ({ people }, visit, { values, form }) => {
    const { merchantId } = visit.member;
    const by = visit.session.person;
    const saved = await saveBusinessDetails(people, { merchantId, by, details: values });
    if (saved.kind === "not_owner") return goBack(here, "Only an owner can change these details.");
    if (form.text("do") !== "ask") return goTo(here, "Saved.");
    return requestAnswer((await askLiveAccess(people, { merchantId, by })).kind);
  },
);

/** The business, and its way to live access. */
export function businessPages(routes: AccountRoutes, services: MerchantServices): void {
  const show = (visit: MemberVisit, typed: Typed) => businessPage(services, visit, typed);
  routes.page(here, { capability: "run_business", show });
  details.addTo(routes, services, show);
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

async function businessPage(services: MerchantServices, visit: MemberVisit, typed: Typed): Promise<PageAnswer> {
  const { member } = visit;
  const found = await findDetails(services, visit);
  const { requestedAt = null, refusedBecause = null } = found.stored ?? {};
  return page(
    { title: "Business", note: member.name },
    <>
      <Sheet title="Live access">
        <LiveAccess {...{ isApproved: member.apiApproved, requestedAt, refusedBecause }} />
        <ButtonLink href="/test/overview">Open the sandbox</ButtonLink>
      </Sheet>
      <Sheet title="Details">{details.draw(visit, typed, found)}</Sheet>
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
