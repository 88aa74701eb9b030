import { auditDetails, writeEntry } from "../../domain/audit/audit-log.ts";
import { auditName } from "../../domain/identity/people/person.ts";
import { memberDatabase } from "../../domain/members/members.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Database } from "../../platform/database/database.ts";
import type { MemberVisit } from "./access.ts";
import type { MerchantServices } from "./services.ts";

/** A request as it would be sent. */
interface ShownRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | null;
}

/** A request for a shell, with this deployment's address. The key is the reader's to set, unless it is given. */
export function requestCurl({ method, path, body }: ShownRequest, origin: string, key = "$DISPENSE_KEY"): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`${origin}${path}`)}`,
    `  -H "Authorization: Bearer ${key}"`,
    ...(body === null ? [] : [`  -H "Content-Type: application/json"`, `  -d ${quoted(body)}`]),
  ];
  return lines.join(" \\\n");
}

/** The request that asks the API what became of a purchase. */
export function requeryCurl(origin: string, mode: Mode, reference: string): string {
  const path = `/api/v1/merchant/transactions/${encodeURIComponent(reference)}`;
  return requestCurl({ method: "GET", path, body: null }, origin, `YOUR_${mode.toUpperCase()}_KEY`);
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

type ChangeServices = Pick<MerchantServices, "people" | "database">;
type Email = Parameters<typeof memberDatabase>[1]["email"];

interface Change {
  /** As the audit log has it: `console key create`. */
  readonly command: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What the owners are told of it. */
  readonly email?: Email;
}

/** The database for a change by the visit's person: what is written with it ends with its email and its entry in the audit log. */
export function changing({ people, database }: ChangeServices, visit: MemberVisit, change: Change): Database {
  const { email, ...entry } = change;
  const by = { by: visit.session.person, merchantId: visit.member.merchantId };
  return memberDatabase({ ...people, database }, { ...by, ...entry, ...(email === undefined ? {} : { email }) });
}

/** Enters what the visit's person is about to see, take or buy in the audit log: nothing of it is by somebody unknown. */
export async function enterBefore(
  { database }: Pick<ChangeServices, "database">,
  { member, mode, session }: MemberVisit,
  { command, details }: { readonly command: string; readonly details: Readonly<Record<string, unknown>> },
): Promise<void> {
  const named = { merchant: formatMerchantId(member.merchantId), mode, ...details };
  await writeEntry(database, { who: auditName(session.person), command, details: auditDetails(named) });
}
