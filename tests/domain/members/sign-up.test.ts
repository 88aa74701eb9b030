import { expect, test } from "vitest";
import { logIn } from "../../../src/domain/identity/people/log-in.ts";
import { membershipsOf, sellingGate } from "../../../src/domain/members/membership.ts";
import { signUp } from "../../../src/domain/members/sign-up.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { closing } from "../../support/closing.ts";
import { emailsTo, membershipIn, origin, ownPeople, password, publicUrl } from "../../support/people.ts";

const own = closing(await ownPeople());

const register = (email: string, source: string, services = own.services) =>
  signUp(services, { email, name: "Ada Obi", businessName: "Ada's Shop", password, source, publicUrl });
const enterAs = (email: string, given = password) =>
  logIn(own.services, { realm: "merchant", email, password: given, source: `s ${email}`, origin });

test("whoever signs up owns a merchant with wallets and without keys, and logs in at once", async () => {
  expect(await register(" Sign@Up.example ", "one")).toEqual({ kind: "received" });
  const attempt = await enterAs("sign@up.example");
  if (attempt.kind !== "in") throw new Error(attempt.kind);
  const [merchant] = await membershipsOf(own.database, attempt.person.id);
  expect(merchant).toMatchObject({ name: "Ada's Shop", status: "active", role: "owner" });
  const { rows } = await own.fresh.pool.query(
    `select (select count(*)::int from wallets where abs(wallet_id) = $1) as wallets,
            (select count(*)::int from api_keys where merchant_id = $1) as keys`,
    [merchant?.merchantId],
  );
  expect(rows).toEqual([{ wallets: 2, keys: 0 }]);
  expect((await emailsTo(own.database, "sign@up.example"))[0]?.text).toContain(`${publicUrl}/verify-email?token=`);
});

test("an address with an account is answered the same, keeps its password and is told by an email", async () => {
  expect(await register("twice@example.com", "two")).toEqual({ kind: "received" });
  const again = {
    email: "twice@example.com",
    name: "Eve",
    businessName: "Eve",
    password: "some other pass 12",
    source: "two",
    publicUrl,
  };
  expect(await signUp(own.services, again)).toEqual({ kind: "received" });
  expect((await enterAs("twice@example.com", "some other pass 12")).kind).toBe("wrong");
  expect((await enterAs("twice@example.com")).kind).toBe("in");
  expect((await emailsTo(own.database, "twice@example.com"))[0]?.subject).toBe("You already have an account");
});

test("the same address signed up at once makes one merchant", async () => {
  await Promise.all(Array.from({ length: 4 }, () => register("at-once@example.com", "three")));
  const { rows } = await own.fresh.pool.query(
    "select count(*)::int as n from merchants where email = 'at-once@example.com'",
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test("the operator closes sign-up or lets each in, and a source signs up ten an hour", async () => {
  expect(await register("no@example.com", "four", { ...own.services, signUp: "closed" })).toEqual({ kind: "closed" });
  await register("waits@example.com", "four", { ...own.services, signUp: "confirm" });
  const attempt = await enterAs("waits@example.com");
  if (attempt.kind !== "in") throw new Error(attempt.kind);
  const [merchant] = await membershipsOf(own.database, attempt.person.id);
  const calls = { merchantId: merchant?.merchantId as MerchantId, personId: attempt.person.id };
  const membership = await membershipIn(own.database, calls);
  expect(membership && sellingGate(membership, "test")).toBe("ACCOUNT_SUSPENDED");
  const kinds: string[] = [];
  for (let turn = 0; turn < 11; turn++) kinds.push((await register(`n${turn}@example.com`, "five")).kind);
  expect(kinds.indexOf("locked")).toBe(10);
});

test.each([
  "Win at prize.example",
  "pay.example/now",
  "t.me/prize",
  "http://x",
  "//prize",
  "mail ada@shop.example",
  "prize\uff0eexample",
  "prize\u3002com",
  "192.0.2.1",
  "xn--p1ai.com",
])("nobody signs up under the name “%s”, which an email would make a link of", async (address) => {
  const given = { email: "links@example.com", name: "Ada", businessName: "Shop", password, source: "links", publicUrl };
  for (const named of [{ name: address }, { businessName: address }]) {
    const refused = signUp(own.services, { ...given, ...named });
    const [field = ""] = Object.keys(named);
    await expect(refused).rejects.toMatchObject({
      detail: { errors: { [field]: ["Leave out web and email addresses, and put a space after a dot."] } },
    });
  }
});

test.each([
  ...["PAY. EXAMPLE", "pay .example", "Pay . Example", "pay\u00b7example", "PAY\ua4f8 EXAMPLE", "kobo. house shop"],
])("nobody signs up under the name “%s”, which reads like an address", async (address) => {
  const given = { email: "read@example.com", name: "Ada", businessName: address, password, source: "read", publicUrl };
  await expect(signUp(own.services, given)).rejects.toMatchObject({
    detail: { errors: { businessName: [expect.stringContaining("dot")] } },
  });
});

test.each([
  "St. Mary & Sons",
  "No.1 Telecoms",
  "A. B. Okafor Ltd.",
  "MTN 2.5GB shop",
  "Zoë’s 24/7",
  "Ada Ventures Nig. Ltd.",
  "Dr. Musa & Co.",
])("a business is called “%s”", async (businessName) => {
  const email = `${Math.random()}@named.example`;
  const given = { email, name: "Ada", businessName, password, source: email, publicUrl };
  expect((await signUp(own.services, given)).kind).toBe("received");
});
