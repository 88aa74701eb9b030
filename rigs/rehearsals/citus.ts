import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "../../scripts/build.mjs";
import { connectTo } from "../base/database.ts";
import { startProgram } from "../base/program.ts";
import { usualEnvironment } from "../base/service.ts";
import { type Cell, makeCell } from "./citus-cell.ts";
import { citusHindrance, startCitus } from "./citus-nodes.ts";
import { judge } from "./citus-verdict.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { list, type Shop, startShop } from "./sales.ts";
import { type Stage, until } from "./stage.ts";
import { openTrade, openTradePlaces, type Seen, type Trade } from "./trade.ts";

const awaySeconds = 20;

/** The wallets' tables lie in a cell of Citus: it sells, the cell moves while it does, and the worker that holds it dies. */
export const citus: Rehearsal = {
  name: "citus",
  says: `The wallets lie in a cell of Citus: merchants trade while it moves to the other worker and back, and while its worker is dead for ${awaySeconds} seconds.`,
  programs: [],
  hindrance: citusHindrance,
  async perform(stage) {
    await build("operator");
    const nodes = await startCitus(stage);
    stage.say("making the cell");
    const cell = await makeCell(nodes);
    const places = await openTradePlaces(stage);
    const urls = {
      DATABASE_URL: cell.urlOf("dispense_service"),
      MIGRATIONS_DATABASE_URL: cell.urlOf("dispense_owner"),
    };
    const shop = await startShop(stage, { ...urls, ...places.environment });
    const database = connectTo(cell.urlOf("dispense_owner"));
    stage.after(() => database.close());
    const trade = await openTrade(shop.url, database, places);
    const rows = [head];
    const during = async (what: string, happen: () => Promise<string>) => {
      stage.say(what);
      trade.look();
      shop.events();
      const startedMs = performance.now();
      const seen = await happen();
      rows.push(rowOf({ what, seconds: (performance.now() - startedMs) / 1_000, seen }, trade.look(), shop));
      stage.say((rows.at(-1) ?? []).join(" | "));
    };
    await during("it trades", async () => {
      await delay(30_000);
      return `${cell.contents}, at ${(await cell.holder()).name}`;
    });
    for (const command of commandsFor(trade)) {
      await during(`operator ${command.join(" ")}`, () => operate(stage, { ...urls, ...places.environment }, command));
    }
    for (const turn of ["the cell moves", "it moves back"]) {
      await during(turn, async () => {
        await cell.move();
        return `at ${(await cell.holder()).name} now`;
      });
    }
    await during(`its worker is dead for ${awaySeconds} s`, () => killHolder(cell, shop, trade));
    await during("it trades afterwards", async () => {
      await delay(15_000);
      return "";
    });
    await trade.end();
    return { rows, ...(await judge({ nodes, trade, database })) };
  },
};

const head = [
  "what happened",
  "seconds",
  "sold",
  "refunded",
  "longest call in ms: live, sandbox, bulk, lists",
  "seconds without a sale",
  "answers other than expected",
  "warnings and errors",
  "seen",
];

function rowOf(
  { what, seconds, seen }: { readonly what: string; readonly seconds: number; readonly seen: string },
  { sold, refunded, longestMs, pauseSeconds, others }: Seen,
  shop: Shop,
): string[] {
  const longest = Object.values(longestMs).map((ms) => String(Math.round(ms)));
  const words = Object.entries(others).map(([answer, { count, longestMs: most }]) => {
    return `${count} × ${answer} (within ${(most / 1_000).toFixed(1)} s)`;
  });
  return [
    what,
    seconds.toFixed(1),
    String(sold),
    String(refunded),
    longest.join(", "),
    String(pauseSeconds),
    words.length === 0 ? "none" : words.join(", "),
    list(shop.events()),
    seen,
  ];
}

/** What people of the company do beside: what they read of the cell, and what they write both in it and outside. */
function commandsFor({ merchantId }: Trade): readonly (readonly string[])[] {
  const id = String(merchantId);
  const days = { today: dayFromNow(0), tomorrow: dayFromNow(1), yesterday: dayFromNow(-1) };
  const span = ["--from", days.today, "--to", days.tomorrow];
  return [
    ["create-merchant", "--name", "Bola", "--email", "bola@example.com", "--approve"],
    ["credit-wallet", id, "500.00", "--reason", "transfer", "--bank-reference", "REHEARSED-1"],
    ["wallet", id],
    ["transactions", "--merchant", id],
    ["pending"],
    ["review", "list"],
    ["report", ...span, "--per", "supplier,category"],
    ["statement", id, ...span],
    ["float"],
    ["merchants"],
    ["webhooks", "recover", id, "--since", days.today],
    ["close-day", days.yesterday],
  ];
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A command of the operator, in a process of its own, so that trade goes on. @returns what it printed last, or what it failed of */
async function operate(
  stage: Stage,
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<string> {
  const program = startProgram(["--enable-source-maps", "dist/operator.js", ...words], {
    environment: { ...usualEnvironment, ...environment, DATA_DIR: path.join(stage.folder, "service") },
    errors: "kept",
  });
  const { code, error } = await program.ended;
  const lines = program.out().trim().split("\n");
  return code === 0 ? `${lines.length} lines` : `code ${code}: ${(error || program.out()).trim().slice(0, 300)}`;
}

const lookEveryMs = 500;

/** Kills the worker that holds the cell, and starts it again. @returns what readiness and others said meanwhile */
async function killHolder(cell: Cell, shop: Shop, trade: Trade): Promise<string> {
  const holder = await cell.holder();
  await holder.die();
  const ready = await lookFor(awaySeconds, `${shop.url}/readyz`);
  const recovery = await holder.start();
  const before = trade.acknowledged.size;
  const again = await until("it trades again", () => trade.acknowledged.size > before + 20, 120);
  return `${holder.name} died; /readyz meanwhile: ${list(ready)}; it recovered in ${recovery.toFixed(1)} s, and 20 more were sold ${again.toFixed(1)} s later`;
}

/** The statuses that an address answers for so long, each with how often. */
async function lookFor(seconds: number, url: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (let waitedMs = 0; waitedMs < seconds * 1_000; waitedMs += lookEveryMs) {
    const status = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => String(answer.status),
      () => "no answer",
    );
    found[status] = 1 + (found[status] ?? 0);
    await delay(lookEveryMs);
  }
  return found;
}
