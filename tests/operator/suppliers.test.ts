import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

const service = closing(await startConsole());

test("a supplier whose share nobody knows yet is stopped by two, started by one; support only reads", async () => {
  const { pool } = service.app.fresh;
  const ada = await service.staff("admin");
  const chidi = await service.staff("catalogue");
  const support = await service.staff("support");
  const supplier = "lagos-stock";
  await pool.query("insert into suppliers (name, connector, settings) values ($1, 'manual', '{}')", [supplier]);
  const stateOf = async () =>
    (await pool.query("select state from suppliers where name = $1", [supplier])).rows[0].state;

  const proposed = await ada.follow(await ada.send("/operator/suppliers/change", { supplier, do: "stop" }));
  expect(proposed.text).toContain("waits for approval");
  expect(await stateOf()).toBe("enabled");
  const { rows: waiting } = await pool.query("select max(id) as id from approvals where status = 'waiting'");
  const path = `/operator/approvals/${waiting[0].id}`;
  expect((await chidi.follow(await chidi.send(path, { do: "approve" }))).text).toContain("is stopped");
  expect(await stateOf()).toBe("disabled");

  const refused = await support.send("/operator/suppliers/change", { supplier, do: "start" });
  expect(refused.status).toBe(403);
  expect(await stateOf()).toBe("disabled");
  await chidi.send("/operator/suppliers/change", { supplier, do: "start" });
  expect((await support.get("/operator/suppliers")).text).toContain(supplier);
  expect(await stateOf()).toBe("enabled");
});
