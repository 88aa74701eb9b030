import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import { recoverMerchant } from "../../domain/webhooks/log/recover.ts";
import { parseInstant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { refuseField } from "../../kernel/problems.ts";
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
  const recovery = {
    since,
    modes: options.mode === undefined ? (["live", "test"] as const) : ([options.mode] as const),
  };
  for (const { mode, recovered } of await recoverMerchant(database, merchantId, recovery)) {
    if (options.json) printJson({ merchant_id: formatMerchantId(merchantId), mode, recovered });
    else printLine(`${recovered} deliveries in ${mode} mode are sent again.`);
  }
}
