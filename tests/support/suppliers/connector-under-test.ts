import { fulfilmentFits } from "../../../src/domain/categories/product/fits.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { openAllowlistedHttp } from "../../../src/platform/outbound-http/allowlisted-http-client.ts";
import type { CallbackMessage, Connector, VendRequest, VerifyRequest } from "../../../src/providers/contract.ts";
import type { Dialect } from "../../../src/providers/dialect.ts";
import { dispense } from "../../../src/providers/dispense/dialect.ts";
import { httpConnector } from "../../../src/providers/http-connector.ts";
import { legacyScript } from "../../../src/providers/legacy-script/dialect.ts";
import { vtpass } from "../../../src/providers/vtpass/dialect.ts";
import { requestIdOf } from "../../../src/providers/vtpass/request-id.ts";
import { dispenseKey, dispenseStub, dispenseWebhookSecret, signed } from "./dispense-stub.ts";
import { legacyNetworkIds, legacyScriptStub, legacyToken } from "./legacy-script-stub.ts";
import { type StubDialect, type StubServer, startStub } from "./stub-server.ts";
import { vendRequest, verifyRequest, wishes } from "./vend-requests.ts";
import { vtpassKeys, vtpassStub } from "./vtpass-stub.ts";

type WishName = keyof typeof wishes;

/** One connector and what is particular to its supplier. The conformance suite is the same for all. */
export interface ConnectorUnderTest {
  readonly name: string;
  readonly stub: StubDialect;
  /** The supplier's code of each kind of product that it sells. */
  readonly sells: Readonly<Partial<Record<WishName, string>>>;
  /** The usual purchase. */
  readonly usual: WishName;
  /** How the supplier names the attempt that the request is. */
  referenceAtSupplier(request: VendRequest): string;
  /** Whether it can be asked about an attempt whose first answer never came. */
  readonly canAskUnanswered: boolean;
  /** Our keys there: none of them may stand in the evidence. */
  readonly keys: readonly string[];
  /** Whether it has a word for goods that it took back. */
  readonly saysReversed: boolean;
  dialect(options: { readonly baseUrl: string; readonly clock: Clock; readonly wrongKeys: boolean }): Dialect;
  /** A number that it knows, and one that it does not. */
  readonly verifies: { readonly known: VerifyRequest; readonly unknown: VerifyRequest } | null;
  /** What is left of our money, as the stub says. */
  readonly balance: bigint | null;
  /** How a callback's message is made genuine, and every way to forge it. */
  readonly callbacks: {
    genuine(sent: { headers: Record<string, string>; body: string }, at: number): CallbackMessage;
    forged(sent: { headers: Record<string, string>; body: string }, at: number): readonly CallbackMessage[];
  } | null;
}

const addressSecret = "c2VjcmV0LW9mLXRoZS1hZGRyZXNz";

/** Suppliers without signatures are told apart by their address. */
const byAddress: NonNullable<ConnectorUnderTest["callbacks"]> = {
  genuine: (sent, at) => ({ ...sent, addressSecret, at }),
  forged: (sent, at) => [
    { ...sent, addressSecret: null, at },
    { ...sent, addressSecret: "", at },
    { ...sent, addressSecret: `${addressSecret}x`, at },
    { ...sent, addressSecret: addressSecret.replace("c2", "d2"), at },
  ],
};

const vtpassUnderTest: ConnectorUnderTest = {
  name: "vtpass",
  stub: vtpassStub,
  sells: {
    airtime: "mtn",
    data: "mtn-data/mtn-1gb",
    "electricity, prepaid": "ikeja-electric/prepaid",
    "electricity, postpaid": "ikeja-electric/postpaid",
    cable: "dstv/dstv-compact",
    "cable, renewed": "dstv",
    education: "waec/waecdirect",
    internet: "smile-direct/516",
  },
  usual: "electricity, prepaid",
  referenceAtSupplier: (request) => requestIdOf(request) ?? "",
  canAskUnanswered: true,
  keys: [...Object.values(vtpassKeys), addressSecret],
  saysReversed: true,
  dialect: ({ baseUrl, clock, wrongKeys }) =>
    vtpass(
      {
        name: "vtpass",
        baseUrl: `${baseUrl}/api`,
        ...vtpassKeys,
        ...(wrongKeys ? { secretKey: "SK_wrong" } : {}),
        callbackSecret: addressSecret,
      },
      clock,
    ),
  verifies: {
    known: verifyRequest({ supplierCode: "ikeja-electric/prepaid" }),
    unknown: verifyRequest({ supplierCode: "ikeja-electric/prepaid", customerRef: "45012340009" }),
  },
  balance: 25_103_550n,
  callbacks: byAddress,
};

const legacyScriptUnderTest: ConnectorUnderTest = {
  name: "legacy-script",
  stub: legacyScriptStub,
  sells: {
    airtime: "VTU",
    data: "166",
    "electricity, prepaid": "1/Ikeja Electric",
    "electricity, postpaid": "1/Ikeja Electric",
    cable: "2/17",
    education: "WAEC",
  },
  usual: "electricity, prepaid",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: false,
  keys: [legacyToken, addressSecret],
  saysReversed: false,
  dialect: ({ baseUrl, wrongKeys }) =>
    legacyScript({
      name: "legacy-script",
      baseUrl,
      token: wrongKeys ? "wrong" : legacyToken,
      networkIds: legacyNetworkIds,
      callbackSecret: addressSecret,
    }),
  verifies: {
    known: verifyRequest({ supplierCode: "1/Ikeja Electric" }),
    unknown: verifyRequest({ supplierCode: "1/Ikeja Electric", customerRef: "45012340009" }),
  },
  balance: 8_012_025n,
  callbacks: byAddress,
};

const dispenseUnderTest: ConnectorUnderTest = {
  name: "dispense",
  stub: dispenseStub,
  sells: {
    airtime: "1001",
    data: "2001",
    voice: "9001",
    "electricity, prepaid": "3001",
    cable: "4004",
    "cable, renewed": "4001",
    education: "5001",
    internet: "7008",
    betting: "6001",
    recharge_pin: "8001",
    giftcard: "11010",
    esim: "12401",
    sms: "9001",
  },
  usual: "electricity, prepaid",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: true,
  keys: [dispenseKey, dispenseWebhookSecret],
  saysReversed: false,
  dialect: ({ baseUrl, wrongKeys }) =>
    dispense({
      name: "dispense",
      baseUrl: `${baseUrl}/api/v1/merchant`,
      apiKey: wrongKeys ? "ds_live_wrong" : dispenseKey,
      webhookSecret: dispenseWebhookSecret,
    }),
  verifies: { known: verifyRequest(), unknown: verifyRequest({ customerRef: "45012340009" }) },
  balance: 123_456_789n,
  callbacks: {
    genuine: (sent, at) => ({ ...sent, headers: signed(sent, at, dispenseWebhookSecret), addressSecret: null, at }),
    forged: (sent, at) => {
      const genuine = signed(sent, at, dispenseWebhookSecret);
      const message = { ...sent, headers: genuine, addressSecret: null, at };
      return [
        { ...message, headers: sent.headers },
        { ...message, headers: signed(sent, at, "whsec_c29tZWJvZHkgZWxzZQ==") },
        { ...message, body: sent.body.replace("successful", "failed") },
        { ...message, headers: { ...genuine, "webhook-id": "d-2" } },
        { ...message, at: at + 301_000 },
        {
          ...message,
          headers: { ...genuine, "webhook-signature": genuine["webhook-signature"].replace("v1,", "v2,") },
        },
      ];
    },
  },
};

/** Every connector that speaks to a supplier over HTTP. */
export const connectorsUnderTest: readonly ConnectorUnderTest[] = [
  vtpassUnderTest,
  legacyScriptUnderTest,
  dispenseUnderTest,
];

export interface Bench {
  readonly stub: StubServer;
  readonly connector: Connector;
  readonly clock: Clock & { time: number };
  /** Where nobody listens. */
  readonly unreachable: Connector;
  readonly deniedAccess: Connector;
  request(wish?: WishName): VendRequest;
  /** Under the supplier's own name, from the stub's log. */
  vends(request: VendRequest): number;
  close(): Promise<void>;
}

/** A stub and a connector that knows where it is. Deadlines are short, so that silence does not take half a minute. */
export async function openBench(under: ConnectorUnderTest, clock: Clock & { time: number }): Promise<Bench> {
  const stub = await startStub(under.stub);
  const nobody = "127.0.0.1:1";
  const http = openAllowlistedHttp({
    origins: [stub.url, `http://${nobody}`],
    monotonicMs: () => performance.now(),
  });
  const services = { http, clock, fits: fulfilmentFits(), deadlineMs: 500 };
  const open = (baseUrl: string, wrongKeys = false) =>
    httpConnector(under.dialect({ baseUrl, clock, wrongKeys }), services);
  return {
    stub,
    clock,
    connector: open(stub.url),
    unreachable: open(`http://${nobody}`),
    deniedAccess: open(stub.url, true),
    request: (wish = under.usual) => vendRequest({ ...wishes[wish], supplierCode: under.sells[wish] ?? null }),
    vends: (request) => stub.vends(under.referenceAtSupplier(request)),
    async close() {
      await stub.close();
      await http.close();
    },
  };
}
