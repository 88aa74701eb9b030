import type { Database } from "../../src/platform/database/database.ts";
import { brokenInvariants } from "../base/database.ts";
import { figuresOf } from "../base/webhook-load.ts";
import { carryOut } from "./citus-cell.ts";
import type { CitusNodes } from "./citus-nodes.ts";
import type { Performance } from "./rehearsal.ts";
import { list } from "./sales.ts";
import { until } from "./stage.ts";
import type { Status, Trade } from "./trade.ts";

/** What a process left without an answer is taken up again once its lease is over. */
const quietSecondsMax = 300;

interface Ground {
  readonly nodes: CitusNodes;
  readonly trade: Trade;
  /** As the owner, with the cell in its path. */
  readonly database: Database;
}

interface Open {
  readonly purchases: number;
  readonly deliveries: number;
}

interface End {
  readonly reference: string;
  readonly status: Status;
  readonly isLive: boolean;
}

const countOpen = {
  name: "count_rehearsed_open",
  text: `
    select (select count(*)::int from inflight) as purchases, (select count(*)::int from webhook_outbox) as deliveries`,
};
const listEnds = {
  name: "list_rehearsed_ends",
  text: `
    select p.reference, p.status, p.wallet_id > 0 as "isLive"
      from purchases p
     where p.reference like 'rehearsal-%'`,
};
const countDeliveries = {
  name: "count_rehearsed_deliveries",
  text: "select count(*)::int as count from webhook_deliveries d where d.endpoint_number = 1",
};

/** Waits until all has ended, and compares what merchants, suppliers and the receiver of webhooks know with the books. */
export async function judge(ground: Ground): Promise<Required<Pick<Performance, "notes" | "verdict">>> {
  const { database, trade } = ground;
  const complaints: string[] = [];
  const open = async () => (await database.query<Open>(countOpen))[0];
  const isQuiet = async () => {
    const found = await open();
    return found?.purchases === 0 && found.deliveries === 0;
  };
  const seconds = await until("all has ended", isQuiet, quietSecondsMax).catch(async () => {
    complaints.push(`still open: ${JSON.stringify(await open())}`);
    return quietSecondsMax;
  });
  const ends = new Map((await database.query<End>(listEnds)).map((end) => [end.reference, end]));
  const acknowledged = [...trade.acknowledged];
  const lost = acknowledged.filter(([reference]) => !ends.has(reference)).length;
  const isOtherwise = ([reference, status]: readonly [string, Status]) =>
    status !== "pending" && ends.has(reference) && ends.get(reference)?.status !== status;
  const otherwise = acknowledged.filter(isOtherwise).length;
  if (otherwise > 0) complaints.push(`${otherwise} ended otherwise than they were answered`);
  complaints.push(...(await compareSuppliers(trade, [...ends.values()])));
  const { reported, repeated } = await compareWebhooks(ground, complaints);
  const prepared = await countPrepared(ground.nodes, complaints);
  const brokenOnes = await brokenInvariants(database);
  return {
    notes: [
      `After the last sale all had ended within ${seconds.toFixed(1)} s: ${list(countBy([...ends.values()].map(describe)))}. ` +
        `${reported} webhooks arrived, ${repeated} of them again. Prepared transactions: ${prepared}.`,
    ],
    verdict: { acknowledged: acknowledged.length, lost, brokenInvariants: [...brokenOnes, ...complaints] },
  };
}

function describe({ isLive, status }: End): string {
  return `${isLive ? "live" : "sandbox"} ${status}`;
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = 1 + (counts[word] ?? 0);
  return counts;
}

/** Each supplier was asked to vend each reference once, and vended what we believe it did. */
async function compareSuppliers({ suppliers }: Trade, ends: readonly End[]): Promise<string[]> {
  const requested: string[] = [];
  for (const { url } of suppliers) {
    requested.push(...(await (await fetch(`${url}/log`, { headers: { connection: "close" } })).text()).split("\n"));
  }
  const again = requested.length - new Set(requested).size;
  const vended = requested.filter((line) => line !== "" && !line.endsWith(" declined")).length;
  const sold = ends.filter(({ isLive, status }) => isLive && status === "successful").length;
  return [
    ...(again > 0 ? [`${again} vends were asked for again`] : []),
    ...(vended === sold ? [] : [`${vended} were vended and ${sold} sold`]),
  ];
}

async function compareWebhooks({ trade, database }: Ground, complaints: string[]) {
  const { received = 0, duplicates = 0 } = (await figuresOf(trade.receiver)).groups.hook ?? {};
  const [due] = await database.query<{ count: number }>(countDeliveries);
  const reported = received - duplicates;
  if (reported !== due?.count) complaints.push(`${reported} webhooks arrived of ${due?.count}`);
  return { reported, repeated: duplicates };
}

const countPreparedOnes = "select count(*)::int as count from pg_prepared_xacts";

/** Of commits on two nodes, once Citus has ended those that it finds. */
async function countPrepared({ coordinator, workers }: CitusNodes, complaints: string[]): Promise<string> {
  const all = [coordinator, ...workers];
  const count = async () => {
    let prepared = 0;
    for (const node of all) {
      prepared += (await carryOut<{ count: number }>(node.urlOf("postgres"), [countPreparedOnes]))[0]?.count ?? 0;
    }
    return prepared;
  };
  const before = await count();
  await carryOut(coordinator.urlOf("postgres"), ["select recover_prepared_transactions()"]);
  const left = await count();
  if (left > 0) complaints.push(`${left} transactions are prepared on a node, and nobody ends them`);
  return `${before} before Citus looked for them, ${left} after`;
}
