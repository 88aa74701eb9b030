import { Argument, type Command } from "commander";
import {
  approveMerchant,
  duplicateGuardRange,
  setAllowlist,
  setDuplicateGuard,
  setMerchantStatus,
  switchSandbox,
  withdrawApproval,
} from "../../domain/merchants/administration.ts";
import { formatMerchantId, type MerchantStatus } from "../../domain/merchants/merchant.ts";
import { listAllowlist, listMerchants } from "../../domain/merchants/queries.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import { countWord, merchantIdWord } from "./arguments.ts";
import { addCreateMerchant } from "./create-merchant.ts";
import { knownMerchant } from "./known-merchant.ts";
import { asJson, type JsonOption, printJson, printLine, printRows } from "./printing.ts";
import type { Session, WithSession } from "./session.ts";

const listMax = 1_000;

/** Commands about merchants and where they may call from. */
export function addMerchantCommands(program: Command, withSession: WithSession): void {
  addCreateMerchant(program, withSession);
  statusCommand(program, withSession, {
    name: "suspend-merchant",
    status: "suspended",
    does: "refuse all its requests",
  });
  statusCommand(program, withSession, { name: "resume-merchant", status: "active", does: "let it in again" });
  program
    .command("approve-merchant")
    .description("approve API access: live keys can be made and work")
    .argument("<id>", "the merchant", merchantIdWord)
    .option(...asJson)
    .action((id: MerchantId, options: JsonOption) =>
      withSession(async (session) => {
        const changed = await approveMerchant(session, id);
        return told(options, id, changed, changed ? "is approved" : "was approved before");
      }),
    );
  program
    .command("withdraw-approval")
    .description("take API approval back: live keys are refused, the sandbox goes on")
    .argument("<id>", "the merchant", merchantIdWord)
    .option(...asJson)
    .action((id: MerchantId, options: JsonOption) =>
      withSession(async (session) => {
        const changed = await withdrawApproval(session, id);
        return told(options, id, changed, changed ? "is approved no more" : "was not approved");
      }),
    );
  addAccessCommands(program, withSession);
}

function duplicateGuardCommand(program: Command, withSession: WithSession): void {
  program
    .command("duplicate-guard")
    .description("refuse the same purchase under another reference for so many seconds, or off")
    .argument("<id>", "the merchant", merchantIdWord)
    .argument("<seconds>", "5 to 86400, or off", (text) =>
      text === "off" ? null : countWord(duplicateGuardRange.max)(text),
    )
    .option(...asJson)
    .action((id: MerchantId, seconds: number | null, options: JsonOption) =>
      withSession(async (session) => {
        const changed = await setDuplicateGuard(session, id, seconds);
        if (options.json) printJson({ merchant_id: formatMerchantId(id), duplicate_guard_seconds: seconds, changed });
        else if (seconds === null) printLine(`${formatMerchantId(id)} has no duplicate guard.`);
        else printLine(`${formatMerchantId(id)} buys the same once in ${seconds} seconds.`);
        return 0;
      }),
    );
}

function addAccessCommands(program: Command, withSession: WithSession): void {
  program
    .command("ip-allowlist")
    .description("set the addresses a merchant may call from; without any, tell them")
    .argument("<id>", "the merchant", merchantIdWord)
    .argument("[ranges...]", "addresses or CIDR ranges, up to 50")
    .option("--anywhere", "take them away: it may call from everywhere")
    .option(...asJson)
    .action((id: MerchantId, ranges: string[], options: AllowlistOptions) =>
      withSession((session) => allowlist(session, id, ranges, options)),
    );
  duplicateGuardCommand(program, withSession);
  program
    .command("sandbox")
    .description("switch the sandbox on or off for everybody")
    .addArgument(new Argument("<switch>", "on or off").choices(["on", "off"]))
    .option(...asJson)
    .action((position: "on" | "off", options: JsonOption) =>
      withSession(async (session) => {
        const changed = await switchSandbox(session, position === "on");
        if (options.json) printJson({ sandbox: position, changed });
        else printLine(`The sandbox ${changed ? "is" : "was already"} ${position}.`);
        return 0;
      }),
    );
  program
    .command("merchants")
    .description(`list merchants, ${listMax} at a time`)
    .option("--after <id>", "start after this merchant", merchantIdWord)
    .option(...asJson)
    .action((options: JsonOption & { after?: MerchantId }) => withSession((session) => list(session, options)));
}

interface AllowlistOptions extends JsonOption {
  readonly anywhere?: true;
}

async function allowlist(
  session: Session,
  id: MerchantId,
  ranges: readonly string[],
  { anywhere, json }: AllowlistOptions,
): Promise<number> {
  if (anywhere && ranges.length > 0) {
    throw refuse("VALIDATION_ERROR", { message: "Give addresses or --anywhere, not both." });
  }
  await knownMerchant(session.database, id);
  const isSet = anywhere || ranges.length > 0;
  const stored = isSet ? await setAllowlist(session, id, ranges) : await listAllowlist(session.database, id);
  if (json) printJson({ merchant_id: formatMerchantId(id), ip_allowlist: stored });
  else printLine(`${formatMerchantId(id)} may call from ${stored.join(", ") || "everywhere"}.`);
  return 0;
}

function statusCommand(
  program: Command,
  withSession: WithSession,
  { name, status, does }: { readonly name: string; readonly status: MerchantStatus; readonly does: string },
): void {
  program
    .command(name)
    .description(does)
    .argument("<id>", "the merchant", merchantIdWord)
    .option(...asJson)
    .action((id: MerchantId, options: JsonOption) =>
      withSession(async (session) => {
        const changed = await setMerchantStatus(session, id, status);
        return told(options, id, changed, `${changed ? "is" : "was already"} ${status}`);
      }),
    );
}

function told(options: JsonOption, id: MerchantId, changed: boolean, predicate: string): number {
  if (options.json) printJson({ merchant_id: formatMerchantId(id), changed });
  else printLine(`${formatMerchantId(id)} ${predicate}.`);
  return 0;
}

async function list(session: Session, options: JsonOption & { readonly after?: MerchantId }): Promise<number> {
  const rows = await listMerchants(session.database, options.after ?? 0, listMax);
  const merchants = rows.map((row) => ({
    merchant_id: formatMerchantId(row.id),
    name: row.name,
    email: row.email,
    status: row.status,
    approved_at: row.api_approved_at === null ? null : session.wallTime.format(row.api_approved_at),
    price_tier: row.price_tier,
    limit_tier: row.limit_tier,
    created_at: session.wallTime.format(row.created_at),
  }));
  const columns = {
    merchant_id: "merchant",
    name: "name",
    email: "e-mail",
    status: "status",
    approved_at: "approved",
    price_tier: "price tier",
    limit_tier: "limit tier",
    created_at: "created",
  };
  printRows(merchants, { columns, absent: "no" }, options);
  if (!options.json && rows.length === listMax) printLine(`More: merchants --after ${merchants.at(-1)?.merchant_id}`);
  return 0;
}
