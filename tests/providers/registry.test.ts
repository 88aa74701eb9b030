import { describe, expect, test } from "vitest";
import { openConnectors } from "../../src/main/connector-services.ts";
import { openLog } from "../../src/platform/log.ts";
import { secretBox } from "../../src/platform/secret-box.ts";
import { connectorKinds } from "../../src/providers/registry.ts";
import { connectorsUnderTest } from "../support/suppliers/connector-under-test.ts";
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
    log: openLog({ level: "silent" }),
  });
  const row = { name: "reseller", connector: "legacy-script", state: "enabled" as const };
  return openConnector({ ...row, settings: settings as never, credentials: sealed });
}

test("every connector that speaks over HTTP is held to the conformance suite", () => {
  const overHttp = connectorKinds.map(({ connector }) => connector).filter((name) => name !== "manual");
  expect(connectorsUnderTest.map(({ name }) => name)).toEqual(overHttp);
});

describe("a supplier as an operator entered it", () => {
  test("is asked where its settings say, if the configuration names that origin too", async () => {
    const stub = await startStub(legacyScriptStub);
    const settings = { base_url: `${stub.url}/`, network_ids: legacyNetworkIds };
    const request = vendRequest({ supplierCode: "VTU" });
    expect((await open([], settings)!.vend(request)).kind).toBe("declined");
    expect((await open([stub.url.replace("http", "https")], settings)!.vend(request)).kind).toBe("declined");
    expect(stub.log).toEqual([]);
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
