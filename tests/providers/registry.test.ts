import { describe, expect, test } from "vitest";
import { openConnectors } from "../../src/main/services/connector-services.ts";
import { secretBox } from "../../src/platform/sealing/secret-box.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { noTokenStore } from "../../src/providers/access-token.ts";
import { complaintAbout, connectorKinds } from "../../src/providers/registry.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { legacyNetworkIds, legacyScriptStub, legacyToken } from "../support/suppliers/legacy-script-stub.ts";
import { startStub } from "../support/suppliers/stub-server.ts";
import { movableClock, vendRequest } from "../support/suppliers/vend-requests.ts";

const box = secretBox([Buffer.alloc(32, 3)]);
const credentials = box.seal(JSON.stringify({ token: legacyToken }), "suppliers/reseller");

function open(origins: readonly string[], settings: object, sealed: string | null = credentials) {
  const { openConnector } = openConnectors({
    origins,
    secretBox: box,
    clock: movableClock(),
    tokenStore: noTokenStore,
    log: openLog({ level: "silent" }),
  });
  const row = { name: "reseller", connector: "legacy-script", state: "enabled" as const };
  return openConnector({ ...row, settings: settings as never, credentials: sealed });
}

test("every connector that speaks over HTTP is held to the conformance suite", () => {
  const overHttp = connectorKinds.filter(({ isHttp }) => isHttp).map(({ connector }) => connector);
  expect(connectorsUnderTest.map(({ name }) => name)).toEqual(overHttp);
});

describe("a supplier as an operator entered it", () => {
  test("is asked where its settings say, if the configuration names that origin too", async () => {
    const stub = await startStub(legacyScriptStub);
    const settings = { base_url: `${stub.url}/`, network_ids: legacyNetworkIds };
    const request = vendRequest({ supplierCode: "VTU" });
    // It serves nothing then, so that no purchase is charged on its account.
    expect(open([], settings)).toBeNull();
    expect(open([stub.url.replace("http", "https")], settings)).toBeNull();
    expect((await open([stub.url], settings)!.vend(request)).kind).toBe("vended");
    await stub.close();
  });

  test.each([
    ["without an address", { network_ids: {} }, credentials],
    ["with an address that carries credentials", { base_url: "https://me:pw@x.example", network_ids: {} }, credentials],
    ["with an address of another kind", { base_url: "file:///etc/passwd", network_ids: {} }, credentials],
    ["without credentials", { base_url: "https://x.example", network_ids: {} }, null],
    [
      "sealed for another supplier",
      { base_url: "https://x.example", network_ids: {} },
      box.seal("{}", "suppliers/other"),
    ],
  ])("%s serves nothing", (_what, settings, sealed) => {
    expect(open(["https://x.example"], settings, sealed)).toBeNull();
  });
});

describe("what is entered wrongly is named, and how it should be", () => {
  const settings = { base_url: "https://x.example/api" };
  const credentials = { api_key: "CANARY-1", public_key: "CANARY-2", secret_key: "CANARY-3" };

  test.each([
    [
      "a connector that is none",
      { connector: "vtpas", settings, credentials },
      "there are vtpass, legacy-script, dispense, ",
    ],
    [
      "an address that is none",
      { connector: "vtpass", settings: { base_url: "x.example" }, credentials },
      "settings.base_url must be an address such as https://",
    ],
    [
      "a number where a text belongs",
      {
        connector: "legacy-script",
        settings: { ...settings, network_ids: { MTN: 1 } },
        credentials: { token: "CANARY-1" },
      },
      'settings.network_ids must be what this deployment calls the networks, such as {"MTN":"1"',
    ],
    [
      "a missing key",
      { connector: "vtpass", settings, credentials: { api_key: "CANARY-1", public_key: "CANARY-2" } },
      "credentials.secret_key is missing",
    ],
    [
      "a name with a slip",
      { connector: "vtpass", settings, credentials: { ...credentials, callback_secrte: "CANARY-4" } },
      "credentials.callback_secrte is unknown to vtpass; there are api_key, public_key",
    ],
    [
      "a secret that anybody could guess",
      { connector: "vtpass", settings, credentials: { ...credentials, callback_secret: "CANARY-4" } },
      "credentials.callback_secret must be 24 to 200 letters",
    ],
    [
      "settings where there are none",
      { connector: "voucher-stock", settings, credentials: {} },
      "settings.base_url is unknown to voucher-stock; there are none",
    ],
  ])("%s is refused in words that hold no key", (_what, entry, complaint) => {
    expect(complaintAbout(entry as never)).toContain(complaint);
    expect(complaintAbout(entry as never)).not.toContain("CANARY");
  });

  test("what fits is no complaint, whether its connector is told much or nothing", () => {
    expect(complaintAbout({ connector: "vtpass", settings, credentials })).toBeNull();
    for (const connector of ["voucher-stock", "manual"]) {
      expect(complaintAbout({ connector, settings: {}, credentials: {} })).toBeNull();
    }
  });
});
