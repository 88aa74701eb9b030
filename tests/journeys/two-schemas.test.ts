import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// The spike of docs/scale.md: what a group of merchants has is a schema, whose functions find its own tables alone.
test("two schemas of one database sell side by side, and each book is its own", async () => {
  const fresh = await freshDatabase();
  const scratch = await makeScratchDirectory();
  const programs = openPrograms();
  onTestFinished(async () => {
    programs.killAll();
    await fresh.drop();
    await scratch.remove();
  });
  const groups = ["east", "west"];
  const sold = groups.map(async (group, index) => {
    await fresh.pool.query(`create schema ${group}`);
    const separator = fresh.ownerUrl.includes("?") ? "&" : "?";
    const service = programs.start(["start"], {
      DATABASE_URL: `${fresh.ownerUrl}${separator}options=${encodeURIComponent(`-csearch_path=${group}`)}`,
      DATA_DIR: `${scratch.folder}/${group}`,
      ENCRYPTION_KEY: testEncryptionKey,
      PORT: "0",
    });
    const [, url, key, body = ""] = await service.saying(
      /^ {2}curl -sS (\S+\/data\/purchase) -H 'Authorization: Bearer (\S+)' .* -d '(.*)'$/m,
    );
    for (let purchase = 0; purchase <= index; purchase++) {
      const response = await fetch(url ?? "", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...JSON.parse(body), reference: `same-${purchase}` }),
      });
      expect(response.status).toBe(201);
    }
  });
  await Promise.all(sold);
  const { rows } = await fresh.pool.query(`
    select (select count(*)::int from east.purchases) as east,
           (select count(*)::int from west.purchases) as west,
           (select count(*)::int from public.purchases) as public`);
  expect(rows).toEqual([{ east: 1, west: 2, public: 0 }]);
});
