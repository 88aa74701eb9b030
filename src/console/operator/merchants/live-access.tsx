import { readReason, reasonMax } from "../../../domain/members/company-changes.ts";
import { approveLiveAccess, refuseLiveAccess } from "../../../domain/members/live-access.ts";
import { findBusinessDetails, type StoredDetails } from "../../../domain/members/live-access-queries.ts";
import { withdrawApproval } from "../../../domain/merchants/administration.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findExistingMerchant, type MerchantRow } from "../../../domain/merchants/queries.ts";
import type { Change } from "../../../domain/staff/change-queries.ts";
import { findChangeAbout } from "../../../domain/staff/change-subject-queries.ts";
import { emailsFrom } from "../../kit/account/emails-from.ts";
import { type Answer, goBack, goTo } from "../../kit/answer.tsx";
import { typed } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { type Alone, changeAlone } from "../approvals/change.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { merchantAt, merchantCrumbs, merchantIn, merchantPath } from "./found-merchant.ts";
import { ownersEmailed } from "./owners-emailed.ts";

/** Lets a merchant sell live: anybody who answers merchants may ask for it, an admin approves. */
export const liveAccess: TwoPeople = {
  kind: "live access",
  subjects: ({ merchant }) => [subjectOf(String(merchant))],
  ask: matrix.propose_access.roles,
  approve: ["admin"],
  by: ({ people }) => ({
    readFacts: async (db, fields) => detailFacts(await findBusinessDetails(db, merchantIn(fields))),
    async carryOut(database, { fields }) {
      const id = merchantIn(fields);
      const { name } = await findExistingMerchant(database, id);
      const publicUrl = typeof fields.publicUrl === "string" ? fields.publicUrl : null;
      const isNew = await approveLiveAccess({ ...people, database }, id, publicUrl);
      const named = `${name} (${formatMerchantId(id)})`;
      if (!isNew) return `${named} could sell live already.`;
      return `${named} can sell live now.${await ownersEmailed({ ...people, database }, id)}`;
    },
  }),
};

/** The business, as a person judges it. */
function detailFacts(details: StoredDetails | null) {
  return {
    Business: details?.businessName ?? null,
    "Registered as": details?.registrationNumber ?? null,
    Address: details?.address ?? null,
    Phone: details?.phone ?? null,
    Website: details?.website ?? null,
    Sells: details?.sells ?? null,
  };
}

function subjectOf(merchant: string): string {
  return `live access of ${merchant}`;
}

const path = "/operator/merchants/:id/access";
const atIt = (visit: StaffVisit) => `/operator/merchants/${visit.param("id")}`;

/** Asking for a merchant's live access, refusing it, and taking it back. */
export function liveAccessPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.form(path, {
    ...{ capability: "propose_access", doneAt: atIt, show: (visit) => goTo(atIt(visit)) },
    send: async (visit) => ask(services, visit, await merchantAt(services, visit)),
  });
  refusal.addTo(routes, services);
  withdrawal.addTo(routes, services);
}

const refusal = reasoned("Refuse", {
  may: "propose_access",
  hint: "Its owners are emailed this and can correct their details and ask again.",
  async run({ people }, { found: merchant, values }, visit) {
    const isRefused = await refuseLiveAccess(people, merchant.id, values.reason);
    return isRefused
      ? `Live access refused.${await ownersEmailed(people, merchant.id, "why")}`
      : goBack(atIt(visit), `${merchant.name} isn’t waiting for live access.`);
  },
});

const withdrawal = reasoned("Withdraw", {
  may: "change_merchants",
  hint: "Live keys are refused at once. The sandbox goes on.",
  async run({ people }, { found: merchant }) {
    await withdrawApproval(people, merchant.id);
    return `${merchant.name} has the sandbox only: live keys are refused.`;
  },
});

type Reasoned = Pick<Alone<MerchantRow, { readonly reason: string }>, "may" | "run"> & { readonly hint: string };

/** What ends a merchant's live access, or the request for it, with a reason. */
function reasoned(verb: "Refuse" | "Withdraw", { hint, ...act }: Reasoned) {
  const title = `${verb} live access`;
  return changeAlone({
    ...act,
    at: `${path}/${verb.toLowerCase()}`,
    doneAt: atIt,
    find: merchantAt,
    fields: fields({ reason: typed("Reason", { read: readReason }, { hint, lengthMax: reasonMax }) }),
    head: (merchant) => ({ title, note: merchant.name, crumbs: merchantCrumbs(merchant) }),
    looks: ({ id }) => ({ submit: title, kind: "danger", cancelHref: merchantPath(id) }),
    command: `console merchant ${verb.toLowerCase()}-access`,
    details: ({ found: { id }, values: { reason } }) => ({ merchant: formatMerchantId(id), reason }),
  });
}

async function ask(services: OperatorServices, visit: StaffVisit, merchant: MerchantRow): Promise<Answer> {
  const at = merchantPath(merchant.id);
  if (merchant.api_approved_at !== null) return goBack(at, `${merchant.name} can sell live already.`);
  const request = accessRequest(merchant, emailsFrom(services, visit));
  return askForTwo(services, visit, liveAccess, { ...request, doneAt: at });
}

/** `publicUrl`: where links in the owners' email lead. */
export function accessRequest({ id, name }: MerchantRow, publicUrl: string | null) {
  const merchant = formatMerchantId(id);
  return { summary: `Let ${name} (${merchant}) sell live`, fields: { merchant, name, publicUrl } };
}

/** The request for a merchant's live access that nobody has decided yet; null where there is none. */
export function findRequested({ reads, people }: OperatorServices, { id }: MerchantRow): Promise<Change | null> {
  return findChangeAbout(reads, [subjectOf(formatMerchantId(id))], people.clock.now());
}

interface AccessProps {
  readonly visit: StaffVisit;
  readonly merchant: MerchantRow;
  readonly details: StoredDetails | null;
  /** The request for it that a second person has not decided yet. */
  readonly requested: Change | null;
}

/** The business details that were sent in, and what can be done with them. */
export function LiveAccess({ visit, merchant, details, requested }: AccessProps) {
  const at = merchantPath(merchant.id);
  const approvedAt = merchant.api_approved_at;
  const mayDecide = approvedAt === null && visit.may("propose_access");
  return (
    <Sheet title="Live access" id="access">
      <Facts
        facts={{
          Approved: approvedAt === null ? "No" : <Moment at={approvedAt} style="full" />,
          Requested: details?.requestedAt == null ? null : <Moment at={details.requestedAt} style="full" />,
          "Requested by": details?.requestedBy,
          "Waits for approval":
            requested === null ? null : (
              <a href={`/operator/approvals/${requested.id}`}>{`asked for by ${requested.requesterName}`}</a>
            ),
          Refused: approvedAt === null ? details?.refusedBecause : null,
          ...detailFacts(details),
        }}
      />
      {details === null ? <p class="quiet">No business details were sent in.</p> : null}
      {approvedAt !== null && visit.may("change_merchants") ? (
        <ButtonLink href={`${at}/access/withdraw`}>Withdraw live access</ButtonLink>
      ) : null}
      {mayDecide && requested === null ? <Form action={`${at}/access`} submit="Ask for live access" isInline /> : null}
      {mayDecide && details?.requestedAt != null ? (
        <ButtonLink href={`${at}/access/refuse`}>Refuse live access</ButtonLink>
      ) : null}
    </Sheet>
  );
}
