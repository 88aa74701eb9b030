import { describe, test } from "vitest";
import { switchSandbox, withdrawApproval } from "../../../src/domain/merchants/administration.ts";
import { buildHttp } from "../../../src/main/build-http.ts";
import { clock, startApp, type TestApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { compileOnce } from "../../support/known-validators.ts";
import { callLegacy, expectLeftOpen, expectLegacyError, postLegacy } from "../../support/legacy-endpoint.ts";

const app = closing(await startApp());

const data = { network: 1, mobile_number: "08031234567", plan: 2 };
const topup = { network: 1, mobile_number: "08031234567", amount: 100 };

/** The service with some of its parts played, beside the app and on its database. */
async function beside(parts: object): Promise<TestApp> {
  const http = await buildHttp({ ...app.services, ...parts } as never, compileOnce);
  const url = await http.listen({ port: 0, host: "127.0.0.1" });
  return { ...app, url, close: () => http.close() };
}

describe("the key's four 403s keep their status", () => {
  test("a live key before its approval", async () => {
    const { id, liveKey } = await app.createMerchant();
    await withdrawApproval({ database: app.services.database, clock } as never, id);
    await app.feel();
    const answer = await postLegacy(app, liveKey ?? "", "/api/data/", data);
    expectLegacyError(answer, 403, ["API access has not been approved yet."]);
  });

  test("a sandbox key while the sandbox is off", async () => {
    const own = await startApp();
    await switchSandbox({ database: own.services.database, clock } as never, false);
    await own.feel();
    const answer = await postLegacy(own, own.merchant.testKey, "/api/topup/", topup);
    expectLegacyError(answer, 403, ["The sandbox is switched off."]);
    await own.close();
  });
});

describe("a fault", () => {
  const broken = () => Promise.reject(new TypeError("a fault of ours"));

  test.each([
    ["/api/data/", data],
    ["/api/topup/", topup],
  ])("500 of a purchase at %s says that it may exist, and calls nothing an error", async (path, fields) => {
    const faulty = await beside({ buy: broken, buyUnnamed: broken, log: silentLog });
    for (const ident of [undefined, "open-1"]) {
      expectLeftOpen(await postLegacy(faulty, app.merchant.testKey, path, { ...fields, ident }), 500);
    }
    await faulty.close();
  });

  test("500 of a question after a purchase says nothing against it", async () => {
    const { testKey } = await app.createMerchant();
    const { body } = await postLegacy(app, testKey, "/api/data/", data);
    const faulty = await beside({ catalogue: { peek: () => null, current: broken }, log: silentLog });
    expectLeftOpen(await callLegacy(faulty, testKey, `/api/data/${body.id}/`), 500);
    await faulty.close();
  });

  test("500 of the account is an error like any other: nothing was bought", async () => {
    const faulty = await beside({ catalogue: { peek: () => null, current: broken }, log: silentLog });
    const answer = await callLegacy(faulty, app.merchant.testKey, "/api/user/");
    expectLegacyError(answer, 500, ["Something went wrong on our side."]);
    await faulty.close();
  });
});

const silentLog = { error: () => {}, warn: () => {}, info: () => {} };
