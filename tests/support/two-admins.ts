import { newMerchant } from "../../rigs/base/merchants.ts";
import { plainPerson } from "../../src/domain/identity/people/log-in.ts";
import { findPersonByEmail } from "../../src/domain/identity/people/person-queries.ts";
import { askForChange } from "../../src/domain/staff/ask-change.ts";
import type { CarriedOut } from "../../src/domain/staff/change-kinds.ts";
import type { ChangeId } from "../../src/domain/staff/change-queries.ts";
import { firstOperatorLink, inviteStaff, joinStaff } from "../../src/domain/staff/staff.ts";
import { ownPeople, password, publicUrl } from "./people.ts";

export const renameText = { name: "rename_test", text: "update merchants set name = name || '!' where id = $1" };
export const renaming = { summary: "Rename it.", fields: { name: "New name" } } as const;

/** A company of two admins, and a kind of change between them that adds a mark to a merchant's name. */
export async function twoAdmins() {
  const own = await ownPeople();
  const merchantId = (await newMerchant(own.database)).id;
  const kind: CarriedOut = {
    rules: { kind: "test", ask: ["admin"], approve: ["admin"], subjects: () => ["the name"] },
    async carryOut(database) {
      await database.transaction(async (tx) => void (await tx.query(renameText, [merchantId])));
      return "renamed";
    },
  };
  const join = (link: string | null, email: string) =>
    joinStaff(own.services, { token: new URL(link ?? "").searchParams.get("token") ?? "", email, name: "A", password });
  await join(await firstOperatorLink(own.services, publicUrl), "ada@example.ng");
  const invited = { email: "bola@example.ng", role: "admin", publicUrl, invitedBy: "test" } as const;
  await join((await inviteStaff(own.services, invited)).link, "");
  await own.fresh.pool.query("update people set totp_seed = 'a.b.c', totp_confirmed_at = now() where realm = 'staff'");
  const personOf = async (email: string) => {
    const stored = await findPersonByEmail(own.database, "staff", email);
    if (stored === null) throw new Error("nobody has this address");
    return plainPerson(stored);
  };
  const [ada, bola] = [await personOf("ada@example.ng"), await personOf("bola@example.ng")];
  return {
    ...{ own, ada, bola, merchantId, kind },
    async marksOf(): Promise<string> {
      const { rows } = await own.fresh.pool.query("select name from merchants where id = $1", [merchantId]);
      return rows[0].name.replace(/[^!]/g, "");
    },
    async newRequest(ofKind: CarriedOut): Promise<ChangeId> {
      const requested = await askForChange(own.services, ada, ofKind, renaming);
      if (requested.kind !== "waiting") throw new Error(`it does not wait: ${requested.kind}`);
      return requested.id;
    },
    drop: () => own.drop(),
  };
}
