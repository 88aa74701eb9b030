import { putPaymentProvider } from "../../src/domain/funding/providers.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import type { MerchantId } from "../../src/kernel/ids.ts";
import { arrayOf, type Database, statement } from "../../src/platform/database/database.ts";
import { brokenInvariants } from "../base/database.ts";
import { type Driver, openDriver } from "../base/load.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { rigSecretBox } from "../base/service.ts";
import { breakIn, openPgbench, type Pgbench } from "./database.ts";
import {
  type CreditRig,
  compareBooks,
  connections,
  creditBesideLocked,
  creditFlatOut,
  creditSteadily,
  providerName,
  withoutCosts,
} from "./funding-credits.ts";
import { openLiveShop } from "./live.ts";
import { describeMachine } from "./machine.ts";
import { measure, measureTpcb, type Part } from "./measure.ts";
import { openProvider, type Provider } from "./open-provider.ts";
import { openSheet, progress, type ReportOptions, report, type Sample } from "./report.ts";

export interface FundingOptions extends ReportOptions {
  readonly seconds: number;
  readonly rounds: number;
  /** Of a phase that is flat out. */
  readonly transfers: number;
}

interface FundingRig extends CreditRig {
  readonly pgbench: Pgbench | null;
  /** Sends purchases beside what `driver` sends. */
  readonly buyersDriver: Driver;
  readonly purchaseFrames: (prefix: string) => Part["frames"];
}

const purchases = { connections: 32, perSecond: 300 };
const supplierMs = 20;

const phases = {
  steady: "callbacks, half rate",
  flatOut: "flat out",
  purchases: "purchases",
  steadyBeside: "callbacks, purchases beside",
  purchasesBeside: "purchases, callbacks beside",
  flatOutBeside: "flat out, purchases beside",
  locked: "callbacks, a wallet locked",
} as const;

/** From a provider's callback to the credit, alone, beside purchases of the same wallets, and beside a wallet that is locked. */
export async function benchFunding(options: FundingOptions): Promise<void> {
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const provider = await openProvider();
    undo.push(provider.close);
    const shop = await openLiveShop({ folder, undo, progress }, [provider.url]);
    const { database } = shop;
    const machine = await describeMachine(folder, database);
    await fetch(`${shop.supplier.url}/delay/${supplierMs}`);
    const buyersDriver = openDriver();
    undo.push(buyersDriver.close);
    const accounts = await openAccounts(database, provider, shop.buyers);
    progress("loading pgbench's tables\n");
    const pgbench = await openPgbench(database, shop.service.connectionString);
    await breakIn(database);
    const rig: FundingRig = {
      ...{ ...shop, sheet, seconds: options.seconds, provider, pgbench, buyersDriver },
      helpers: [...shop.helpers, { ...provider, port: 0, stop: provider.close }],
      purchaseFrames: (prefix) => shop.framesOf("live", prefix),
      ...accounts,
    };
    progress("warming up\n");
    const warm = await creditFlatOut(rig, options.transfers);
    const rate = Math.max(1, Math.floor((warm.perSecond ?? 0) / 2));
    for (let round = 1; round <= options.rounds; round++) await measureRound(rig, { ...options, rate, round });
    await pgbench?.drop();
    const credited = await compareBooks(rig);
    sheet.complaints.push(...(await brokenInvariants(database)));
    const { steady, flatOut, steadyBeside, purchasesBeside, flatOutBeside, locked } = phases;
    const bounds = [
      { what: "callbacks' p99 ms", measured: sheet.figure(steady, "p99Ms"), atMost: 50 },
      { what: "credits ÷ tpcb-like", measured: sheet.ratio("perSecond", flatOut, "tpcb"), atLeast: 1 },
      { what: "… purchases beside", measured: sheet.ratio("perSecond", flatOutBeside, "tpcb"), atLeast: 1 },
      { what: "… callbacks' p99 ms", measured: sheet.figure(steadyBeside, "p99Ms"), atMost: 50 },
      {
        what: "purchases' p99 ÷ alone",
        measured: sheet.ratio("p99Ms", purchasesBeside, phases.purchases),
        atMost: 2,
      },
      { what: "a wallet locked: others' p99", measured: sheet.ratio("creditedP99Ms", locked, steady), atMost: 2 },
    ];
    const notes = [
      `Phases of ${options.seconds} s; half rate: ${rate} callbacks a second; flat out: ${options.transfers} transfers by ` +
        `${connections} connections, until the last is credited; ${purchases.perSecond} live purchases a second.`,
      "credited p99: from the callback to the credit. announced s: from the last credit to the last event and email.",
      `${credited} transfers, each credited once by the provider's own books; every invariant holds.`,
    ];
    return { benchmark: "funding", machine, notes, bounds };
  });
  report(sheet, reported, options);
}

/** Enters the provider as an operator does, with an account of each merchant: the service asks for four a second. */
async function openAccounts(database: Database, provider: Provider, buyers: readonly { readonly id: MerchantId }[]) {
  const accounts = await provider.open(buyers.map(({ id }) => formatMerchantId(id)));
  const entered = { name: providerName, connector: "paystack", ...(await provider.settings()) };
  await putPaymentProvider({ database, secretBox: rigSecretBox }, { ...entered, feeBearer: "company" });
  const accountNumbers = accounts.map(({ accountNumber }) => accountNumber);
  const [ids, holders] = [buyers.map(({ id }) => id), accounts.map(({ holder }) => holder)];
  await database.query(insertAccounts, [providerName, arrayOf(ids), arrayOf(accountNumbers), arrayOf(holders)]);
  const [id, accountNumber] = [ids[0], accountNumbers[0]];
  if (id === undefined || accountNumber === undefined) throw new Error("there is no merchant");
  return { accountNumbers, locked: { id, accountNumber } };
}

// Also what the service has requested meanwhile.
const insertAccounts = statement(
  "insert_bench_accounts",
  `insert into funding_accounts (
     provider, merchant_id, state, account_number, bank_name, account_name, account_reference
   )
   select $1, i.merchant_id, 'active', i.account_number, 'Wema', 'Bench', i.holder
     from unnest($2::integer[], $3::text[], $4::text[]) as i (merchant_id, account_number, holder)
       on conflict (provider, merchant_id) do update
          set state = 'active',
              account_number = excluded.account_number,
              bank_name = excluded.bank_name,
              account_name = excluded.account_name,
              account_reference = excluded.account_reference`,
);

async function measureRound(
  rig: FundingRig,
  { transfers, rate, round }: FundingOptions & { readonly rate: number; readonly round: number },
): Promise<void> {
  const { sheet } = rig;
  const buy = async (prefix: string): Promise<Sample> => {
    const part = { ...purchases, prefix: `${prefix}${round}-`, frames: rig.purchaseFrames(`${prefix}${round}-`) };
    return withoutCosts((await measure({ ...rig, driver: rig.buyersDriver }, part)).sample);
  };
  progress(`round ${round}\n`);
  await sheet.step("tpcb", () => measureTpcb(rig, rig.pgbench));
  await sheet.step(phases.steady, () => creditSteadily(rig, rate));
  await sheet.step(phases.flatOut, () => creditFlatOut(rig, transfers));
  await sheet.step(phases.purchases, () => buy("alone-"));
  // Both at a time, and each a line of its own.
  const besides = [creditSteadily(rig, rate), buy("beside-")] as const;
  await Promise.all(besides);
  await sheet.step(phases.steadyBeside, async () => withoutCosts(await besides[0]));
  await sheet.step(phases.purchasesBeside, () => besides[1]);
  await sheet.step(phases.flatOutBeside, async () => {
    const buying = buy("flat-out-");
    const sample = withoutCosts(await creditFlatOut(rig, transfers));
    await buying;
    return sample;
  });
  await sheet.step(phases.locked, () => creditBesideLocked(rig, rate));
}
