import { approveLiveAccess } from "../../../domain/members/live-access.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../../domain/merchants/queries.ts";
import type { TwoPeople } from "../approvals/two-people.ts";
import { merchantIn } from "./found-merchant.ts";

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
