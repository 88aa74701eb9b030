import {
  type CreatedKey,
  createKey,
  keyLabelMax,
  keyStateOf,
  type RotationGrace,
  revokeKey,
  rotateKey,
} from "../../domain/merchants/api-keys.ts";
import { keyHint } from "../../domain/merchants/key-format.ts";
import { listApiKeys } from "../../domain/merchants/key-queries.ts";
import { formatApiKeyId, formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import type { Instant } from "../../kernel/clock.ts";
import type { ApiKeyId, MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { graceValue, keyIdValue, merchantIdValue, modeValue, orComplain } from "../arguments.ts";
import { adviseWhenUnknown, type OperatorCommand, type Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

/** Commands about API keys. @returns `keys`, below which there are others */
export function addKeyCommands(program: OperatorCommand): OperatorCommand {
  program
    .command("create-key")
    .description("make a key; it is shown this once")
    .argument("<id>", "the merchant", merchantIdValue)
    .requiredOption("--mode <mode>", "live or test", modeValue)
    .option("--label <text>", `what it is for, in up to ${keyLabelMax} characters`, labelValue, "")
    .does(async (session, merchantId: MerchantId, options: JsonOption & { mode: Mode; label: string }) => {
      const { mode, label } = options;
      const made = await createKey(session, { merchantId, mode, label, createdBy: session.operator }).catch(
        adviseWhenUnknown(unseen(`keys ${formatMerchantId(merchantId)}`)),
      );
      return shown(made, options);
    });
  program
    .command("rotate-key")
    .description("make a key in place of another one")
    .argument("<key>", "the old key's id", keyIdValue)
    .option("--grace <time>", "how long the old one still works: 0, 1h, 24h, 7d", graceValue, "24h" as RotationGrace)
    .does(async (session, keyId: ApiKeyId, options: JsonOption & { grace: RotationGrace }) => {
      const made = await rotateKey(session, { keyId, grace: options.grace, createdBy: session.operator }).catch(
        adviseWhenUnknown(unseen("keys of its merchant")),
      );
      return shown(made, options);
    });
  program
    .command("revoke-key")
    .description("end a key now")
    .argument("<key>", "the key's id", keyIdValue)
    .does(async (session, keyId: ApiKeyId, options: JsonOption) => {
      await revokeKey(session, keyId);
      if (options.json) printJson({ key_id: formatApiKeyId(keyId), revoked: true });
      else printLine(`${formatApiKeyId(keyId)} is revoked.`);
    });
  return program
    .command("keys")
    .description("list a merchant's API keys; below it, the deployment's encryption keys")
    .argument("<id>", "the merchant", merchantIdValue)
    .does(list);
}

function unseen(list: string): string {
  return `A key may have been made that nobody saw: look with ${list}, and revoke it before you repeat the command.`;
}

function labelValue(text: string): string {
  return orComplain(text.length <= keyLabelMax ? text : null, `It must have at most ${keyLabelMax} characters.`);
}

function shown(key: CreatedKey, options: JsonOption): void {
  if (options.json) printJson({ key_id: formatApiKeyId(key.id), mode: key.mode, key: key.text });
  else {
    printLine(key.text);
    printLine(`This is ${formatApiKeyId(key.id)}. The key is shown this once.`);
  }
}

async function list(session: Session, merchantId: MerchantId, options: JsonOption): Promise<void> {
  const { wallTime } = session;
  await findExistingMerchant(session.database, merchantId);
  const now = session.clock.now();
  const timeOf = (instant: Instant | null) => (instant === null ? null : wallTime.format(instant));
  const keys = (await listApiKeys(session.database, merchantId)).map((row) => ({
    merchant_id: formatMerchantId(merchantId),
    key_id: formatApiKeyId(row.id),
    key: keyHint(row),
    state: keyStateOf(row, now),
    label: row.label,
    created_by: row.created_by,
    created_at: wallTime.format(row.created_at),
    expires_at: timeOf(row.expires_at),
    revoked_at: timeOf(row.revoked_at),
    last_used_at: timeOf(row.used_at),
    last_used_from: row.used_from,
  }));
  printRows(keys, { headings: { merchant_id: "of", key_id: "id", last_used_from: "from" } }, options);
}
