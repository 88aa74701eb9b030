import { clubkonnectTraps } from "./clubkonnect-traps.ts";
import { addressSecret, byAddress, type ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, StubDialect, StubRecord } from "./stub-dialect.ts";
import { verifyRequest } from "./vend-requests.ts";

export const clubkonnectKeys = {
  userId: "CK00004711",
  apiKey: "MADEUP0KEY1OF2THE3STUB4ALONE5",
};
const callbacksAt = "https://shop.example/supplier-callbacks/clubkonnect";
const meterToken = "26362054405982757802";

/** What each script sells, as its answers call it. */
const orderTypes: Readonly<Record<string, (body: Requested["body"]) => string>> = {
  "/APIAirtimeV1.asp": ({ Amount }) => `${Amount} Credit`,
  "/APIDatabundleV1.asp": ({ DataPlan }) => `Data ${DataPlan}`,
  "/APICableTVV1.asp": ({ Package }) => String(Package),
  "/APIElectricityV1.asp": () => "Electricity",
  "/APIBettingV1.asp": () => "Betting",
  "/APIWAECV1.asp": () => "WAEC Result Checker PIN",
  "/APIEPINV1.asp": () => "EPIN",
  "/APISmileV1.asp": () => "Smile",
};
const networkNames: Readonly<Record<string, string>> = { "01": "MTN", "02": "Glo", "03": "m_9mobile", "04": "Airtel" };

/** ClubKonnect as its documentation and its customers' programs show it: all by GET, JSON called HTML. */
export const clubkonnectStub: StubDialect = {
  receive({ path, query, body }): Requested | null {
    const { MobileNumber, MeterNo, SmartCardNo, CustomerID, PhoneNo, RequestID, OrderID } = body;
    const number = String(MobileNumber ?? MeterNo ?? SmartCardNo ?? CustomerID ?? PhoneNo ?? "");
    const calls = { reference: String(RequestID ?? OrderID ?? ""), number, body: { ...body, script: path } };
    if (/^\/API[A-Za-z]+V2\.asp$/.test(path)) return { ...calls, question: "catalogue" };
    const isKnown = query.get("UserID") === clubkonnectKeys.userId && query.get("APIKey") === clubkonnectKeys.apiKey;
    if (!isKnown) return { ...calls, question: "denied" };
    if (path in orderTypes) return { ...calls, question: "vend" };
    if (path === "/APIQueryV1.asp") return { ...calls, question: "requery" };
    if (path === "/APIWalletBalanceV1.asp") return { ...calls, question: "balance" };
    return path.startsWith("/APIVerify") ? { ...calls, question: "verify" } : null;
  },
  say: (saying, calls, record) => ({ status: 200, body: say(saying, calls, record) }),
  call(record, status) {
    const { statuscode, status: orderstatus } = reply(status);
    const query = new URLSearchParams({
      orderid: record.id,
      statuscode,
      orderstatus,
      orderremark: `To ${record.number}`,
      orderdate: "25th-Nov-2026",
      requestid: record.reference,
    });
    return { headers: {}, body: "", query: query.toString() };
  },
  traps: clubkonnectTraps(clubkonnectKeys),
  outOfMoney: { status: 200, body: { statuscode: "417", status: "INSUFFICIENT_BALANCE" } },
};

function reply(saying: Saying): { statuscode: string; status: string; remark: string } {
  const words: Partial<Record<Saying, readonly [string, string, string]>> = {
    vended: ["200", "ORDER_COMPLETED", "TRANSACTION SUCCESSFUL"],
    pending: ["100", "ORDER_RECEIVED", "Awaiting Processing"],
    declined: ["500", "ORDER_CANCELLED", "Order was cancelled"],
    reversed: ["899", "ORDER_REFUNDED", "Order was refunded"],
    undocumented: ["777", "ORDER_PARKED", "Something new"],
    duplicate: ["521", "ORDER_CANCELLED", "Already completed, cancelled or refunded"],
  };
  const [statuscode = "", status = "", remark = ""] = words[saying] ?? [];
  if (statuscode === "") throw new Error(`nobody asks it for ${saying}`);
  return { statuscode, status, remark };
}

function say(saying: Saying, calls: Requested, record: StubRecord | null): unknown {
  switch (saying) {
    case "absent":
      return { status: "INVALID_REQUESTID" };
    case "denied":
      return { status: "INVALID_CREDENTIALS" };
    case "balance":
      return { date: "25th-Nov-2026", id: clubkonnectKeys.userId, phoneno: "08149659347", balance: "4,985.28" };
    case "verified":
      return { customer_name: "ADA OBI" };
    case "unverifiable":
      return { customer_name: "INVALID_METERNO" };
    case "catalogue":
      return {};
    case "vended":
      return calls.body.Value === undefined && record!.calls.body.Value === undefined
        ? order(saying, record!)
        : ePins(record!, calls.question);
    default:
      return order(saying, record!);
  }
}

/** E-PINs come without a status, and without their order at once. */
function ePins({ id, calls: { body } }: StubRecord, question: Requested["question"]): unknown {
  const TXN_EPIN = Array.from({ length: Number(body.Quantity) }, (_, n) => ({
    transactionid: `63427277${id}${n}`,
    transactiondate: "11/25/2026 11:00:00 AM",
    batchno: "203682",
    mobilenetwork: "MTN",
    sno: `6804013069842${n}A`,
    pin: `146297803330${n}B`,
    amount: body.Value,
  }));
  return question === "vend" ? { TXN_EPIN } : { ORDER_ID: id, TXN_EPIN };
}

function order(saying: Saying, record: StubRecord): Record<string, unknown> {
  const { body } = record.calls;
  const network = networkNames[String(body.MobileNetwork)];
  return {
    date: "25th-Nov-2026",
    orderid: record.id,
    requestid: record.reference,
    ...reply(saying),
    ordertype: orderTypes[String(body.script)]?.(body),
    ...(network === undefined ? {} : { mobilenetwork: network }),
    ...(body.MobileNumber === undefined ? { phoneno: body.PhoneNo } : { mobilenumber: body.MobileNumber }),
    amountcharged: "96.5",
    walletbalance: "3651.449",
    ...(saying === "vended" ? goods(body) : {}),
  };
}

function goods({ MeterType, ExamType }: Requested["body"]): Record<string, unknown> {
  if (MeterType === "01") return { metertoken: `Token: ${meterToken.replace(/(.{4})(?=.)/g, "$1-")}` };
  return ExamType === undefined ? {} : { carddetails: "Serial No:WRN200343867, pin: 5728A1474684" };
}

export const underTest: ConnectorUnderTest = {
  name: "clubkonnect",
  stub: clubkonnectStub,
  sells: {
    airtime: "01",
    data: "01/1000.01",
    "electricity, prepaid": "02",
    "electricity, postpaid": "02",
    cable: "dstv/dstv79",
    "education, one": "waec/waecdirect",
    internet: "smile-direct/624",
    betting: "product-bet-king",
    recharge_pin: "01",
  },
  usual: "electricity, prepaid",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: true,
  keys: [...Object.values(clubkonnectKeys), addressSecret],
  saysReversed: true,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: baseUrl, callbacks_at: callbacksAt, finds_references: true },
    credentials: {
      user_id: clubkonnectKeys.userId,
      api_key: wrongKeys ? "wrong" : clubkonnectKeys.apiKey,
      callback_secret: addressSecret,
    },
  }),
  verifies: {
    known: verifyRequest({ supplierCode: "02" }),
    unknown: verifyRequest({ supplierCode: "02", customerRef: "45012340009" }),
  },
  balance: 498_528n,
  callbacks: byAddress,
};
