import { setTimeout as delay } from "node:timers/promises";
import type { StubEvent, StubTransfer } from "../../../tests/support/payments/payment-stub.ts";
import { type Chance, chosenBy, openChance, type Weighed } from "../chance.ts";
import type { Merchant } from "../merchants.ts";
import type { ServiceProcess } from "../service-process.ts";
import type { Bank } from "./banks.ts";

/** How often what was done. */
export interface SenderCounts {
  transfers: number;
  takenBack: number;
  received: number;
  unreceived: number;
  forged: number;
  /** Forged events that were not refused: none may be. */
  readonly believed: string[];
}

/** A transfer that there was, and where its provider has it. */
export interface SentTransfer {
  readonly bank: Bank;
  readonly transfer: StubTransfer;
  /** Null: to nobody's account. */
  readonly merchant: Merchant | null;
}

/** People who send money, and their banks that tell of it. */
export interface Senders {
  readonly counts: SenderCounts;
  readonly sent: readonly SentTransfer[];
  /** Ids that genuine events named, and no provider has. */
  readonly invented: readonly string[];
  /** Begins nothing new; resolves when all that was begun was told, or given up. */
  stop(): Promise<void>;
}

interface SendersOptions {
  readonly banks: readonly Bank[];
  readonly merchants: readonly Merchant[];
  readonly apis: readonly ServiceProcess[];
  readonly seed: number;
  readonly transfersPerSecond: number;
}

/** What becomes of the word that a transfer arrived. */
type Manner = "once" | "twice at once" | "again and again" | "late" | "lost" | "untrue" | "before it is paid";

const manners: readonly Weighed<Manner>[] = [
  { weight: 55, value: "once" },
  { weight: 12, value: "twice at once" },
  { weight: 8, value: "again and again" },
  { weight: 5, value: "late" },
  { weight: 8, value: "lost" },
  { weight: 7, value: "untrue" },
  { weight: 5, value: "before it is paid" },
];

type Kind = "paid" | "nobody's" | "failed" | "dollars";

const kinds: readonly Weighed<Kind>[] = [
  { weight: 93, value: "paid" },
  { weight: 3, value: "nobody's" },
  { weight: 2, value: "failed" },
  { weight: 2, value: "dollars" },
];

const takenBackShare = 0.07;
const wholeShare = 0.5;
const forgedShare = 0.04;
const inventedShare = 0.01;
/** A third of all transfers are to so many merchants: their wallets are what processes meet at. */
const busyMerchants = 5;
const busyShare = 0.33;
const patienceMs = 5_000;
/** After so many tries a provider gives up announcing of a transfer, and its list alone has it. */
const triesMax = 3;
/** What goes back is told until somebody has heard it: no list tells of it. */
const takenBackTriesMax = 100;
const againMs = 1_500;

/** Begins at once, at an even pace. */
export function openSenders(options: SendersOptions): Senders {
  const { seed, transfersPerSecond } = options;
  const chance = openChance(seed, "transfers");
  const way = openChance(seed, "ways of events");
  const counts: SenderCounts = { transfers: 0, takenBack: 0, received: 0, unreceived: 0, forged: 0, believed: [] };
  const sent: SentTransfer[] = [];
  const invented: string[] = [];
  const underWay = new Set<Promise<void>>();
  const counter: Counter = { ...options, chance, way, counts, sent, invented };
  let isOpen = true;

  async function send(): Promise<void> {
    const startedAt = performance.now();
    while (isOpen) {
      const due = ((performance.now() - startedAt) / 1_000) * transfersPerSecond;
      while (counts.transfers < due) {
        counts.transfers += 1;
        const work = sendOne(counter).finally(() => underWay.delete(work));
        underWay.add(work);
      }
      await delay(10);
    }
  }

  const sending = send();
  let stopped: Promise<void> | undefined;
  return {
    counts,
    sent,
    invented,
    stop() {
      isOpen = false;
      stopped ??= sending.then(async () => void (await Promise.all(underWay)));
      return stopped;
    },
  };
}

interface Counter extends Omit<SendersOptions, "seed" | "transfersPerSecond"> {
  /** Decides what is sent, and what becomes of it. */
  readonly chance: Chance;
  /** Decides everything else. */
  readonly way: Chance;
  readonly counts: SenderCounts;
  readonly sent: SentTransfer[];
  readonly invented: string[];
}

/** One transfer, from its sender to the last word that its provider says of it. All is drawn before anything waits. */
async function sendOne(counter: Counter): Promise<void> {
  const { banks, chance } = counter;
  const bank = chance.pick(banks);
  const kind = chosenBy(kinds, chance.next());
  const manner = chosenBy(manners, chance.next());
  const plan = drawPlan(chance);
  const forged = chance.next() < forgedShare;
  const others = chance.next() < inventedShare;
  const transfer = arrive(counter, bank, kind);
  if (manner === "before it is paid" && transfer.status === "paid") transfer.status = "pending";
  const announcing = announce(counter, { bank, transfer, manner, waits: plan.waits });
  const besides = [
    ...(plan.isTakenBack && kind !== "failed" ? [sendBack(counter, { bank, transfer, plan })] : []),
    ...(forged ? [forge(counter, bank, transfer)] : []),
    ...(others ? [invent(counter, bank)] : []),
  ];
  await Promise.all([announcing, ...besides]);
}

interface Plan {
  readonly waits: readonly number[];
  readonly isTakenBack: boolean;
  readonly isWhole: boolean;
  readonly afterMs: number;
  readonly parts: number;
}

function drawPlan(chance: Chance): Plan {
  return {
    waits: [chance.whole(0, 400), chance.whole(500, 8_000), chance.whole(5_000, 20_000)],
    isTakenBack: chance.next() < takenBackShare,
    isWhole: chance.next() < wholeShare,
    afterMs: chance.whole(200, 15_000),
    parts: chance.whole(1, 2),
  };
}

/** The money arrives at its provider: at a merchant's account, or at nobody's. */
function arrive({ chance, merchants, sent }: Counter, bank: Bank, kind: Kind): StubTransfer {
  const busy = chance.next() < busyShare;
  const merchant = busy ? chance.pick(merchants.slice(0, busyMerchants)) : chance.pick(merchants);
  const amount = BigInt(chance.whole(100_00, 20_000_00));
  const fee = BigInt(chance.whole(0, 50_00));
  const account = bank.accounts.get(merchant.id);
  const number = kind === "nobody's" || account === undefined ? "9100000000" : account.accountNumber;
  const given = { fee, ...(kind === "failed" ? { status: "failed" as const } : {}) };
  const currency = kind === "dollars" ? { currency: "USD" } : {};
  const transfer = bank.stub.pay(number, amount, { ...given, ...currency });
  sent.push({ bank, transfer, merchant: kind === "nobody's" ? null : merchant });
  return transfer;
}

/** Its events, of which the books alone decide what is true. */
async function announce(
  counter: Counter,
  {
    bank,
    transfer,
    manner,
    waits,
  }: {
    readonly bank: Bank;
    readonly transfer: StubTransfer;
    readonly manner: Manner;
    readonly waits: readonly number[];
  },
): Promise<void> {
  const [soon = 0, later = 0, late = 0] = waits;
  const event = (change: Partial<StubTransfer> = {}) => bank.stub.event({ ...transfer, status: "paid", ...change });
  const deliver = (each = event()) => deliverUntilReceived(counter, bank, each, triesMax);
  if (manner === "lost") return;
  await delay(manner === "late" ? late : soon);
  if (manner === "twice at once") await Promise.all([deliver(), deliver()]);
  else if (manner === "untrue") await deliver(event({ amount: transfer.amount * 10n, currency: "NGN" }));
  else await deliver();
  if (manner === "again and again") {
    await delay(later);
    await Promise.all([deliver(), deliver(event({ amount: 1_00n, fee: 0n }))]);
  }
  if (manner === "before it is paid") {
    await delay(later);
    // Of what it said to be under way, some never comes.
    if (transfer.status === "pending") transfer.status = later % 5 === 0 ? "failed" : "paid";
    if (later % 2 === 0) await deliver();
  }
}

/** Its provider gives it back, in one or two parts, before or after we have heard of it. */
async function sendBack(
  counter: Counter,
  { bank, transfer, plan }: { readonly bank: Bank; readonly transfer: StubTransfer; readonly plan: Plan },
): Promise<void> {
  const { isWhole, parts, afterMs } = plan;
  const total = isWhole ? transfer.amount : transfer.amount / 3n;
  for (let part = 1; part <= parts; part++) {
    await delay(afterMs);
    // It can only give back what has arrived.
    if (transfer.status !== "paid") return;
    transfer.takenBack = part === parts ? total : total / 2n;
    if (part === 1) counter.counts.takenBack += 1;
    await deliverUntilReceived(counter, bank, bank.stub.event(transfer, "taken_back"), takenBackTriesMax);
  }
}

async function forge(counter: Counter, bank: Bank, transfer: StubTransfer): Promise<void> {
  const { way, counts, apis } = counter;
  const untrue = bank.stub.event({ ...transfer, status: "paid", amount: transfer.amount * 10n });
  const event = way.pick(bank.dialect.forge(untrue));
  counts.forged += 1;
  const status = await post(way.pick(apis), bank, event);
  if (status >= 200 && status < 300) counts.believed.push(`${bank.name}: ${transfer.id}`);
}

/** An event as genuine as one of somebody who knows our secret can be, of a transfer that never was. */
async function invent(counter: Counter, bank: Bank): Promise<void> {
  const { invented, merchants, way } = counter;
  const account = bank.accounts.get(way.pick(merchants).id);
  const id = bank.dialect.idOf(900_000 + invented.length);
  invented.push(id);
  const model = [...bank.stub.books.transfers.values()].at(-1);
  if (model === undefined || account === undefined) return;
  const { accountNumber, holder } = account;
  const event = bank.stub.event({ ...model, id, accountNumber, holder, status: "paid", amount: 1_000_000_00n });
  await deliverUntilReceived(counter, bank, event, triesMax);
}

async function deliverUntilReceived(
  { way, counts, apis }: Counter,
  bank: Bank,
  event: StubEvent,
  tries: number,
): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const status = await post(way.pick(apis), bank, event);
    counts[status === 200 ? "received" : "unreceived"] += 1;
    if (status === 200) return;
    await delay(againMs);
  }
}

/** @returns the answer's status; 0 where there was none */
async function post({ url }: ServiceProcess, { name }: Bank, { headers, body }: StubEvent): Promise<number> {
  try {
    const answer = await fetch(`${url}/funding/callbacks/${name}`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
