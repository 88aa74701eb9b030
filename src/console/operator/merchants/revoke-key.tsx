import { revokeKey } from "../../../domain/merchants/api-keys.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId, parseApiKeyId } from "../../../domain/merchants/merchant.ts";
import { goTo } from "../../kit/answer.tsx";
import { askFirst } from "../../kit/ask-first.tsx";
import type { StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { changingMerchant, merchantAt, merchantPath } from "./found-merchant.ts";

/** Ends a key of the merchant that nobody here ever sees. */
export function revocation(services: OperatorServices) {
  const keyAt = async (visit: StaffVisit) => {
    const merchant = await merchantAt(services, visit);
    const keyId = parseApiKeyId(visit.param("key"));
    const key = (await listApiKeys(services.reads, merchant.id)).find(({ id }) => id === keyId) ?? null;
    return { merchant, key };
  };
  return askFirst<StaffVisit, "change_merchants">({
    capability: "change_merchants",
    doneAt: (visit) => `/operator/merchants/${visit.param("id")}`,
    async ask(visit) {
      const { merchant, key } = await keyAt(visit);
      if (key === null) return null;
      return {
        title: `Revoke ${key.label === "" ? formatApiKeyId(key.id) : `“${key.label}”`}`,
        note: `${merchant.name}, ${key.mode}`,
        text: <p>Requests with it fail at once, and for good. The merchant creates another key itself.</p>,
        submit: "Revoke key",
        cancelHref: merchantPath(merchant.id),
      };
    },
    async send(visit) {
      const { merchant, key } = await keyAt(visit);
      if (key === null) return null;
      const details = { key_id: formatApiKeyId(key.id) };
      const database = changingMerchant(services, visit, merchant, "console merchant revoke-key", details);
      await revokeKey({ ...services.people, database }, key.id);
      return goTo(merchantPath(merchant.id), "Key revoked.");
    },
  });
}
