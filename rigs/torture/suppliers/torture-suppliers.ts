import { setTimeout as delay } from "node:timers/promises";
import { quietMs } from "../../../src/providers/http-connector.ts";
import { inScratchFolder, type Undo } from "../../base/scratch-folder.ts";
import { type Answers, openAnswers } from "../answers.ts";
import { openChance } from "../chance.ts";
import { type Ground, openDeployment } from "../ground.ts";
import { type Merchant, openMerchants } from "../merchants.ts";
import { type OrderBook, openOrderBook } from "../order-book.ts";
import { letAllEnd, type Open, trySilence } from "../quiet.ts";
import { type Report, shopLines, waitAloud, words } from "../report.ts";
import { openShop, type Shop } from "../shop.ts";
import { openStorm, type Round, type Storm } from "../storm.ts";
import { keepWhereBroken, reportOpen, type TortureOptions } from "../torture.ts";
import type { Check } from "../verdict.ts";
import { type Callbacks, openCallbacks } from "./callbacks.ts";
import { type Conductor, openConductor } from "./conductor.ts";
import { enterStands, fillShelves, orderOf, prefer, suppliersByCategory } from "./enter.ts";
import { type Operator, openOperator } from "./operator.ts";
import { settleReversals } from "./reversals.ts";
import { codesOf, openStands, type Stand } from "./stands.ts";
import { judgeSuppliers, type SupplierVerdict } from "./verdict.ts";
import { wares } from "./wares.ts";

/** Struck besides the suppliers, which are what this is about. */
const round: Round = {
  "kill a process": 3,
  "kill an API in the middle of a statement": 2,
  "kill a worker in the middle of a statement": 2,
  "end its backends": 2,
  "cut a statement of an API": 1,
  "cut a statement of a worker": 1,
  "stop the database at once": 1,
};

const merchantCounts = { rich: 36, short: 4 };
const firstPieces = 100;
/** The most lines of a bulk order. */
const linesMax = 6;
/** In a long run so long that a breaker opens and closes again; in a short one so short that every supplier has its turn. */
const turnMsIn = (seconds: number) => (seconds >= 600 ? 12_000 : 4_000);
/** The longest that a vend takes (providers/router.ts): after it, nobody sends anything any more. */
const vendOverMs = 32_000;

/** Everybody who acts in a run. */
interface Cast {
  readonly ground: Ground;
  readonly stands: readonly Stand[];
  readonly merchants: readonly Merchant[];
  readonly answers: Answers;
  readonly book: OrderBook;
  readonly callbacks: Callbacks;
  readonly operator: Operator;
  readonly shop: Shop;
  readonly conductor: Conductor;
  readonly storm: Storm;
}

/** One run with suppliers of every connector: sales and troubles, quiet, verdict. */
export function tortureSuppliers(options: TortureOptions): Promise<Report> {
  return inScratchFolder(async (folder, undo) => {
    const { seed, seconds, report } = options;
    const cast = await openCast(options, folder, undo);
    await waitAloud(seconds, () => standingOf(cast));
    report("the storm is over: everything runs again, every supplier is well, and all is let end");
    await calm(cast);
    const silences: Check[] = [];
    for (const stand of cast.stands) silences.push(await beSilent(cast, stand));
    const quietSeconds = await letBeQuiet(cast, options);
    report("comparing the books");
    const verdict = await judgeSuppliers(cast);
    const checks = [...verdict.checks, ...silences];
    await keepWhereBroken(folder, `torture-suppliers-${seed}`, { ...options, checks });
    return { seed, checks, lines: linesOf(cast, verdict, quietSeconds) };
  });
}

function linesOf(cast: Cast, verdict: SupplierVerdict, quietSeconds: number): Report["lines"] {
  const { shop, answers, storm, conductor, operator, callbacks, stands } = cast;
  const { kills, databaseStops, backendsEnded, cuts } = storm.figures;
  const suppliersOf = suppliersByCategory(stands);
  const { vended, declined } = operator.counts;
  return [
    ...shopLines(shop.counts, { stored: verdict.purchases, acknowledged: answers.count() }),
    ...[...verdict.byCategory].sort().map(([category, ends]) => {
      return [`  ${category}`, `${words(ends)}; sold through ${suppliersOf.get(category)?.join(", ")}`] as const;
    }),
    ["went out", words(Object.fromEntries(verdict.bySupplier))],
    ["suppliers", `${words(conductor.figures.turns)} turns; ${conductor.figures.reversed} purchases taken back`],
    ["callbacks", `${callbacks.counts.received} heard, ${callbacks.counts.unreceived} not`],
    [
      "by hand",
      `${vended} vended, ${declined} declined; never ended by ${words(Object.fromEntries(operator.leftOpen)) || "nobody"}`,
    ],
    ["incidents", words(Object.fromEntries(verdict.incidents)) || "none"],
    ["kills", `${kills}; database stops ${databaseStops}, backends ended ${backendsEnded}, cuts ${cuts}`],
    ["quiet after", `${Math.round(quietSeconds)} s`],
  ];
}

async function openCast(options: TortureOptions, folder: string, undo: Undo): Promise<Cast> {
  const { seed, seconds, requestsPerSecond, report, source, pauseMs } = options;
  const stands = await openStands(undo);
  report(`starting PostgreSQL, a sink, two APIs and two workers, beside ${stands.map(({ name }) => name).join(", ")}`);
  const origins = stands.map(({ stub }) => stub.url);
  const deployment = await openDeployment({ folder, undo, seed, source }, async () => origins);
  const ground: Ground = { ...deployment, suppliers: [] };
  const { database } = ground.postgres;
  const merchants = await openMerchants(ground, merchantCounts);
  await enterStands(ground, stands);
  await fillShelves(database, 0, firstPieces);
  await delay(1_500); // every process knows within a second
  const answers = openAnswers();
  const book = openOrderBook(openChance(seed, "orders"), merchants, { wares, linesMax });
  const callbacks = openCallbacks(ground.apis, openChance(seed, "callbacks"));
  const operator = await openOperator({ ground, stands, seed, report });
  undo.push(() => operator.stop());
  const shop = openShop({ ground, merchants, answers, seed, requestsPerSecond, orders: book });
  undo.push(() => shop.stop());
  const conductor = openConductor({ database, stands, book, callbacks, seed, turnMs: turnMsIn(seconds) });
  undo.push(() => conductor.stop());
  const storm = openStorm({ ground, seed, isLong: false, pauseMs, round });
  undo.push(() => storm.stop());
  return { ground, stands, merchants, answers, book, callbacks, operator, shop, conductor, storm };
}

function standingOf({ shop, answers, conductor, storm, operator }: Cast): readonly string[] {
  const { kills, backendsEnded, databaseStops } = storm.figures;
  const turns = Object.values(conductor.figures.turns).reduce((sum, times) => sum + times, 0);
  return [
    `${shop.counts.requests} requests`,
    `${answers.count()} purchases acknowledged`,
    `${turns} turns of suppliers`,
    `${kills} kills`,
    `${databaseStops} database stops`,
    `${backendsEnded} backends ended`,
    `${operator.counts.vended + operator.counts.declined} decided by hand`,
    `${answers.violations.length} violations`,
  ];
}

/** Everything runs, every supplier is well, and nobody buys. */
async function calm({ stands, storm, conductor, shop }: Cast): Promise<void> {
  await storm.stop();
  await conductor.stop();
  for (const { stub } of stands) Object.assign(stub, { conduct: null, questions: null });
  await shop.stop();
}

const badGateway = { status: 502, body: "<html>Bad Gateway</html>" };

/** It is first for what it sells, and answers 502 to purchases and questions alike. */
async function beSilent({ ground, stands, answers, book }: Cast, stand: Stand): Promise<Check> {
  const { database } = ground.postgres;
  const others = orderOf(stands).filter((name) => name !== stand.name);
  await prefer(database, stands, [stand.name, ...others]);
  await delay(1_500); // every process knows within a second
  const path = [...codesOf(stand.under).keys()].find(({ verify }) => verify === undefined)?.path ?? "";
  Object.assign(stand.stub, { conduct: () => ({ refused: badGateway }), questions: () => "broken" });
  const where = { database, api: ground.apis[0], answers };
  const check = await trySilence(where, { supplier: stand.name, path, nextOrder: () => book.single() });
  Object.assign(stand.stub, { conduct: null, questions: null });
  return check;
}

/** @returns how many seconds it took */
async function letBeQuiet(cast: Cast, { quietSecondsMax, report }: TortureOptions): Promise<number> {
  const { ground, stands, conductor, callbacks, operator } = cast;
  const quietAt = performance.now();
  await callbacks.idle();
  await delay(vendOverMs);
  while (stands.some(({ stub }) => stub.underWay() > 0)) await delay(200);
  for (const { stub } of stands) for (const { reference } of stub.records.values()) stub.end(reference);
  operator.believeBooks();
  const notReceivedMs = Math.max(quietMs, ...stands.map(({ under }) => under.quietMs ?? 0));
  const reportLook = (open: Open, seconds: number) => reportOpen(report, open, seconds);
  await letAllEnd(ground, quietSecondsMax, reportLook, notReceivedMs / 1_000);
  await settleReversals(ground.postgres.database, callbacks, conductor);
  await operator.stop();
  return (performance.now() - quietAt) / 1_000;
}
