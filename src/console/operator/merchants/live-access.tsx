import { readReason, reasonMax } from "../../../domain/members/company-changes.ts";
import { approveLiveAccess, refuseLiveAccess } from "../../../domain/members/live-access.ts";
import { findBusinessDetails, type StoredDetails } from "../../../domain/members/live-access-queries.ts";
import { withdrawApproval } from "../../../domain/merchants/administration.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findExistingMerchant, type MerchantRow } from "../../../domain/merchants/queries.ts";
import type { Change } from "../../../domain/staff/change-queries.ts";
import { findChangeAbout } from "../../../domain/staff/change-subject-queries.ts";
import { lettersFrom } from "../../kit/account/letters-from.ts";
import { type Answer, goBack, goTo, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { changingMerchant, merchantAt, merchantCrumbs, merchantIn, merchantPath } from "./found-merchant.ts";

/** Lets a merchant sell live: anybody who answers merchants may ask for it, an admin approves. */
export const liveAccess: TwoPeople = {
  kind: "live access",
  subjects: ({ merchant }) => [subjectOf(String(merchant))],
  async readFacts(_services, db, fields) {
    const details = await findBusinessDetails(db, merchantIn(fields));
    return {
      Business: details?.businessName ?? null,
      "Registered as": details?.registrationNumber ?? null,
      Address: details?.address ?? null,
      Phone: details?.phone ?? null,
      Website: details?.website ?? null,
      Sells: details?.sells ?? null,
    };
  },
  ask: matrix.propose_access.roles,
  approve: ["admin"],
  async carryOut({ people }, database, payload) {
    const id = merchantIn(payload);
    const { name } = await findExistingMerchant(database, id);
    const publicUrl = typeof payload.publicUrl === "string" ? payload.publicUrl : null;
    const isNew = await approveLiveAccess({ ...people, database }, id, publicUrl);
    const named = `${name} (${formatMerchantId(id)})`;
    return isNew ? `${named} can sell live now. Its owners were emailed.` : `${named} could sell live already.`;
  },
};

function subjectOf(merchant: string): string {
  return `live access of ${merchant}`;
}

/** Asking for a merchant's live access, refusing it, and taking it back. */
export function liveAccessPages(routes: StaffRoutes, services: OperatorServices): void {
  const path = "/operator/merchants/:id/access";
  const atIt = (visit: StaffVisit) => `/operator/merchants/${visit.param("id")}`;
  const shared = { capability: "propose_access", doneAt: atIt } as const;

  routes.form(path, {
    ...shared,
    show: (visit) => goTo(atIt(visit)),
    send: async (visit) => ask(services, visit, await merchantAt(services, visit)),
  });

  routes.both(`${path}/refuse`, {
    ...shared,
    ...reasoned(services, {
      verb: "Refuse",
      hint: "Its owners are emailed this and can correct their details and ask again.",
      async act(visit, merchant, reason) {
        const database = changingMerchant(services, visit, merchant, "console merchant refuse-access", { reason });
        const isRefused = await refuseLiveAccess({ ...services.people, database }, merchant.id, reason);
        const at = merchantPath(merchant.id);
        return isRefused
          ? goTo(at, "Live access refused. The owners were emailed why.")
          : goBack(at, `${merchant.name} isn’t waiting for live access.`);
      },
    }),
  });

  routes.both(`${path}/withdraw`, {
    ...{ capability: "change_merchants", doneAt: atIt },
    ...reasoned(services, {
      verb: "Withdraw",
      hint: "Live keys are refused at once. The sandbox goes on.",
      async act(visit, merchant, reason) {
        const database = changingMerchant(services, visit, merchant, "console merchant withdraw-access", { reason });
        await withdrawApproval({ ...services.people, database }, merchant.id);
        return goTo(merchantPath(merchant.id), `${merchant.name} has the sandbox only: live keys are refused.`);
      },
    }),
  });
}

interface Reasoned {
  readonly verb: "Refuse" | "Withdraw";
  readonly hint: string;
  readonly act: (visit: StaffVisit, merchant: MerchantRow, reason: string) => Promise<Answer>;
}

function reasoned(services: OperatorServices, { verb, hint, act }: Reasoned) {
  const submit = `${verb} live access`;
  return {
    async show(visit: StaffVisit, typed: Typed) {
      const merchant = await merchantAt(services, visit);
      const at = merchantPath(merchant.id);
      return page(
        { title: submit, note: merchant.name, crumbs: merchantCrumbs(merchant) },
        <Sheet>
          <Form action={`${at}/access/${verb.toLowerCase()}`} {...{ submit }} kind="danger" cancelHref={at}>
            <TextField {...typed.field("reason")} {...{ hint }} label="Reason" lengthMax={reasonMax} />
          </Form>
        </Sheet>,
      );
    },
    send: async (visit: StaffVisit, form: SentForm) =>
      act(visit, await merchantAt(services, visit), readReason(form.text("reason"))),
  };
}

async function ask(services: OperatorServices, visit: StaffVisit, merchant: MerchantRow): Promise<Answer> {
  const at = merchantPath(merchant.id);
  if (merchant.api_approved_at !== null) return goBack(at, `${merchant.name} can sell live already.`);
  const id = formatMerchantId(merchant.id);
  const payload = { merchant: id, name: merchant.name, publicUrl: lettersFrom(services, visit) };
  return askForTwo(services, visit, liveAccess, {
    summary: `Let ${merchant.name} (${id}) sell live`,
    payload,
    doneAt: at,
  });
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
          Business: details?.businessName,
          "Registered as": details?.registrationNumber,
          Address: details?.address,
          Phone: details?.phone,
          Website: details?.website,
          Sells: details?.sells,
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
