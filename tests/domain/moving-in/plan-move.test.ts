import { expect, test } from "vitest";
import { madeUpExport } from "../../../scripts/made-up-export/made-up-export.ts";
import { planted } from "../../../scripts/made-up-export/made-up-users.ts";
import type { CatalogueSnapshot } from "../../../src/domain/catalogue/snapshot.ts";
import { readExactly } from "../../../src/domain/moving-in/exact-amount.ts";
import type { ExportTable } from "../../../src/domain/moving-in/export-table.ts";
import { readOlderScript } from "../../../src/domain/moving-in/older-script.ts";
import { type KnownHere, planMove } from "../../../src/domain/moving-in/plan-move.ts";
import { readDump } from "../../../src/domain/moving-in/read-dump.ts";
import { parseTypeTier, tiersOf } from "../../../src/domain/moving-in/tiers.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";

const nothingHere: KnownHere = {
  takenEmails: new Map(),
  takenTokens: new Set(),
  catalogue: { findLegacyPlan: () => null, findProduct: () => null } as unknown as CatalogueSnapshot,
};

function csv(file: string, heading: string, ...lines: string[]): ExportTable {
  const rows = lines.map((line, at) => ({ line: at + 2, row: null, cells: line.split(",") }));
  return { file, name: null, columns: heading.split(","), rows };
}

const token = "0123456789abcdef0123456789abcdef01234567";

function planOf(tables: readonly ExportTable[], known: Partial<KnownHere> = {}, tiers = tiersOf([])) {
  return planMove(readOlderScript(tables), tiers, { ...nothingHere, ...known });
}

test.each([
  ["0", 0n],
  ["0.00", 0n],
  ["-0.00", 0n],
  ["1250", 125_000n],
  ["1250.5", 125_050n],
  ["1,250.50", 125_050n],
  ["1250.5000", 125_050n],
  ["-250.50", "The balance is negative (-250.50): settle it first."],
  ["-0.001", "The balance is negative (-0.001): settle it first."],
  ["1250.4999999999998", "The amount 1250.4999999999998 has more than two decimals: say which kobo it is."],
  ["0.005", "The amount 0.005 has more than two decimals: say which kobo it is."],
  ["1.23457e6", "The amount 1.23457e6 has an exponent: its kobo are lost. Export it as text."],
  ["1E-7", "The amount “1E-7” can't be read."],
  ["12,50", "The amount “12,50” has a decimal comma: export it with a point, without signs between thousands."],
  ["1.234,56", "The amount “1.234,56” has a decimal comma: export it with a point, without signs between thousands."],
  ["ten", "The amount “ten” can't be read."],
])("the amount %s is read to the kobo, or refused in a sentence", (text, expected) => {
  expect(readExactly(text)).toBe(expected);
});

test("a user's balance and token may stand in files of their own, by its number, email or user name", () => {
  const users = csv(
    "users.csv",
    "id,username,email,phone",
    "1,ada,ada@shop.example,08031234567",
    "2,ada2,b@shop.example,",
  );
  const byNumber = csv("tokens.csv", "user_id,key", `2,${token}`);
  const byEmail = csv("wallets.csv", "email,balance", "ADA@shop.example,10.50");
  const { merchants, misfits } = planOf([users, byNumber, byEmail]);
  expect(misfits).toEqual([]);
  expect(merchants).toMatchObject([
    { olderId: "1", email: "ada@shop.example", name: "ada", phone: "08031234567", balance: 1_050n, token: null },
    { olderId: "2", email: "b@shop.example", balance: 0n, token: { first: "0123", last: "4567" } },
  ]);
  expect(
    JSON.stringify(merchants, (_name, value) => (typeof value === "bigint" ? String(value) : value)),
  ).not.toContain(token);
});

test("a number that is another user's name does not mix up whose token it is", () => {
  const users = csv("users.csv", "id,username,email,phone", "1,2,ada@shop.example,", "2,bola,bola@shop.example,");
  const { merchants } = planOf([users, csv("tokens.csv", "user_id,key", `2,${token}`)]);
  expect(merchants.map(({ olderId, token: own }) => [olderId, own !== null])).toEqual([
    ["1", false],
    ["2", true],
  ]);
});

test("whose a balance or a token is, is never guessed: a number or name that two users have leaves it out", () => {
  const numbers = csv("users.csv", "id,email,name", "7,a@x.example,A", "7,b@x.example,B", "8,c@x.example,C");
  const { merchants, misfits } = planOf([numbers, csv("wallets.csv", "user_id,balance", "7,50.00")]);
  expect(merchants.map(({ olderId, balance }) => [olderId, balance])).toEqual([["8", 0n]]);
  expect(misfits.map(({ why }) => why)).toEqual([
    "The user's number is also that of line 3.",
    "The user's number is also that of line 2.",
  ]);
  const names = csv("users.csv", "id,username,email", "1,Ada,a@x.example", "2,ada,b@x.example", "3,ada,c@x.example");
  const named = planOf([names, csv("wallets.csv", "username,balance", "Ada,1.00", "ada,2.00", "ADA,3.00")]);
  expect(named.merchants.map(({ balance }) => balance)).toEqual([100n, 0n, 0n]);
  expect(named.misfits.map(({ place, leavesOut }) => [place.line, leavesOut])).toEqual([
    [3, "balance"],
    [4, "balance"],
  ]);
});

test("dumps of both kinds come to the same merchants and the same sum, to the kobo", () => {
  const files = madeUpExport(300);
  const [django, php] = ["postgres.sql", "mysql.sql"].map((name) => planOf(readDump(name, files[name] ?? "")));
  const emails = (plan: typeof django) => plan?.merchants.map(({ email, balance }) => `${email} ${balance}`);
  expect(emails(django)).toHaveLength(300 - planted.merchantsLeftOut);
  expect(emails(php)).toEqual(emails(django));
  expect([django?.networks, php?.networks]).toEqual([null, "1=MTN,2=AIRTEL,3=GLO,4=9MOBILE"]);
});

test("each fault has its sentence, its file and line, and what is left out", () => {
  const users = csv(
    "users.csv",
    "id,name,email,phone,balance,token,user_type",
    "1,Ada,ada@shop.example,,5.00,short,",
    `2,Bola,taken@shop.example,,5.00,${token},`,
    `3,Chidi,chidi@shop.example,0803,5.00,${token}x,Gold`,
    `4,Danjuma,d@shop.example,0803,5.00,${token}y,`,
    `5,Efe,d@shop.example,,5.00,${token}z,`,
    "6,Fatima,f@shop.example,,5.00,,",
    "7,Gozie,g@shop.example,,5.00,ds_live_0123456789abcdef0123,",
  );
  const wallets = csv("wallets.csv", "user_id,balance", "1,6.00", "99,1.00");
  const { merchants, misfits } = planOf([users, wallets], {
    takenEmails: new Map([["taken@shop.example", 17 as MerchantId]]),
  });
  expect(
    misfits.map(({ place, about, why, leavesOut }) => [`${place.file}:${place.line}`, about, why, leavesOut]),
  ).toEqual([
    ["users.csv:3", "taken@shop.example", "The email is that of mer_17, a merchant here already.", "merchant"],
    ["users.csv:4", "chidi@shop.example", "The type “Gold” has no tier: give it one by --tier.", "merchant"],
    [
      ...["users.csv:5", "d@shop.example"],
      "The email is also that of line 6: nobody knows which user is the merchant.",
      "merchant",
    ],
    [
      ...["users.csv:6", "d@shop.example"],
      "The email is also that of line 5: nobody knows which user is the merchant.",
      "merchant",
    ],
    ["users.csv:7", "f@shop.example", "The token is empty.", "token"],
    ["users.csv:8", "g@shop.example", "The token can't be sent in a header.", "token"],
    ["wallets.csv:2", "ada@shop.example", "The user has two balances.", "merchant"],
    ["wallets.csv:3", "99", "This balance belongs to no user of the export.", "balance"],
  ]);
  expect(merchants.map(({ olderId }) => olderId)).toEqual(["6", "7"]);
});

test("emails and tokens that two users have are found where all users of a dump stand in one line", () => {
  const values = [
    `(1,'ada@shop.example','5.00','${token}')`,
    `(2,'bola@shop.example','5.00','${token}')`,
    `(3,'chidi@shop.example','5.00','${token}c')`,
    `(4,'Chidi@shop.example','5.00','${token}d')`,
  ];
  const dump = `-- MySQL dump\nINSERT INTO users (id, email, wallet, api_key) VALUES ${values.join(",")};`;
  const { merchants, misfits } = planOf(readDump("my.sql", dump));
  expect(merchants.map(({ olderId, token: own }) => [olderId, own])).toEqual([
    ["1", null],
    ["2", null],
  ]);
  expect(misfits.map(({ place, why }) => [place.row, why])).toEqual([
    [1, "The token is also that of line 2, row 2."],
    [2, "The token is also that of line 2, row 1."],
    [3, "The email is also that of line 2, row 4: nobody knows which user is the merchant."],
    [4, "The email is also that of line 2, row 3: nobody knows which user is the merchant."],
  ]);
});

test("a type comes into the tier that it is given, else into the usual one", () => {
  const users = csv(
    "users.csv",
    "id,email,user_type",
    "1,a@x.example,TopUser",
    "2,b@x.example,Gold",
    "3,c@x.example,API",
  );
  const tiers = tiersOf([parseTypeTier("gold = 5") as [string, number], ["topuser", 9]]);
  expect(planOf([users], {}, tiers).merchants.map(({ priceTier }) => priceTier)).toEqual([9, 5, 4]);
  expect([parseTypeTier("gold"), parseTypeTier("gold=0"), parseTypeTier("gold=12")]).toEqual([null, null, null]);
  expect(() =>
    tiersOf([
      ["gold", 1],
      ["gold", 2],
    ]),
  ).toThrow("A type was given two tiers.");
});

test.each([
  ["is_active", "False", "is_active False"],
  ["is_active", "t", null],
  ["status", "banned", "status banned"],
  ["status", "1", null],
  ["blocked", "1", "blocked 1"],
  ["blocked", "0", null],
  ["sRegStatus", "1", "sRegStatus 1"],
  ["sRegStatus", "3", "sRegStatus 3"],
  ["sRegStatus", "0", null],
])("a user whose %s is %s is blocked by: %s", (column, value, blockedBy) => {
  const { merchants } = planOf([csv("users.csv", `id,email,name,${column}`, `1,a@x.example,A,${value}`)]);
  expect(merchants).toMatchObject([{ blockedBy }]);
});

test("the digest is the same whatever the files are called, and another for any change of what would be moved", () => {
  const digestOf = (file: string, line: string) => planOf([csv(file, "id,name,email,balance", line)]).digest;
  const usual = digestOf("users.csv", "1,Ada,ada@shop.example,5.00");
  expect(digestOf("./copy/users.csv", "1,Ada,ada@shop.example,5.0")).toBe(usual);
  for (const line of ["1,Ada,ada@shop.example,5.01", "1,Ada,ada@shop.example.ng,5.00", "1,Ade,ada@shop.example,5.00"]) {
    expect(digestOf("users.csv", line)).not.toBe(usual);
  }
});
