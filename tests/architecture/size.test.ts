import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

// A ratchet: a change may take lines away, and then lowers the number here. To raise one, say beside it what for.
const linesMax: Readonly<Record<string, number>> = {
  "src/categories": 3_230, // whether something is on offer
  "src/cli": 6_128, // staff, closed days, a supplier's statement of ends, named staff, the shadow of a move, a move from an older script
  "src/console": 33_363, // a merchant's console by the new look, cashiers, one box, bulk's check; the company's console with routes, prices, suppliers, vouchers, settings, views, a move that waits, products, billers and rates
  "src/http": 7_471, // amounts of lists, an older script's token
  "src/kernel": 1_186, // a zone's name, amounts in groups, a zone's name; whole numbers, once
  "src/legacy": 3_021, // the shadow of a move, a stop answers validations
  "src/main": 2_752, // the shadow of a move, two-step login, notices, the first operator, alerts
  "src/platform": 6_959, // requests passed on, pasted CSV; an older release beside a newer one; CSV of any spelling, read once for all lists; an older release beside a newer one; CSV of any spelling
  "src/providers": 5_866,
  "src/site": 393, // two accents, the API as the console tries it
  "src/workers": 1_583, // notices, closed days, alerts, a purge, scheduled prices
  "src/domain/alerts": 555, // people on call
  "src/domain/audit": 363, // a team's log, the company's
  "src/domain/bulk-orders": 1_160,
  "src/domain/catalogue": 3_821, // price changes, prices of a move, names of products
  "src/domain/history": 5_690, // figures of today, the one box, sales by person, closed days, money at risk, differences with their ends; figures of today, suppliers' health, why a price, one reading a report
  "src/domain/identity": 3_607, // new places, chosen emails, staff's links
  "src/domain/maintenance": 152, // months of both logs
  "src/domain/members": 2_568, // cashiers, notices, choices, views of the company, what it changes
  "src/domain/merchants": 1_687, // tiers by name, older tokens, and a word for one that isn't there
  "src/domain/moving-in": 1_904, // an older script's export, planned, moved and taken back
  "src/domain/purchases": 3_634, // ends of codes, many ended together; last customers, purchases foreseen
  "src/domain/request-log": 1_193,
  "src/domain/resolution": 3_476, // goodwill, review in the browser, many at once, their plans deleted
  "src/domain/staff": 749, // the company's people, approvals, who still watches, a person by roles
  "src/domain/suppliers": 6_283, // asking and marked files came down from the commands; answer times, kept differences, routes in the browser, imports that wait, margins, rules and files of selling prices, their names without their routes
  "src/domain/wallet": 1_060, // goodwill, recent credits; a repeated credit draws no number, opening balances
  "src/domain/webhooks": 4_547, // notices of failing
  tests: 82_394, // the merchant's console, the company's, routes, every page of it, a company's day, a company's day; the SDKs' receivers, tables, packages, what one thread took, moving in
  rig: 1_208, // trees of two releases
  bench: 2_810, // amounts, the company's pages at ten million sales
  torture: 4_376,
  attacks: 918,
  rehearsals: 1_313, // an operator's bad days
  scripts: 3_556, // functions without a file, pictures of the company's pages, steps beside each other, a made-up export
};

const endings = [".ts", ".tsx", ".mjs", ".css"];

function linesOf(folder: string): number {
  const texts = listFiles([folder], endings).map((file) => readFileSync(join(projectRoot, file), "utf8"));
  return texts.reduce((lines, text) => lines + text.split("\n").length - 1, 0);
}

test.each(Object.entries(linesMax))("%s has at most %i lines", (folder, max) => {
  expect(linesOf(folder)).toBeLessThanOrEqual(max);
});

test("every room has its number, and each number its room", () => {
  const roomsIn = (folder: string) =>
    readdirSync(join(projectRoot, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${folder}/${name}`);
  const rooms = [...roomsIn("src").filter((room) => room !== "src/domain"), ...roomsIn("src/domain")];
  const others = ["tests", "rig", "bench", "torture", "attacks", "rehearsals", "scripts"];
  expect(Object.keys(linesMax).sort()).toEqual([...rooms, ...others].sort());
});
