import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchAnswers } from "../../src/http/answer-watch.ts";
import { renderErrors } from "../../src/http/plugins/errors.ts";
import { decorateRequests, leavePlace } from "../../src/http/request-context.ts";
import { requestsInWork } from "../../src/http/waiting.ts";
import type { MerchantId } from "../../src/kernel/ids.ts";

// Two requests of a merchant may be in work; each is answered when the test says so.
let app: FastifyInstance;
let url: string;
let answers: (() => void)[];

beforeEach(async () => {
  app = fastify();
  decorateRequests(app);
  watchAnswers(app, { note: () => {}, noteUnread: () => {} });
  renderErrors(app);
  const inWork = requestsInWork(2);
  answers = [];
  app.addHook("onRequest", async (request) => {
    const refusal = inWork.begin(request, Number(request.headers.merchant) as MerchantId);
    if (refusal !== null) throw refusal;
  });
  const reply = () => new Promise<string>((resolve) => answers.push(() => resolve("done")));
  app.get("/work", reply);
  app.get("/hold", (request) => {
    leavePlace(request);
    return reply();
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});

afterEach(async () => {
  for (const answer of answers) answer();
  await app.close();
});

const get = (path: string, merchant: number, signal?: AbortSignal) =>
  fetch(`${url}${path}`, { headers: { merchant: String(merchant) }, ...(signal === undefined ? {} : { signal }) });
const started = (count: number) => vi.waitUntil(() => answers.length === count, { timeout: 60_000 });

test("a request too many is refused with Retry-After, another merchant's is not, and a place is free again", async () => {
  const first = get("/work", 1);
  const second = get("/work", 1);
  await started(2);
  const refused = await get("/work", 1);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(((await refused.json()) as { code: string }).code).toBe("RATE_LIMITED");
  const others = get("/work", 2);
  await started(3);
  for (const answer of answers) answer();
  for (const answer of [first, second, others]) expect((await answer).status).toBe(200);
  const again = get("/work", 1);
  await started(4);
  answers[3]?.();
  expect((await again).status).toBe(200);
});

test("held answers do not count, and who hangs up leaves its place", async () => {
  const kept = [get("/hold", 1), get("/hold", 1), get("/hold", 1)];
  await started(3);
  const hangingUp = new AbortController();
  const gone = [get("/work", 1, hangingUp.signal), get("/work", 1, hangingUp.signal)].map((one) =>
    one.catch(() => null),
  );
  await started(5);
  expect((await get("/work", 1)).status).toBe(429);
  hangingUp.abort();
  await Promise.all(gone);
  await vi.waitUntil(
    async () => {
      const answered = get("/work", 1);
      const before = answers.length;
      await Promise.race([answered, vi.waitUntil(() => answers.length > before, { timeout: 2_000 })]);
      answers[before]?.();
      return (await answered).status === 200;
    },
    { timeout: 60_000 },
  );
  for (const answer of answers) answer();
  for (const answer of kept) expect((await answer).status).toBe(200);
});
