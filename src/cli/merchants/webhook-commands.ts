import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import { type EndpointOwner, isOnFor } from "../../domain/webhooks/endpoints/endpoint.ts";
import { listEndpoints } from "../../domain/webhooks/endpoints/queries.ts";
import { requireOn } from "../../domain/webhooks/log/outbox.ts";
import { type Recovery, recoverSince } from "../../domain/webhooks/log/recover.ts";
import { type Instant, parseInstant } from "../../kernel/clock.ts";
import type { MerchantId, WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database/database.ts";
import { merchantIdValue, modeValue } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";

interface RecoverOptions extends JsonOption {
  readonly since: string;
  readonly mode?: Mode;
}

/** Commands about merchants' webhooks. */
export function addWebhookCommands(program: OperatorCommand): void {
  program
    .command("webhooks")
    .description("what merchants are told")
    .command("recover")
    .description("send again what was never delivered to a merchant")
    .argument("<id>", "the merchant", merchantIdValue)
    .requiredOption("--since <time>", "events since then: 2026-11-20 or 2026-11-20T14:00:00+01:00")
    .option("--mode <mode>", "live or test alone; unless given, both", modeValue)
    .does(recover);
}

async function recover(session: Session, merchantId: MerchantId, options: RecoverOptions): Promise<void> {
  const { database, wallTime } = session;
  const since = parseInstant(options.since, wallTime, "start");
  if (since === null) throw refuseField("INVALID_DATE", "since", "Must be a date, or ISO 8601 with an offset.");
  await findExistingMerchant(database, merchantId);
  const requested: readonly [Mode, ...Mode[]] = options.mode === undefined ? ["live", "test"] : [options.mode];
  const read = await modesReceiving(database, { merchantId }, requested);
  for (const mode of read) {
    const recovered = await recoverAll(session, { merchantId, mode }, since);
    if (options.json) printJson({ merchant_id: formatMerchantId(merchantId), mode, recovered });
    else printLine(`${recovered} deliveries in ${mode} mode are sent again.`);
  }
}

/** The wanted modes for which one of the merchant's endpoints is on. @throws Refusal where there is none */
async function modesReceiving(database: Database, owner: EndpointOwner, requested: readonly [Mode, ...Mode[]]) {
  const [endpoints = []] = await listEndpoints(database, [owner]);
  const read = requested.filter((mode) => endpoints.some((endpoint) => isOnFor(mode, endpoint)));
  if (read.length === 0) await requireOn(database, { ...owner, mode: requested[0] }, null);
  return read;
}

async function recoverAll({ database }: Session, wallet: WalletKey, since: Instant): Promise<number> {
  let recovered = 0;
  let from: Instant | null = since;
  while (from !== null) {
    const part: Recovery = await recoverSince(database, wallet, { since: from, endpointNumber: null });
    recovered += part.recovered;
    from = part.nextSince;
  }
  return recovered;
}
