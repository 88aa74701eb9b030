import { describe, expect, test } from "vitest";
import { callLegacy, expectLegacyError, refusalBody } from "../../support/legacy-endpoint.ts";
import { sharedApp } from "../../support/shared-app.ts";

const app = await sharedApp();

const ask = (path: string, query: Record<string, string>, key = app.merchant.testKey) =>
  callLegacy(app, key, `${path}?${new URLSearchParams(query)}`);

interface Validation {
  readonly path: string;
  readonly usual: Readonly<Record<string, string>>;
  /** The parameter that holds the number. */
  readonly number: string;
  readonly invalid: string;
  readonly verify: { readonly path: string; readonly body: object };
  readonly spellings: readonly Readonly<Record<string, string>>[];
  readonly unknown: readonly [change: Readonly<Record<string, string>>, text: string];
}

const validations: readonly Validation[] = [
  {
    path: "/api/validateiuc",
    usual: { smart_card_number: "7032145678", cablename: "2" },
    number: "smart_card_number",
    invalid: "INVALID_SMARTCARDNO",
    verify: { path: "/cable/verify", body: { biller: "dstv", smartcard_number: "7032145678" } },
    spellings: [{ cablename: "DSTV" }, { cablename: "dstv" }, { smart_card_number: " 7032145678 " }],
    unknown: [{ cablename: "HBO" }, "cablename: Must be a number (1 GOTV, 2 DSTV, 3 STARTIME, 4 SHOWMAX) or a name."],
  },
  {
    path: "/api/validatemeter",
    usual: { meternumber: "45012345678", disconame: "Ikeja Electric", mtype: "1" },
    number: "meternumber",
    invalid: "INVALID METER NUMBER",
    verify: {
      path: "/electricity/verify",
      body: { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678" },
    },
    spellings: [{ disconame: "1" }, { mtype: "PREPAID" }, { mtype: "2" }],
    unknown: [{ mtype: "3" }, "mtype: Must be 1 (prepaid) or 2 (postpaid)."],
  },
];

describe.each(validations)("$path", ({ path, usual, number, invalid, verify, spellings, unknown }) => {
  test("tells whose it is, as the merchant API's verify does, and charges nothing", async () => {
    const { body: verified } = await app.call(app.merchant.testKey, verify.path, { body: verify.body });
    const name = verified.customer_name;
    for (const each of [path, `${path}/`]) {
      const answer = await ask(each, usual);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          invalid: false,
          name,
          customer_name: name,
          address: verified.customer_address ?? "",
          Status: "successful",
          status: "success",
        },
      ]);
    }
    expect((await app.call(app.merchant.testKey, "/wallet/balance")).body.balance).toBe("100000.00");
  });

  test.each(spellings)("%j is understood, too", async (change) => {
    const { status, body } = await ask(path, { ...usual, ...change });
    expect([status, body.invalid]).toEqual([200, false]);
  });

  test.each(["45012340009", "123", "no digits", ""])(
    "the number %j is invalid, with 200, and says so in all ways",
    async (sent) => {
      const answer = await ask(path, { ...usual, [number]: sent });
      const refused = refusalBody([`${invalid}: the number is not known.`]);
      expect([answer.status, answer.body]).toEqual([200, { invalid: true, name: invalid, ...refused }]);
    },
  );

  test("400 what is no operator, disco or type of meter, and a missing number", async () => {
    expectLegacyError(await ask(path, { ...usual, ...unknown[0] }), 400, [unknown[1]]);
    const { [number]: _left, ...rest } = usual;
    expectLegacyError(await ask(path, rest), 400, [`${number}: Is required.`]);
  });

  test("503 live without a supplier", async () => {
    const answer = await ask(path, usual, app.merchant.liveKey ?? "");
    expectLegacyError(answer, 503, ["…"]);
  });
});
