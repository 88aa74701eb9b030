import { limitTier, tierRequest } from "../../console/operator/settings/limit-tier.tsx";
import { setLimitTier, setMerchantLimitTier } from "../../domain/merchants/administration.ts";
import { listLimitTiers } from "../../domain/merchants/limits/queries.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { tierMax } from "../../domain/merchants/tiers/tiers.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { countValue, merchantIdValue, nairaValue } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type AskingOptions, byOption, requestAsPage } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

const tierValue = countValue(tierMax);
const tierText = "its number, as limit-tier list has it";

interface SetOptions extends AskingOptions {
  readonly perTransaction?: Kobo;
  readonly perDay?: Kobo;
}

/** Commands about what live merchants may spend. */
export function addLimitCommands(program: OperatorCommand): void {
  const tiers = program.command("limit-tier").description("what live merchants of a tier may spend");
  tiers.command("list").description("every tier").does(list);
  tiers
    .command("set")
    .description("change a tier's limits; what is not given stays as it is")
    .argument("<tier>", tierText, tierValue)
    .option("--per-transaction <naira>", "the most that one purchase may cost", nairaValue)
    .option("--per-day <naira>", "the most that a merchant may spend in a day", nairaValue)
    .option(...byOption)
    .does(set);
  program
    .command("set-limit-tier")
    .description("put a merchant in another limit tier")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<tier>", tierText, tierValue)
    .does(async (session, id: MerchantId, tier: number, options: JsonOption) => {
      const changed = await setMerchantLimitTier(session, id, tier);
      if (options.json) printJson({ merchant_id: formatMerchantId(id), limit_tier: tier, changed });
      else printLine(`${formatMerchantId(id)} ${changed ? "is" : "was already"} in limit tier ${tier}.`);
    });
}

async function list({ database, wallTime }: Session, options: JsonOption): Promise<void> {
  const rows = (await listLimitTiers(database)).map((row) => ({
    tier: row.tier,
    per_transaction: formatNaira(row.perTransaction),
    per_day: formatNaira(row.perDay),
    merchants: Number(row.merchants),
    updated_at: wallTime.format(row.updatedAt),
  }));
  printRows(rows, { headings: { updated_at: "set" } }, options);
}

async function set(session: Session, tier: number, options: SetOptions): Promise<void> {
  const { database } = session;
  const { perTransaction = null, perDay = null } = options;
  if (perTransaction === null && perDay === null) {
    throw wrong("Say which limit: --per-transaction, --per-day or both.");
  }
  const present = (await listLimitTiers(database)).find((each) => each.tier === tier);
  if (present !== undefined) {
    const limits = { per_sale: perTransaction ?? present.perTransaction, per_day: perDay ?? present.perDay };
    const request = tierRequest(tier, { name: present.name, ...limits });
    // Limits that contradict each other are refused below.
    const isSound = limits.per_day >= limits.per_sale;
    if (isSound && (await requestAsPage(session, limitTier.kind, request, options))) return;
  }
  const stored = await setLimitTier(database, tier, { perTransaction, perDay });
  const [most, day] = [formatNaira(stored.perTransaction), formatNaira(stored.perDay)];
  if (options.json) printJson({ tier, per_transaction: most, per_day: day });
  else printLine(`Limit tier ${tier} may spend ${most} at once and ${day} a day now.`);
}
