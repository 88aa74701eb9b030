import { setTimeout as delay } from "node:timers/promises";
import { creditWallet } from "../../../src/domain/wallet/wallet.ts";
import { formatNaira, type Kobo, kobo } from "../../../src/kernel/money.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import { inScratchFolder, type Undo } from "../../base/scratch-folder.ts";
import { type Answers, openAnswers } from "../answers.ts";
import { type Chance, openChance } from "../chance.ts";
import { type Ground, openGround } from "../ground.ts";
import { type Merchant, openMerchants } from "../merchants.ts";
import { openOrderBook } from "../order-book.ts";
import { letAllEnd } from "../quiet.ts";
import { type Report, shopLines, waitAloud, words } from "../report.ts";
import { openShop, type Shop } from "../shop.ts";
import { openStorm, type Round, type Storm } from "../storm.ts";
import type { StruckStatements } from "../strikes.ts";
import { stormWares } from "../suppliers/wares.ts";
import { keepWhereBroken, reportOpen, type TortureOptions } from "../torture.ts";
import { judge } from "../verdict.ts";
import { type Bank, enterBanks, openBanks } from "./banks.ts";
import { beDifficult, beWell } from "./conduct.ts";
import { letPaymentsEnd, readLists } from "./quiet.ts";
import { openSenders, type Senders } from "./senders.ts";
import { type FundingVerdict, judgeFunding } from "./verdict.ts";

const round: Round = {
  "kill a process": 3,
  "kill an API in the middle of a statement": 3,
  "kill a worker in the middle of a statement": 3,
  "stop an API past its lease": 2,
  "stop a worker past its lease": 1,
  "end its backends": 2,
  "cut a statement of an API": 2,
  "cut a statement of a worker": 2,
  "stop the database at once": 2,
};

const statements: StruckStatements = {
  any: {
    api: ["insert_received_payments", "book_payments", "book_payments", "take_back_payment", "accept_purchases"],
    worker: [
      "claim_due_payments",
      "book_payments",
      "take_back_payment",
      "insert_listed",
      "delete_payment_announcements",
    ],
  },
  leased: {
    api: ["book_payments", "book_payments", "take_back_payment"],
    worker: ["book_payments", "take_back_payment", "update_payment_due"],
  },
};

const merchantCounts = { rich: 6, short: 34 };
/** The wallets that are credited are bought from meanwhile, as many times for each transfer. */
const purchasesEach = 0.25;
const linesMax = 6;
const listsEveryMs = 7_000;
const spendEveryMs = 400;

/** Everybody who acts in a run. */
interface Cast {
  readonly ground: Ground;
  readonly banks: readonly Bank[];
  readonly merchants: readonly Merchant[];
  readonly answers: Answers;
  readonly shop: Shop;
  readonly senders: Senders;
  readonly storm: Storm;
  readonly bystanders: Bystanders;
}

/** One run of money coming in: transfers and troubles, quiet, verdict. */
export function tortureFunding(options: TortureOptions): Promise<Report> {
  return inScratchFolder(async (folder, undo) => {
    const { seed, seconds, report, quietSecondsMax } = options;
    const cast = await openCast(options, folder, undo);
    const { ground, senders, shop, merchants, answers } = cast;
    const { database } = ground.postgres;
    await waitAloud(seconds, () => standingOf(cast));
    report("the storm is over: everything runs again, every provider is well, and all is let end");
    await calm(cast);
    const quietAt = performance.now();
    const given = { invented: senders.invented, since: Date.now(), secondsMax: quietSecondsMax };
    const open = await letPaymentsEnd(database, given);
    await letAllEnd(ground, quietSecondsMax, (each, passed) => reportOpen(report, each, passed));
    const quietSeconds = (performance.now() - quietAt) / 1_000;
    report("comparing the books");
    const { sent, invented, counts } = senders;
    const { sinkBook } = ground;
    const verdict = await judgeFunding({ database, sent, invented, counts, merchants, sinkBook, open });
    const { purchases, ...judged } = await judge({ ground, merchants, answers });
    const checks = [...verdict.checks, ...judged.checks];
    await keepWhereBroken(folder, `torture-funding-${seed}`, { ...options, checks });
    const ofShop = shopLines(shop.counts, { stored: purchases, acknowledged: answers.count() });
    return { seed, checks, lines: [...linesOf(cast, verdict, { seconds, quietSeconds }), ...ofShop] };
  });
}

async function openCast(options: TortureOptions, folder: string, undo: Undo): Promise<Cast> {
  const { seed, requestsPerSecond, report, source, pauseMs, seconds } = options;
  const banks = await openBanks(undo);
  report(
    `starting PostgreSQL, two suppliers, a sink, two APIs and two workers, beside ${banks.map(({ name }) => name)}`,
  );
  const ground = await openGround({ folder, undo, seed, source, origins: banks.map(({ stub }) => stub.url) });
  const { database } = ground.postgres;
  const merchants = await openMerchants(ground, merchantCounts);
  await enterBanks(database, banks, merchants);
  await delay(1_500); // every process knows within a second
  const answers = openAnswers();
  const orders = openOrderBook(openChance(seed, "orders"), merchants, { wares: stormWares, linesMax });
  const shop = openShop({
    ground,
    merchants,
    answers,
    seed,
    requestsPerSecond: requestsPerSecond * purchasesEach,
    orders,
  });
  undo.push(() => shop.stop());
  beDifficult(banks, openChance(seed, "providers"));
  const { apis } = ground;
  const senders = openSenders({ banks, merchants, apis, seed, transfersPerSecond: requestsPerSecond });
  undo.push(() => senders.stop());
  const bystanders = openBystanders(database, merchants, openChance(seed, "spending"));
  undo.push(() => bystanders.stop());
  const storm = openStorm({ ground, seed, isLong: seconds >= 600, pauseMs, round, statements });
  undo.push(() => storm.stop());
  return { ground, banks, merchants, answers, shop, senders, storm, bystanders };
}

interface Bystanders {
  readonly counts: { spent: number };
  stop(): Promise<void>;
}

const findBalance = {
  name: "find_torture_balance",
  text: "select balance from wallets where wallet_id = $1 for update",
};

/** Wallets are emptied now and then, so that what is taken back becomes a debt; and lists are read sooner. */
function openBystanders(database: Database, merchants: readonly Merchant[], chance: Chance): Bystanders {
  const counts = { spent: 0 };
  const short = merchants.filter(({ isShort }) => isShort);
  let isOpen = true;

  async function spend(): Promise<void> {
    while (isOpen) {
      await delay(spendEveryMs);
      // PostgreSQL may be away, or a purchase have been quicker.
      await empty(database, chance.pick(short)).then(
        () => {
          counts.spent += 1;
        },
        () => {},
      );
    }
  }

  async function list(): Promise<void> {
    while (isOpen) {
      await delay(listsEveryMs);
      await readLists(database, Date.now());
    }
  }

  const working = Promise.all([spend(), list()]);
  return {
    counts,
    async stop() {
      isOpen = false;
      await working;
    },
  };
}

/** As an operator corrects a wallet. */
function empty(database: Database, { id }: Merchant): Promise<void> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ balance: Kobo }>(findBalance, [id]);
    if (row === undefined || row.balance === 0n) return;
    const wallet = { merchantId: id, mode: "live" } as const;
    await creditWallet(tx, { wallet, amount: kobo(-row.balance), kind: "adjustment", reason: "torture" });
  });
}

/** Everything runs, every provider is well, and nobody sends or buys. */
async function calm({ storm, banks, senders, shop, bystanders }: Cast): Promise<void> {
  await storm.stop();
  beWell(banks);
  await senders.stop();
  await shop.stop();
  await bystanders.stop();
}

function standingOf({ senders, storm, answers, banks }: Cast): readonly string[] {
  const { kills, databaseStops, cuts, processStops } = storm.figures;
  const { transfers, takenBack } = senders.counts;
  const questions = banks.reduce((sum, { stub }) => sum + stub.requests.length, 0);
  return [
    `${transfers} transfers`,
    `${takenBack} taken back`,
    `${questions} questions to providers`,
    `${kills} kills`,
    `${databaseStops} database stops`,
    `${processStops} SIGSTOPs`,
    `${cuts} cuts`,
    `${answers.violations.length} violations`,
  ];
}

function linesOf(
  { senders, storm, banks, bystanders }: Cast,
  { byState, credited, takenBack, debts }: FundingVerdict,
  { seconds, quietSeconds }: { readonly seconds: number; readonly quietSeconds: number },
): Report["lines"] {
  const { counts, sent, invented } = senders;
  const { kills, databaseStops, backendsEnded, cuts, processStops } = storm.figures;
  const of = ({ name }: Bank) => sent.filter(({ bank }) => bank.name === name).length;
  return [
    ["transfers", `${sent.length}, ${Math.round(sent.length / seconds)} a second; ${words(byState)}`],
    ["of providers", banks.map((bank) => `${bank.name}: ${of(bank)}`).join(", ")],
    ["credited", `₦${formatNaira(credited)}; taken back ₦${formatNaira(takenBack)}, still owed ₦${formatNaira(debts)}`],
    ["taken back", `${counts.takenBack} transfers; wallets emptied ${bystanders.counts.spent} times`],
    [
      "events",
      `${counts.received} received, ${counts.unreceived} not; ${counts.forged} forged, ${invented.length} invented`,
    ],
    ["kills", `${kills}; database stops ${databaseStops}, SIGSTOPs ${processStops}`],
    ["cuts", `${cuts}, and ${backendsEnded} backends ended`],
    ["quiet after", `${Math.round(quietSeconds)} s`],
  ];
}
