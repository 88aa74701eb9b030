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

/** The wallets' tables lie in a cell of Citus: merchants trade there while it moves, and while the worker that holds it is dead. */
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
    const ownerUrl = cell.urlOf("dispense_owner");
    const environment = {
      DATABASE_URL: cell.urlOf("dispense_service"),
      MIGRATIONS_DATABASE_URL: ownerUrl,
      ...places.environment,
    };
    const shop = await startShop(stage, environment);
    const database = connectTo(ownerUrl);
    stage.after(() => database.close());
    const trade = await openTrade(shop.url, database, places);
    const rows = [head];
    const during = async (what: string, happen: () => Promise<string>) => {
      stage.say(what);
      trade.look();
      shop.events();
      const startedMs = performance.now();
      const seen = await happen();
      const seconds = (performance.now() - startedMs) / 1_000;
      rows.push([what, seconds.toFixed(1), ...wordsOf(trade.look()), list(shop.events()), seen]);
    };
    await during("it trades", () => delay(30_000, cell.contents));
    const failed: string[] = [];
    await during("people of the company use the commands", () =>
      operate(commandsFor(trade), { stage, environment, failed }),
    );
    for (const turn of ["the cell moves", "it moves back"]) await during(turn, cell.move);
    await during(`its worker is dead for ${awaySeconds} s`, () => killHolder(cell, shop, trade));
    await during("it trades afterwards", () => delay(15_000, ""));
    await trade.end();
    const { notes, verdict } = await judge({ nodes, trade, database });
    return { rows, notes, verdict: { ...verdict, brokenInvariants: [...verdict.brokenInvariants, ...failed] } };
  },
};

const head = [
  "what happened",
  "seconds",
  "sold",
  "refunded",
  "longest call in s",
  "seconds without a sale",
  "answers other than expected",
  "warnings and errors",
  "seen",
];

function wordsOf({ sold, refunded, longestMs, pauseSeconds, others }: Seen): string[] {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const longest = Object.entries(longestMs).map(([kind, ms]) => `${kind} ${seconds(ms)}`);
  const answers = Object.entries(others).map(
    ([answer, { count, longestMs: most }]) => `${count} × ${answer} (within ${seconds(most)} s)`,
  );
  return [
    String(sold),
    String(refunded),
    longest.join(", "),
    String(pauseSeconds),
    answers.length === 0 ? "none" : answers.join(", "),
  ];
}

/** What reads a cell, and what writes both in it and outside. */
function commandsFor({ merchantId }: Trade): readonly (readonly string[])[] {
  const id = String(merchantId);
  const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const span = ["--from", dayFromNow(0), "--to", dayFromNow(1)];
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
    ["webhooks", "recover", id, "--since", dayFromNow(0)],
    ["close-day", dayFromNow(-1)],
  ];
}

/** Commands one after the other, each in a process of its own, so that trade goes on. @returns how long each took */
async function operate(
  commands: readonly (readonly string[])[],
  {
    stage,
    environment,
    failed,
  }: { readonly stage: Stage; readonly environment: Readonly<Record<string, string>>; readonly failed: string[] },
): Promise<string> {
  const took: string[] = [];
  for (const words of commands) {
    const startedMs = performance.now();
    const program = startProgram(["--enable-source-maps", "dist/operator.js", ...words], {
      environment: { ...usualEnvironment, ...environment, DATA_DIR: path.join(stage.folder, "service") },
      errors: "kept",
    });
    const { code, error } = await program.ended;
    took.push(`${words[0]} ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    if (code !== 0) failed.push(`operator ${words.join(" ")} ended with ${code}: ${error.trim().slice(0, 300)}`);
  }
  return took.join(", ");
}

/** Kills the worker that holds the cell, and starts it again. @returns what readiness said meanwhile, and when it traded again */
async function killHolder(cell: Cell, shop: Shop, trade: Trade): Promise<string> {
  const holder = await cell.holder();
  await holder.die();
  const ready = await askAgainAndAgain(`${shop.url}/readyz`, awaySeconds);
  const recovery = await holder.start();
  const before = trade.acknowledged.size;
  const again = await until("it trades again", () => trade.acknowledged.size > before + 20, 120);
  return `${holder.name} died; /readyz meanwhile: ${list(ready)}; it recovered in ${recovery.toFixed(1)} s, and 20 more purchases were answered ${again.toFixed(1)} s later`;
}

/** The statuses that an address answers for so long, each with how often. */
async function askAgainAndAgain(url: string, seconds: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const untilMs = performance.now() + seconds * 1_000;
  while (performance.now() < untilMs) {
    const status = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => String(answer.status),
      () => "no answer",
    );
    found[status] = 1 + (found[status] ?? 0);
    await delay(500);
  }
  return found;
}
