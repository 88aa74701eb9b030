import { beforeEach, expect, test } from "vitest";
import { askForChange } from "../../../src/domain/staff/ask-change.ts";
import type { CarriedOut } from "../../../src/domain/staff/change-kinds.ts";
import { type ChangeId, findChange } from "../../../src/domain/staff/change-queries.ts";
import { agreeToChange, carryOutNext, refuseChange } from "../../../src/domain/staff/decide-change.ts";
import { refuse as refusalOf } from "../../../src/kernel/problems.ts";
import { closing } from "../../support/closing.ts";
import { renameText, renaming, twoAdmins } from "../../support/two-admins.ts";

type Company = Awaited<ReturnType<typeof twoAdmins>>;
let { own, bola, merchantId, marksOf } = {} as Company;
let kind: CarriedOut;
let newRequest: () => Promise<ChangeId>;
const lines = 450;
const isLong = () => true;
let portions = 0;
let isKilled = false;
let refusal: string | null = null;
beforeEach(async () => {
  const company = closing(await twoAdmins());
  ({ own, bola, merchantId, marksOf } = company);
  portions = 0;
  isKilled = false;
  refusal = null;
  kind = {
    ...company.kind,
    portions: {
      isLong,
      async carryOutNext(database, _fields, before) {
        portions += 1;
        await database.transaction(async (tx) => void (await tx.query(renameText, [merchantId])));
        if (isKilled) throw new Error("killed");
        if (refusal !== null) throw refusalOf("VALIDATION_ERROR", { message: refusal });
        const done = Math.min((before?.done ?? 0) + 200, lines);
        return { progress: { done, all: lines, counts: {} }, outcome: done < lines ? null : `${done} renamed` };
      },
    },
  };
  newRequest = () => company.newRequest(kind);
});
const next = () => carryOutNext(own.services, [kind]);

test("they are carried out in portions after two people agreed, each once, whatever is killed between", async () => {
  const id = await newRequest();
  expect(await next()).toBe(false);
  expect(await agreeToChange(own.services, { id, by: bola }, () => kind)).toEqual({ kind: "agreed" });
  expect([(await findChange(own.database, id))?.state, await marksOf(), portions]).toEqual(["agreed", "", 0]);
  for (const marks of ["!", "!!"]) {
    isKilled = true;
    await expect(next()).rejects.toThrow("killed");
    isKilled = false;
    expect([await next(), await marksOf()]).toEqual([true, marks]);
  }
  expect(await refuseChange(own.services, { id, by: bola, reason: null }, () => kind.rules)).toEqual({
    kind: "decided",
  });
  expect(await askForChange(own.services, bola, kind, renaming)).toMatchObject({ kind: "taken" });
  expect(await next()).toBe(true);
  expect(await findChange(own.database, id)).toMatchObject({ state: "done", outcome: "450 renamed" });
  expect([await next(), await marksOf()]).toEqual([false, "!!!"]);
  expect((await askForChange(own.services, bola, kind, renaming)).kind).toBe("waiting");
});

test("lines that are changed in the database after two people agreed are not carried out", async () => {
  const id = await newRequest();
  await agreeToChange(own.services, { id, by: bola }, () => kind);
  await next();
  await own.fresh.pool.query("update changes set lines = '[1]' where id = $1", [id]);
  expect([await next(), await marksOf(), await next()]).toEqual([true, "!", false]);
  expect(await findChange(own.database, id)).toMatchObject({
    state: "stale",
    outcome: expect.stringContaining("the rest of it was not carried out"),
  });
  const { rows } = await own.fresh.pool.query("select recipient, subject from emails order by id desc limit 1");
  expect(rows).toEqual([{ recipient: "ada@example.ng", subject: "Your request was not carried out: Rename it." }]);
});

test("what is refused in the middle is stale, says why, and nothing of that portion is done", async () => {
  const id = await newRequest();
  await agreeToChange(own.services, { id, by: bola }, () => kind);
  await next();
  refusal = "It moved on meanwhile.";
  expect(await next()).toBe(true);
  expect(await findChange(own.database, id)).toMatchObject({ state: "stale", outcome: refusal });
  expect([await marksOf(), await next()]).toEqual(["!", false]);
});

test("two processes are never at one portion", async () => {
  await agreeToChange(own.services, { id: await newRequest(), by: bola }, () => kind);
  const looks = await Promise.all([next(), next(), next()]);
  expect(looks.filter((found) => found)).toHaveLength((await marksOf()).length);
  while (await next());
  expect(await marksOf()).toBe("!!!");
});
