import { Argument, Option } from "commander";
import { accessRequest, liveAccess } from "../../console/operator/merchants/live-access.tsx";
import { sandboxSwitch, switchRequest } from "../../console/operator/settings/settings.tsx";
import { readReason, resumeMerchant, suspendMerchant } from "../../domain/members/company-changes.ts";
import { approveLiveAccess } from "../../domain/members/live-access.ts";
import { listMembers } from "../../domain/members/queries.ts";
import {
  approveMerchant,
  duplicateGuardRange,
  setAllowlist,
  setDuplicateGuard,
  setLegacySettings,
  setMerchantStatus,
  switchSandbox,
  withdrawApproval,
} from "../../domain/merchants/administration.ts";
import {
  formatNetworkNumbers,
  type NetworkNumbers,
  type NumberedCategory,
  numberedCategories,
  parseNetworkNumbers,
  usualNetworkNumbers,
} from "../../domain/merchants/legacy-settings.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import {
  findExistingMerchant,
  findLegacySettings,
  listAllowlist,
  listMerchants,
} from "../../domain/merchants/queries.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import { clearedRange } from "../../platform/address.ts";
import { countValue, merchantIdValue, orComplain } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { emailServices } from "../people/email-command.ts";
import { type AskingOptions, byOption, requestAsPage } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows, printWarning } from "../printing.ts";
import { addCreateMerchant } from "./create-merchant.ts";

const listMax = 1_000;

/** Commands about merchants and where they may call from. */
export function addMerchantCommands(program: OperatorCommand): void {
  addCreateMerchant(program);
  for (const change of changes) addChangeCommand(program, change);
  addAllowlistCommand(program);
  addDuplicateGuardCommand(program);
  addSandboxCommand(program);
  program
    .command("merchants")
    .description(`list merchants, ${listMax} at a time`)
    .option("--after <id>", "start after this merchant", merchantIdValue)
    .does(list);
}

/** A command that changes one thing about a merchant. */
interface Change {
  readonly name: string;
  readonly does: string;
  /** What `--reason` is for, where it has one. */
  readonly reason?: string;
  /** Asks for it where it takes a second person. @returns false where it doesn't */
  readonly ask?: (session: Session, id: MerchantId, options: AskingOptions) => Promise<boolean>;
  /** @returns false where nothing had to be changed */
  readonly change: (session: Session, id: MerchantId, reason: string | undefined) => Promise<boolean>;
  /** The sentence about the merchant after a change. */
  readonly changed: string;
  readonly unchanged: string;
}

const changes: readonly Change[] = [
  {
    name: "suspend-merchant",
    does: "refuse all its requests",
    reason: "why: its owners get an email, and read it in the console",
    change: async (session, id, reason) =>
      reason === undefined
        ? setMerchantStatus(session, id, "suspended")
        : suspendMerchant(await emailServices(session), id, readReason(reason)),
    changed: "is suspended",
    unchanged: "was already suspended",
  },
  {
    name: "resume-merchant",
    does: "let it in again",
    reason: "why: its owners get an email",
    change: async (session, id, reason) =>
      reason === undefined
        ? setMerchantStatus(session, id, "active")
        : resumeMerchant(await emailServices(session), id, readReason(reason)),
    changed: "is active",
    unchanged: "was already active",
  },
  {
    name: "approve-merchant",
    does: "approve API access: live keys can be made and work; its owners get an email",
    ask: requestApproval,
    change: approve,
    changed: "is approved",
    unchanged: "was approved before",
  },
  {
    name: "withdraw-approval",
    does: "take API approval back: live keys are refused, the sandbox goes on",
    change: withdrawApproval,
    changed: "is no longer approved",
    unchanged: "was not approved",
  },
];

async function requestApproval(session: Session, id: MerchantId, options: AskingOptions): Promise<boolean> {
  const merchant = await findExistingMerchant(session.database, id);
  if (merchant.api_approved_at !== null) return false;
  return requestAsPage(session, liveAccess, accessRequest(merchant, session.publicUrl), options);
}

/** Emails are sealed with the service's key, which a command may lack where there is nobody to write to. */
async function approve(session: Session, id: MerchantId): Promise<boolean> {
  if ((await listMembers(session.database, id)).length === 0) return approveMerchant(session, id);
  return approveLiveAccess(await emailServices(session), id, session.publicUrl);
}

function addChangeCommand(program: OperatorCommand, given: Change): void {
  const command = program.command(given.name).description(given.does).argument("<id>", "the merchant", merchantIdValue);
  if (given.reason !== undefined) command.option("--reason <text>", given.reason);
  const { ask } = given;
  if (ask !== undefined) command.option(...byOption);
  command.does(async (session, id: MerchantId, options: AskingOptions & { readonly reason?: string }) => {
    if (await ask?.(session, id, options)) return;
    const changed = await given.change(session, id, options.reason);
    if (options.json) printJson({ merchant_id: formatMerchantId(id), changed });
    else printLine(`${formatMerchantId(id)} ${changed ? given.changed : given.unchanged}.`);
  });
}

function addDuplicateGuardCommand(program: OperatorCommand): void {
  program
    .command("duplicate-guard")
    .description(
      "refuse the same purchase under another reference for so many seconds, or off; bulk orders are not guarded",
    )
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<seconds>", "5 to 86400, or off", (text) =>
      text === "off" ? null : countValue(duplicateGuardRange.max)(text),
    )
    .does(async (session, id: MerchantId, seconds: number | null, options: JsonOption) => {
      const changed = await setDuplicateGuard(session, id, seconds);
      if (options.json) printJson({ merchant_id: formatMerchantId(id), duplicate_guard_seconds: seconds, changed });
      else if (seconds === null) printLine(`${formatMerchantId(id)} has no duplicate guard.`);
      else printLine(`${formatMerchantId(id)} buys the same once in ${seconds} seconds, but for bulk orders.`);
    });
}

function addAllowlistCommand(program: OperatorCommand): void {
  program
    .command("ip-allowlist")
    .description("set the addresses a merchant may call from; without any, tell them")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("[ranges...]", "addresses or CIDR ranges, up to 50")
    .option("--anywhere", "take them away: it may call from everywhere")
    .does(allowlist);
}

function addSandboxCommand(program: OperatorCommand): void {
  program
    .command("sandbox")
    .description("switch the sandbox on or off for everybody")
    .addArgument(new Argument("<switch>", "on or off").choices(["on", "off"]))
    .option(...byOption)
    .does(async (session, position: "on" | "off", options: AskingOptions) => {
      if (await requestAsPage(session, sandboxSwitch.kind, switchRequest(position), options)) return;
      const changed = await switchSandbox(session, position === "on");
      if (options.json) printJson({ sandbox: position, changed });
      else printLine(`The sandbox ${changed ? "is" : "was already"} ${position}.`);
    });
}

interface AllowlistOptions extends JsonOption {
  readonly anywhere?: true;
}

async function allowlist(
  session: Session,
  id: MerchantId,
  ranges: readonly string[],
  { anywhere, json }: AllowlistOptions,
): Promise<void> {
  if (anywhere && ranges.length > 0) {
    throw wrong("Give addresses or --anywhere, not both.");
  }
  await findExistingMerchant(session.database, id);
  const isSet = anywhere || ranges.length > 0;
  const stored = isSet ? await setAllowlist(session, id, ranges) : await listAllowlist(session.database, id);
  for (const text of ranges) {
    const cleared = clearedRange(text);
    if (cleared !== null) printWarning(`${text} has bits beyond its prefix: taken as ${cleared}.`);
  }
  if (json) printJson({ merchant_id: formatMerchantId(id), ip_allowlist: stored });
  else printLine(`${formatMerchantId(id)} may call from ${stored.join(", ") || "everywhere"}.`);
}

async function list(session: Session, options: JsonOption & { readonly after?: MerchantId }): Promise<void> {
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
  printRows(merchants, { headings: { email: "e-mail" }, absent: "no" }, options);
  if (!options.json && rows.length === listMax) printLine(`More: merchants --after ${merchants.at(-1)?.merchant_id}`);
}

interface NetworksOptions extends JsonOption {
  readonly for?: NumberedCategory;
  readonly usual?: true;
}

/** Commands about merchants whose clients were written for an older service. */
export function addLegacyCommands(program: OperatorCommand): void {
  program
    .command("legacy-networks")
    .description("how a merchant's older clients number networks; without numbers, tell it")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("[numbers]", "each network's number, such as 1=mtn,2=airtel,3=glo,4=9mobile", numbersValue)
    .addOption(new Option("--for <what>", "for these purchases alone").choices([...numberedCategories]))
    .option("--usual", "back to 1=mtn,2=glo,3=9mobile,4=airtel")
    .does(networks);
  program
    .command("legacy-prefix-check")
    .description("refuse a merchant's older clients airtime to a number of another network's prefix, or sell it")
    .argument("<id>", "the merchant", merchantIdValue)
    .addArgument(new Argument("<switch>", "on or off").choices(["on", "off"]))
    .does(async (session, id: MerchantId, position: "on" | "off", options: JsonOption) => {
      const changed = await setLegacySettings(session, id, { checksPrefixes: position === "on" });
      if (options.json) printJson({ merchant_id: formatMerchantId(id), legacy_prefix_check: position, changed });
      else printLine(`${formatMerchantId(id)}: the check of prefixes ${changed ? "is" : "was already"} ${position}.`);
    });
}

function numbersValue(text: string): NetworkNumbers {
  return orComplain(parseNetworkNumbers(text), "It must number all four networks: 1=mtn,2=airtel,3=glo,4=9mobile.");
}

async function networks(
  session: Session,
  id: MerchantId,
  numbers: NetworkNumbers | undefined,
  options: NetworksOptions,
): Promise<void> {
  if (options.usual && numbers !== undefined) {
    throw wrong("Give numbers or --usual, not both.");
  }
  if (numbers !== undefined || options.usual) {
    const categories = options.for === undefined ? numberedCategories : [options.for];
    const set = categories.map((category) => [category, numbers ?? usualNetworkNumbers]);
    await setLegacySettings(session, id, { networks: Object.fromEntries(set) });
  }
  const settings = await findLegacySettings(session.database, id);
  if (settings === null) throw refuse("NOT_FOUND", { message: `There is no merchant ${formatMerchantId(id)}.` });
  const shown = {
    data: formatNetworkNumbers(settings.networks.data),
    airtime: formatNetworkNumbers(settings.networks.airtime),
  };
  if (options.json) printJson({ merchant_id: formatMerchantId(id), legacy_networks: shown });
  else printLine(`${formatMerchantId(id)} numbers networks ${shown.data} for data, ${shown.airtime} for airtime.`);
}
