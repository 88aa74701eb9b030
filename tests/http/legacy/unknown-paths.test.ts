import { expect, test } from "vitest";
import { callLegacy, expectLegacyDetail, refusalBody } from "../../support/legacy-endpoint.ts";
import { sendRaw } from "../../support/raw-request.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectHeaders, expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();

const elsewhere = [
  "/api",
  "/api/",
  "/api/withdraw/",
  "/api/disco",
  "/api/history/7/?page=1",
  "/api/v2/data",
  "/api/v10",
];

test.each(elsewhere)("404 %s, which older services have, is not here: said as their clients read it", async (path) => {
  for (const method of ["GET", "POST", "DELETE"]) {
    const answer = await callLegacy(app, app.merchant.testKey, path, { method });
    expectLegacyDetail(answer, 404, "Not found.");
    expectHeaders(answer, { mode: "test", known: false });
  }
});

test("404 also with a body that nobody can read, or is too large", async () => {
  const headers = { "content-type": "application/json" };
  for (const body of ["{broken", " ".repeat(2_000_000)]) {
    expectLegacyDetail(await callLegacy(app, null, "/api/withdraw/", { body, headers }), 404, "Not found.");
  }
});

test("404 a path there that cannot be decoded", async () => {
  const answer = await sendRaw(app.url, { head: ["GET /api/withdraw/%zz HTTP/1.1", "Host: x"] });
  expect([answer?.status, answer?.body]).toEqual([404, refusalBody(["Not found."])]);
});

test.each(["/api/v1", "/api/v1/", "/api/v1/merchants", "/apiary"])("404 %s is none of theirs", async (path) => {
  expectProblem(await callLegacy(app, app.merchant.testKey, path), 404, "NOT_FOUND");
});
