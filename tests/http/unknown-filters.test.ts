import { describe, expect, test } from "vitest";
import { exampleRequests } from "../../scripts/generate/example-requests.ts";
import { describeApi } from "../../scripts/generate/openapi-doc.ts";
import { type ExampleAnswers, sendExample } from "../support/send-example.ts";
import { sharedApp } from "../support/shared-app.ts";
import { expectProblem } from "../support/wire-expectations.ts";

const document = await describeApi();
const requests = exampleRequests(document);
const reads = requests.filter(({ method, operation }) => method === "GET" && !operation.tags.includes("Health"));

/** A list is named so, or has filters: `getBulkOrder` lists lines. Older clients send their own lists whatever they sent before. */
const lists = reads.filter(({ operation }) => {
  const hasFilters = operation.parameters?.some((parameter) => parameter.in === "query") ?? false;
  return (hasFilters || operation.operationId.startsWith("list")) && !operation.tags.includes("Legacy");
});
const others = reads.filter((request) => !lists.includes(request));

const app = await sharedApp();
const answers: ExampleAnswers = new Map();

// What the paths name is there.
for (const request of requests.filter(({ method }) => method !== "DELETE")) await sendExample(app, request, answers);

const named = (each: typeof reads) => each.map((request) => [request.operation.operationId, request] as const);

describe("a filter that nobody knows", () => {
  test.each(named(lists))("%s refuses it by name, and says which ones there are", async (_id, request) => {
    const known = (request.operation.parameters ?? []).flatMap(({ in: place, name }) =>
      place === "query" ? name : [],
    );
    const { status, body } = await sendExample(app, withQuery(request, "statuss=failed"), answers);
    const sentence = known.length === 0 ? "This list has no filters." : `Known are ${known.join(", ")}.`;
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        errors: { statuss: [`Is no filter of this list. ${sentence}`] },
      }),
    ]);
    app.throwFaults();
  });

  test.each(named(others))("%s, which reads one thing, answers as without it", async (_id, request) => {
    const { status } = await sendExample(app, withQuery(request, "_=1764200000000"), answers);
    expect(status).toBe(200);
    app.throwFaults();
  });

  test("says nothing where a known one is wrong: that one's code is the answer", async () => {
    const refused = await app.call(app.merchant.testKey, "/transactions?limit=5&status=odd");
    expectProblem(refused, 400, "INVALID_STATUS", { fields: ["limit", "status"] });
    expect(refused.body.message).toMatch(/^The field status /);
  });

  test("is refused with a short answer, however many there are and whatever they are called", async () => {
    const query = `__proto__=1&${Array.from({ length: 900 }, (_, n) => `f${n}`).join("&")}`;
    const refused = await app.call(app.merchant.testKey, `/transactions?${query}`);
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(Object.keys(refused.body.errors)).toHaveLength(20);
    expect(JSON.stringify(refused.body).length).toBeLessThan(10_000);
  });
});

function withQuery(request: (typeof reads)[number], query: string) {
  return { ...request, path: `${request.path}?${query}` };
}
