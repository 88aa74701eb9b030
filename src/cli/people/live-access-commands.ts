import { listLiveAccessRequests } from "../../domain/members/live-access-queries.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import type { OperatorCommand } from "../operator-command.ts";
import { type JsonOption, printRows } from "../printing.ts";
import type { Session } from "../session.ts";

interface ListOptions extends JsonOption {
  readonly all?: true;
}

/** Commands about merchants that ask for live access. */
export function addLiveAccessCommands(program: OperatorCommand): void {
  const liveAccess = program.command("live-access").description("merchants that ask for live access");
  liveAccess
    .command("list")
    .description("those that wait, with their business details; approve-merchant gives it")
    .option("--all", "those that have it as well")
    .does(list);
}

async function list({ database, wallTime }: Session, options: ListOptions): Promise<void> {
  const requests = await listLiveAccessRequests(database, { all: options.all === true });
  const rows = requests.map((request) => ({
    merchant_id: formatMerchantId(request.merchantId),
    name: request.name,
    business_name: request.businessName,
    registration_number: request.registrationNumber,
    address: request.address,
    phone: request.phone,
    website: request.website,
    sells: request.sells,
    asked_by: request.requestedBy,
    asked_at: request.requestedAt === null ? null : wallTime.format(request.requestedAt),
    approved: request.isApproved,
  }));
  const columns = {
    merchant_id: "merchant",
    business_name: "business",
    registration_number: "registered as",
    address: "address",
    phone: "phone",
    website: "website",
    sells: "sells",
    asked_by: "asked by",
    asked_at: "asked",
  };
  printRows(rows, { columns, none: "Nobody waits for live access." }, options);
}
