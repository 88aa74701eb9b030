import { expect, test } from "vitest";
import type { Person } from "../../src/domain/identity/people/person.ts";
import { askForChange } from "../../src/domain/staff/ask-change.ts";
import { listStaff } from "../../src/domain/staff/staff-queries.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

const service = closing(await startConsole());

test("a person alone changes at once and is marked so; with a second admin it waits, and the maker can't approve", async () => {
  const ada = await service.staff("admin");
  const finance = await service.staff("finance");
  const first = await ada.follow(
    await ada.send("/operator/staff/change", { person: String(finance.personId), role: "support" }),
  );
  expect(first.text).toContain("marked as done by you alone");

  const bola = await service.staff("admin");
  const waiting = await ada.follow(
    await ada.send("/operator/staff/change", { person: String(finance.personId), role: "catalogue" }),
  );
  expect(waiting.text).toContain("for approval");
  const roleOf = async () =>
    (await service.app.fresh.pool.query("select role from staff where person_id = $1", [finance.personId])).rows[0]
      .role;
  expect(await roleOf()).toBe("support");

  const { rows } = await service.app.fresh.pool.query("select max(id) as id from changes where state = 'waiting'");
  const path = `/operator/approvals/${rows[0].id}`;
  const own = await ada.follow(await ada.send(path, { do: "approve" }));
  expect(own.text).toContain("You asked for this yourself");
  expect(await roleOf()).toBe("support");
  const approved = await bola.follow(await bola.send(path, { do: "approve" }));
  expect(approved.text).toContain("is now catalogue");
  expect(await roleOf()).toBe("catalogue");
  const { rows: entries } = await service.app.fresh.pool.query(
    "select who, command from audit_log where command like 'console approval%' order by number",
  );
  expect(entries).toEqual([
    { who: `staff:${ada.email}`, command: "console approval alone" },
    { who: `staff:${ada.email}`, command: "console approval ask" },
    { who: `staff:${bola.email}`, command: "console approval approve" },
  ]);
});

test("a change whose summary is longer than approvals hold is asked for all the same, its summary cut short", async () => {
  const ada = await service.staff("admin");
  await service.staff("admin");
  const { database } = service.app.services;
  const person = (await listStaff(database)).find(({ personId }) => personId === ada.personId);
  const by = { id: ada.personId, name: person?.name ?? "", email: ada.email };
  const requested = await askForChange(
    { ...service.app.services.people, database },
    by as Person,
    { rules: { kind: "company", ask: ["admin"], approve: ["admin"] }, carryOut: async () => "" },
    { summary: "₦".repeat(1_000), fields: {} },
  );
  expect(requested.kind).toBe("waiting");
  const { rows } = await service.app.fresh.pool.query(
    "select max(summary) as summary from changes where kind = 'company'",
  );
  expect(rows).toEqual([{ summary: `${"₦".repeat(399)}…` }]);
});
