import { setTimeout as delay } from "node:timers/promises";
import type { VendRequest, VerifyRequest } from "../../../src/categories/supplier-request.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import {
  type AllowlistedHttp,
  openAllowlistedHttp,
} from "../../../src/platform/outbound-http/allowlisted-http-client.ts";
import { noTokenStore } from "../../../src/providers/access-token.ts";
import type { CallbackMessage, Connector, VendOutcome } from "../../../src/providers/contract.ts";
import type { ConnectorServices } from "../../../src/providers/http-connector.ts";
import { openSupplier } from "../../../src/providers/registry.ts";
import type { Play, SentCallback, StubDialect } from "./stub-dialect.ts";
import { type StubServer, startStub } from "./stub-server.ts";
import { vendRequest, wishes } from "./vend-requests.ts";

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
  /** It has no question about a purchase at all: what its first answer left open goes to a person. */
  readonly asksNothing?: true;
  /** A refusal never tells the supplier's name for the purchase: it gives none to what it refuses. */
  readonly namesNoRefusals?: true;
  /** As long as the goods are not there, its answers do not tell whose purchase they are about. */
  readonly namesOnlyGoods?: true;
  /** Our keys there: none of them may stand in the evidence. */
  readonly keys: readonly string[];
  /** It knows no reference of ours, so that a repeat is another purchase there: all depends on our sending once. */
  readonly repeatsAreExecuted?: true;
  /** Though it executes repeats, what it tells of a purchase holds our reference: as a note of ours, say. */
  readonly repeatsOurReference?: true;
  /** To a repeat it says what it said to the first: nobody can tell that a reference was used before. */
  readonly repeatsAreAnsweredAlike?: true;
  /** For how long it must say that it never received an attempt, where the usual time is too short. */
  readonly quietMs?: number;
  /** Whether it has a word for goods that it took back. */
  readonly saysReversed: boolean;
  /** What an operator enters for it. */
  entered(options: { readonly baseUrl: string; readonly wrongKeys: boolean }): {
    readonly settings: JsonObject;
    readonly credentials: JsonObject;
  };
  /** A number that it knows, and one that it does not. */
  readonly verifies: { readonly known: VerifyRequest; readonly unknown: VerifyRequest } | null;
  /** What is left of our money, as the stub says, in hundredths. */
  readonly balance: bigint | null;
  /** How a callback's message is made genuine, and every way to forge it. */
  readonly callbacks: {
    genuine(sent: SentCallback, at: number): CallbackMessage;
    forged(sent: SentCallback, at: number): readonly CallbackMessage[];
    /** Whether it says only its own reference, never ours. */
    readonly saysOnlyTheirs?: true;
  } | null;
}

export const addressSecret = "c2VjcmV0LW9mLXRoZS1hZGRyZXNz";

function called({ headers, body, query = "" }: SentCallback) {
  return { headers, body, query };
}

/** Suppliers without signatures are told apart by their address. */
export const byAddress: NonNullable<ConnectorUnderTest["callbacks"]> = {
  genuine: (sent, at) => ({ ...called(sent), addressSecret, at }),
  forged: (sent, at) => [
    { ...called(sent), addressSecret: null, at },
    { ...called(sent), addressSecret: "", at },
    { ...called(sent), addressSecret: `${addressSecret}x`, at },
    { ...called(sent), addressSecret: addressSecret.replace("c2", "d2"), at },
  ],
};

export interface Bench {
  readonly stub: StubServer;
  readonly connector: Connector;
  readonly clock: Clock & { time: number };
  /** Asks the supplier to vend, with little patience while its play is never answered in time. */
  vend(request: VendRequest): Promise<VendOutcome>;
  /** Where nobody listens. */
  readonly unreachable: Connector;
  readonly deniedAccess: Connector;
  request(wish?: WishName): VendRequest;
  /** Under the supplier's own name, from the stub's log. */
  vends(request: VendRequest): number;
  /** How often the purchase was sent there. */
  sends(request: VendRequest): number;
  close(): Promise<void>;
}

/** The services of a connector in a test: all usual, and no tokens shared. */
export function connectorServices(http: AllowlistedHttp, clock: Clock): ConnectorServices {
  const monotonicMs = () => performance.now();
  // Seconds between questions would be most of a test, and change nothing but that.
  const pause = (ms: number) => delay(ms / 100);
  return { http, clock, monotonicMs, tokenStore: noTokenStore, pause };
}

/** Opens a connector as the service does, from what an operator enters. */
export function openConnector(
  under: ConnectorUnderTest,
  options: Parameters<ConnectorUnderTest["entered"]>[0],
  services: ConnectorServices,
): Connector {
  const opened = openSupplier({ name: under.name, connector: under.name, ...under.entered(options) }, services);
  if (opened.kind === "unfit") throw new Error(opened.complaint);
  return opened.connector;
}

/** Long enough for several questions on a busy machine. */
const deadlineMs = 2_000;
/** For plays that are never answered in time. */
const impatientMs = 150;

/** A stub and a connector that knows where it is. */
export async function openBench(under: ConnectorUnderTest, clock: Clock & { time: number }): Promise<Bench> {
  const stub = await startStub(under.stub, clock);
  const nobody = "127.0.0.1:1";
  const http = openAllowlistedHttp({
    origins: [stub.url, `http://${nobody}`],
    monotonicMs: () => performance.now(),
  });
  const open = (baseUrl: string, { wrongKeys = false, waitsMs = deadlineMs } = {}) =>
    openConnector(under, { baseUrl, wrongKeys }, { ...connectorServices(http, clock), deadlineMs: waitsMs });
  const [connector, impatient] = [open(stub.url), open(stub.url, { waitsMs: impatientMs })];
  return {
    stub,
    clock,
    connector,
    // Of what it would wait for in vain, it waits less.
    vend: (request) => (isUnanswered(stub.play) ? impatient : connector).vend(request),
    unreachable: open(`http://${nobody}`),
    deniedAccess: open(stub.url, { wrongKeys: true }),
    request: (wish = under.usual) =>
      withLetterOfItsOwn(vendRequest({ ...wishes[wish], supplierCode: under.sells[wish] ?? null })),
    vends: (request) => stub.vends(under.referenceAtSupplier(request)),
    sends: (request) =>
      stub.log.filter(
        ({ question, reference }) => question === "vend" && reference === under.referenceAtSupplier(request),
      ).length,
    async close() {
      await stub.close();
      await http.close();
    },
  };
}

function isUnanswered(play: Play): boolean {
  return play === "slow" || play === "dripping_answer";
}

/** Where a text is sent, it ends in the transaction's id: a stub that is told no reference knows the purchase by that. */
function withLetterOfItsOwn(request: VendRequest): VendRequest {
  const { details, transactionId } = request;
  if (typeof details.message !== "string") return request;
  return { ...request, details: { ...details, message: `${details.message} ${transactionId}` } };
}
