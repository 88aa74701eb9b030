import { expect, test } from "vitest";
import { invite, resendInvitation } from "../../../src/domain/members/invitations.ts";
import { closing } from "../../support/closing.ts";
import { emailsTo, newOwner, ownPeople, publicUrl } from "../../support/people.ts";

const own = closing(await ownPeople());

test("a business whose owner is unconfirmed, or that is suspended, sends no invitation, also not again", async () => {
  const { merchantId, session } = await newOwner(own.services, "bulk-mail@example.com");
  const by = session.person;
  const request = { merchantId, role: "viewer" as const, by, publicUrl, source: "bulk" };
  const sent = await invite(own.services, { ...request, email: "first@example.com" });
  if (sent.kind !== "invited") throw new Error(sent.kind);
  const tries = async () => {
    const again = { merchantId, id: sent.id, by, publicUrl, source: "again" };
    return [
      (await invite(own.services, { ...request, email: "next@example.com" })).kind,
      (await resendInvitation(own.services, again)).kind,
      (await emailsTo(own.database, "next@example.com")).length +
        (await emailsTo(own.database, "first@example.com")).length,
    ];
  };
  await own.fresh.pool.query("update merchants set status = 'suspended' where id = $1", [merchantId]);
  expect(await tries()).toEqual(["suspended", "suspended", 1]);
  await own.fresh.pool.query("update merchants set status = 'active' where id = $1", [merchantId]);
  await own.fresh.pool.query("update people set email_verified_at = null where id = $1", [by.id]);
  expect(await tries()).toEqual(["unconfirmed", "unconfirmed", 1]);
});

test("invitations are counted by source, whatever the business, and no business has more than a hundred waiting", async () => {
  const kinds: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const { merchantId, session } = await newOwner(own.services, `chain-${turn}@example.com`);
    const request = { merchantId, role: "viewer" as const, by: session.person, publicUrl, source: "one source" };
    for (let each = 0; each < 10; each++)
      kinds.push((await invite(own.services, { ...request, email: `mass-${turn}-${each}@example.com` })).kind);
    if (turn < 3) continue;
    await own.fresh.pool.query(
      `insert into invitations (token_hash, merchant_id, email, role, invited_by, created_at, ends_at)
       select sha256(n::text::bytea), $1, n || '@example.com', 'viewer', 'x', now(), now() + interval '1 day'
         from generate_series(1, 100) n`,
      [merchantId],
    );
    expect((await invite(own.services, { ...request, email: "more@example.com", source: "other" })).kind).toBe(
      "too_many",
    );
  }
  expect(kinds.lastIndexOf("invited")).toBe(29);
});
