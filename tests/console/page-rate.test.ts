import { expect, test } from "vitest";
import { usualPagesPerMinute } from "../../src/console/kit/arrival.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, type ConsoleClient, startConsole } from "../support/console.ts";

const service = closing(await startConsole({}, usualPagesPerMinute));

/** Opens a page again and again, at most for the rest of this minute and the next one. */
async function untilRefused(client: ConsoleClient): Promise<ConsoleAnswer | undefined> {
  for (let opened = 0; opened <= 1_220; opened += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get("/log-in")));
    const refused = answers.find(({ status }) => status === 429);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

test("pages have a rate by person, whoever is not logged in by source, and the page says when to go on", async () => {
  const [busy, other, guest] = [await service.member("owner"), await service.member("viewer"), service.guest()];
  const refused = await untilRefused(busy);
  expect(refused?.text).toContain("You opened more than 600 pages in a minute.");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Number(refused?.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect((await other.get("/live/overview")).status).toBe(200);
  expect((await guest.get("/log-in")).status).toBe(200);
  expect((await untilRefused(guest))?.status).toBe(429);
  expect((await other.get("/live/overview")).status).toBe(200);
});
