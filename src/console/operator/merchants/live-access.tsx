import { readReason, reasonMax } from "../../../domain/members/company-changes.ts";
import { approveLiveAccess, refuseLiveAccess } from "../../../domain/members/live-access.ts";
import type { StoredDetails } from "../../../domain/members/live-access-queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findExistingMerchant, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { lettersFrom } from "../../kit/account/letters-from.ts";
import { type Answer, goBack, goTo, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { changing, merchantAt, merchantIn, merchantPath } from "./found-merchant.ts";

/** Lets a merchant sell live: anybody who answers merchants may ask for it, an admin approves. */
export const liveAccess: TwoPeople = {
  kind: "live access",
  roles: ["admin"],
  async carryOut({ people }, database, payload) {
    const id = merchantIn(payload);
    const { name } = await findExistingMerchant(database, id);
    const publicUrl = typeof payload.publicUrl === "string" ? payload.publicUrl : null;
    const isNew = await approveLiveAccess({ ...people, database }, id, publicUrl);
    const named = `${name} (${formatMerchantId(id)})`;
    return isNew ? `${named} can sell live now. Its owners were emailed.` : `${named} could sell live already.`;
  },
};

/** Asking for a merchant's live access, and refusing it: the reason is emailed to its owners, who may ask again. */
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
    async show(visit, typed) {
      const merchant = await merchantAt(services, visit);
      const at = merchantPath(merchant.id);
      const crumbs = [
        ["Merchants", "/operator/merchants"],
        [merchant.name, at],
      ] as const;
      return page(
        { title: "Refuse live access", note: merchant.name, crumbs, problem: typed.whole, status: typed.status },
        <Sheet>
          <Form action={`${at}/access/refuse`} submit="Refuse live access" kind="danger" cancelHref={at}>
            <TextField
              {...typed.field("reason")}
              label="Reason"
              hint="Its owners are emailed this and can correct their details and ask again."
              placeholder="The registration number isn’t in the register"
              lengthMax={reasonMax}
            />
          </Form>
        </Sheet>,
      );
    },
    async send(visit, form) {
      const merchant = await merchantAt(services, visit);
      const reason = readReason(form.text("reason"));
      const command = "console merchant refuse-access";
      const database = changing(services, visit, merchant, { command, details: { reason } });
      const isRefused = await refuseLiveAccess({ ...services.people, database }, merchant.id, reason);
      const at = merchantPath(merchant.id);
      return isRefused
        ? goTo(at, "Live access refused. The owners were emailed why.")
        : goBack(at, `${merchant.name} isn’t waiting for live access.`);
    },
  });
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

interface AccessProps {
  readonly visit: StaffVisit;
  readonly merchant: MerchantRow;
  readonly details: StoredDetails | null;
}

/** The business details that were sent in, and what can be done with them. */
export function LiveAccess({ visit, merchant, details }: AccessProps) {
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
      {mayDecide ? <Form action={`${at}/access`} submit="Ask for live access" isInline /> : null}
      {mayDecide && details?.requestedAt != null ? (
        <ButtonLink href={`${at}/access/refuse`}>Refuse live access</ButtonLink>
      ) : null}
    </Sheet>
  );
}

/** Takes live access back. It stands on the same page as the form to suspend, so that its field has an id of its own. */
export function WithdrawForm({ at, typed }: { readonly at: string; readonly typed: Typed }) {
  const isThis = typed.form.text("part") === "withdraw";
  return (
    <Sheet title="Live access">
      <p>Live keys are refused at once. The sandbox goes on.</p>
      <Form
        action={`${at}/change/withdraw`}
        submit="Withdraw live access"
        kind="danger"
        hidden={{ part: "withdraw" }}
        isInline
        error={isThis ? typed.error("reason") : null}
      >
        <input
          name="reason"
          aria-label="Reason for withdrawing live access"
          placeholder="Reason"
          maxLength={reasonMax}
          value={isThis ? typed.value("reason") : ""}
          required
        />
      </Form>
    </Sheet>
  );
}
