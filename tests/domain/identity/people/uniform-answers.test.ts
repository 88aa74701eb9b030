import { afterAll, beforeAll, expect, test } from "vitest";
import { logIn } from "../../../../src/domain/identity/people/log-in.ts";
import { openPasswords } from "../../../../src/domain/identity/people/passwords.ts";
import { askReset } from "../../../../src/domain/identity/people/reset-password.ts";
import type { PeopleServices } from "../../../../src/domain/identity/people/send-notice.ts";
import { signUp } from "../../../../src/domain/members/sign-up.ts";
import type { Queryable, Tx } from "../../../../src/platform/database/database.ts";
import { openPasswordHash } from "../../../../src/platform/password-hash.ts";
import { newOwner, origin, ownPeople, password, publicUrl } from "../../../support/people.ts";

let own: Awaited<ReturnType<typeof ownPeople>>;
let services: PeopleServices;
/** What was done since the last look: each statement by its name, each password hashed or compared. */
let done: string[] = [];

beforeAll(async () => {
  own = await ownPeople();
  const hashing = openPasswordHash();
  const recorded = (db: Queryable): Queryable => ({
    query(statement, values) {
      done.push(statement.name);
      return db.query(statement, values);
    },
  });
  services = {
    ...own.services,
    database: Object.assign(Object.create(own.database), recorded(own.database), {
      transaction: <T>(work: (tx: Tx) => Promise<T>) => own.database.transaction((tx) => work(recorded(tx) as Tx)),
    }),
    passwords: openPasswords(
      {
        hash: (text) => hashing.hash(text).finally(() => done.push("hash")),
        verify: (hashed, text) => hashing.verify(hashed, text).finally(() => done.push("verify")),
      },
      { ownList: [] },
    ),
  };
  await newOwner(own.services, "known@example.com");
  await costOf(() => attempt("known@example.com"));
});

afterAll(() => own.drop());

async function costOf(act: () => Promise<{ readonly kind: string }>): Promise<readonly string[]> {
  done = [];
  const { kind } = await act();
  return [...done, kind];
}

let turns = 0;
/** Of its own for each, so that none is locked. */
const source = () => `turn ${turns++}`;

const attempt = (email: string) =>
  logIn(services, { realm: "merchant", email, password: "not the password", source: source(), origin });
const ask = (email: string) => askReset(services, { realm: "merchant", email, source: source(), publicUrl });
const register = (email: string) =>
  signUp(services, { email, name: "Ada", businessName: "Ada's", password, source: source(), publicUrl });

const emails = async () =>
  (await own.fresh.pool.query("select recipient from emails order by id")).rows.map(({ recipient }) => recipient);

test("a log-in takes the same statements and one comparison, whether or not the address has an account", async () => {
  const known = await costOf(() => attempt("known@example.com"));
  expect(known.filter((each) => each === "verify" || each === "hash")).toEqual(["verify"]);
  expect(await costOf(() => attempt("nobody@example.com"))).toEqual(known);
});

test("a reset takes the same statements, though nobody unknown is written to", async () => {
  const before = await emails();
  const known = await costOf(() => ask("known@example.com"));
  expect(known).toContain("insert_email");
  expect(await costOf(() => ask("nobody@example.com"))).toEqual(known);
  expect(await emails()).toEqual([...before, "known@example.com"]);
});

test("a sign-up hashes once and writes one email, also once an address has had its emails of the hour", async () => {
  const costs: (readonly string[])[] = [];
  for (let turn = 0; turn < 7; turn++) costs.push(await costOf(() => register("new@example.com")));
  for (const cost of costs)
    expect(cost.filter((each) => ["hash", "verify", "insert_email", "received"].includes(each))).toEqual([
      "hash",
      "insert_email",
      "received",
    ]);
  expect((await emails()).filter((each) => each === "new@example.com")).toHaveLength(5);
});
