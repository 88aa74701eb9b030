import type { VendRequest } from "../../../src/categories/supplier-request.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import { buildHttp } from "../../../src/main/build-http.ts";
import { buildServices } from "../../../src/main/services/services.ts";
import { type OpenDatabase, openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import type { Connector, VendOutcome } from "../../../src/providers/contract.ts";
import { connectorsAtHand } from "../fake-supplier.ts";
import { testWebhooks } from "../webhooks.ts";
import type { Leave, Question, Reply, Reported, Tap } from "./taps.ts";

// The real service as a process of its own, for crash tests to start, stop and kill. Its supplier is the test, at the
// other end of the channel; at every tap it says where it is and waits for the word. CRASH_LOG=info lets it log.

const [connectionString = "", role = ""] = process.argv.slice(2);

let stoppedMs = 0;
let number = 0;
const waiting = new Map<number, (reply: Reply) => void>();

process.on("message", (reply: Reply) => {
  waiting.get(reply.number)?.(reply);
  waiting.delete(reply.number);
});
process.on("disconnect", () => process.exit());

function report(found: Reported): void {
  process.send?.(found);
}

function ask<Kind extends Reply["kind"]>(found: (number: number) => Reported): Promise<Extract<Reply, { kind: Kind }>> {
  number += 1;
  report(found(number));
  return new Promise((resolve) => waiting.set(number, resolve as (reply: Reply) => void));
}

async function reach(tap: Tap): Promise<Leave> {
  if (role !== "tapped") return {};
  const { leave } = await ask<"go">((at) => ({ kind: "reached", number: at, tap }));
  stoppedMs += leave.stoppedMs ?? 0;
  return leave;
}

async function askSupplier(kind: Question["kind"], request: VendRequest): Promise<VendOutcome> {
  const question = { kind, supplierReference: request.supplierReference, phone: request.phone ?? "" };
  const { outcome } = await ask<"outcome">((at) => ({ kind: "asked", number: at, question }));
  return outcome;
}

const supplier = (name: string): Connector => ({
  name,
  async vend(request) {
    await reach("request about to leave");
    return askSupplier("vend", request);
  },
  requery: (request) => askSupplier("requery", request),
});

/** Putting a purchase off stands where C2 stands when the supplier's answer is unknown. */
const commits: Readonly<Record<string, "C1" | "C2" | "reroute">> = {
  accept_purchases: "C1",
  settle_purchases: "C2",
  reroute_purchases: "reroute",
  update_inflight_due: "C2",
};

function tapped(database: OpenDatabase): OpenDatabase {
  return {
    ...database,
    async query<Row>(...call: Parameters<OpenDatabase["query"]>): Promise<Row[]> {
      const commit = commits[call[0].name];
      if (commit === undefined) return database.query<Row>(...call);
      await reach(`${commit} about to be sent`);
      const rows = await database.query<Row>(...call);
      const { lost } = await reach(`${commit} answered`);
      if (lost === true) throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
      return rows;
    },
  };
}

const services = await buildServices({
  connectionString,
  connectionsMax: 10,
  clock: { now: () => Date.now() + stoppedMs },
  wallTime: wallTime("Africa/Lagos"),
  log: openLog({ level: process.env.CRASH_LOG ?? "silent" }),
  rateLimitPerMinute: 1_000_000,
  bulkLimits: { lines: 1_000_000_000, bytes: 1_000_000_000 },
  sandboxPendingSeconds: 20,
  trustedProxies: [],
  openConnector: connectorsAtHand(["remembering", "spare"].map(supplier)),
  webhooks: testWebhooks,
  workerPollMs: 20,
  connect: (options) => tapped(openDatabase(openPool(options))),
});
if (role === "worker") services.startWorkers();
const kept = {
  ...services,
  async buy(command: Parameters<typeof services.buy>[0]) {
    const bought = await services.buy(command);
    await reach("answer about to leave");
    return bought;
  },
};
const app = await buildHttp(kept);
report({ kind: "listening", url: await app.listen({ port: 0, host: "127.0.0.1" }) });
