import { addressSecret, byAddress, type ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, StubAnswer, StubDialect, StubRecord, Trap } from "./stub-dialect.ts";

export const esimAccessCode = "c7f2a6b0e5d94f0cb1a3d8e9f7a60b12";

/** What a trap comes to, beside what it does. */
const isVended = { supplier: "vended", vend: "vended", end: "vended" } as const;
const isLater = { supplier: "vended", vend: "unknown", end: "vended" } as const;
const isDeclined = { supplier: "declined", vend: "declined", end: "declined" } as const;

/** eSIM Access as its documentation and its clients show it. */
export const esimAccessStub: StubDialect = {
  receive({ method, path, headers, body }): Requested | null {
    const calls = { reference: String(body.transactionId ?? body.orderNo ?? ""), number: "", body };
    if (method !== "POST") return null;
    if (headers["rt-accesscode"] !== esimAccessCode) return { ...calls, question: "denied" };
    if (path === "/esim/order") return { ...calls, question: "vend" };
    if (path === "/esim/query") return { ...calls, question: body.orderNo === undefined ? "list" : "requery" };
    if (path === "/balance/query") return { ...calls, question: "balance" };
    return path === "/package/list" ? { ...calls, question: "catalogue" } : null;
  },
  say,
  list(records, { body }) {
    const [from, to] = [Date.parse(String(body.startTime)), Date.parse(String(body.endTime))];
    const rows = records.flatMap((record) =>
      record.state === "vended" && record.at >= from && record.at < to ? profiles(record) : [],
    );
    const { pageNum, pageSize } = body.pager as { readonly pageNum: number; readonly pageSize: number };
    const page = rows.slice((pageNum - 1) * pageSize, pageNum * pageSize);
    return yes({ esimList: page, pager: { pageSize, pageNum, total: rows.length } });
  },
  outOfMoney: no("200007", "Insufficient account balance"),
  call(record, status) {
    const orderStatus = { vended: "GOT_RESOURCE", declined: "CANCEL", pending: "GETTING_RESOURCE" }[status];
    return {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ notifyType: "ORDER_STATUS", content: { orderNo: record.id, orderStatus } }),
    };
  },
  traps: traps(),
};

function say(saying: Saying, calls: Requested, record: StubRecord | null): StubAnswer {
  const isOrder = calls.question === "vend";
  switch (saying) {
    case "vended":
      return isOrder ? ordered(record!) : listed(profiles(record!));
    case "pending":
      return isOrder ? ordered(record!) : no("200010", "SM-DP+ is still allocating profiles for the order");
    case "declined":
      return isOrder ? no("200011", "Insufficient available Profiles for the package") : cancelled(record!);
    case "reversed":
      return cancelled(record!);
    // Documented as the same request, and answered as the first one was.
    case "duplicate":
      return ordered(record!);
    case "undocumented":
      return no("200099", "Something new");
    case "absent":
      return listed([]);
    case "denied":
      return no("101003", "Request signature mismatch.");
    case "balance":
      return yes({ balance: 945_099, lastUpdateTime: "2026-11-20T10:00:00+0000" });
    case "catalogue":
      return yes({ packageList: [spain, { ...spain, packageCode: "P1X57VWMR", slug: "GE_1_Daily", price: 9_050 }] });
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

const spain = {
  packageCode: "CKH002",
  slug: "ES_3_30",
  name: "Spain 3GB 30Days",
  price: 18_000,
  currencyCode: "USD",
  volume: 3_221_225_472,
  dataType: 1,
  duration: 30,
  durationUnit: "DAY",
  location: "ES",
  retailPrice: 36_000,
};

function yes(obj: unknown): StubAnswer {
  return { status: 200, body: { success: true, errorCode: "0", errorMsg: null, obj } };
}

function no(errorCode: unknown, errorMsg: string, status = 200): StubAnswer {
  return { status, body: { success: false, errorCode, errorMsg, obj: null } };
}

function ordered(record: StubRecord): StubAnswer {
  return yes({ orderNo: record.id });
}

function listed(esimList: readonly unknown[]): StubAnswer {
  return yes({ esimList, pager: { pageSize: 100, pageNum: 1, total: esimList.length } });
}

function cancelled(record: StubRecord): StubAnswer {
  return listed(profiles(record, { esimStatus: "CANCEL" }));
}

/** As many as were ordered, each with changes of its own. */
function profiles(record: StubRecord, ...changes: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const [order] = record.calls.body.packageInfoList as readonly { packageCode: string; count: number }[];
  return Array.from({ length: order!.count }, (_, n) => ({
    esimTranNo: `2603311929000${n}`,
    orderNo: record.id,
    transactionId: record.reference,
    imsi: "310840118124583",
    iccid: `891030000004440475${n}`,
    smsStatus: 0,
    msisdn: "436789040077567",
    ac: `LPA:1$rsp-eu.simlessly.com$C5F541D4E3174EA38A74B6EF7CCB80F${n}`,
    qrCodeUrl: `https://p.qrsim.net/90f19728db9445fb9ebfb525e0db279${n}.png`,
    shortUrl: `https://p.qrsim.net/90f19728db9445fb9ebfb525e0db279${n}`,
    smdpStatus: "RELEASED",
    eid: "",
    dataType: 1,
    activateTime: null,
    expiredTime: "2027-05-18T19:29:36+0000",
    totalVolume: 1_073_741_824,
    totalDuration: 7,
    durationUnit: "DAY",
    orderUsage: 0,
    esimStatus: "GOT_RESOURCE",
    pin: "6313",
    puk: "25363068",
    apn: "isp",
    packageList: [{ packageName: "UK 1GB 7Days", packageCode: order!.packageCode, slug: "GB_1_7", locationCode: "GB" }],
    ...changes[n % Math.max(1, changes.length)],
  }));
}

/** An answer to the first questions alone. */
function first(count: number, answer: (record: StubRecord) => StubAnswer): Required<Pick<Trap, "again">>["again"] {
  return (_, record, nth) => (nth <= count ? answer(record) : null);
}

function traps(): Record<string, Trap> {
  return {
    "profiles that come later": {
      ...isLater,
      does: "Its yes to the order comes before the profiles, which it is still allocating.",
      again: first(1, () => no("200010", "SM-DP+ is still allocating profiles for the order")),
    },
    "an empty list at first": {
      ...isLater,
      does: "It lists no profile of an order that it took a moment ago.",
      again: first(1, () => listed([])),
    },
    "one profile of three": {
      ...isLater,
      wish: "esims",
      does: "It lists the first of three profiles, and the others are being allocated.",
      again: first(1, (record) => listed(profiles(record).slice(0, 1))),
    },
    "a profile without its code": {
      ...isLater,
      wish: "esims",
      does: "One of three profiles is said to be there, and has no activation code yet.",
      again: first(1, (record) => listed(profiles(record, {}, { ac: "" }, {}))),
    },
    "one profile twice": {
      ...isLater,
      wish: "esims",
      does: "It lists one profile twice, where three were bought.",
      again: first(1, (record) => listed(profiles(record, {}, { iccid: "8910300000044404750" }, {}))),
    },
    "an activation code that wants a confirmation code": {
      ...isVended,
      does: "The activation code says that the device will ask for a confirmation code.",
      again: (_, record) => listed(profiles(record, { ac: "LPA:1$rsp.example$K7M9$$1" })),
    },
    "an activation code of another shape": {
      supplier: "vended",
      vend: "unknown",
      end: "unknown",
      does: "It has an address where the activation code should stand.",
      again: (_, record) => listed(profiles(record, { ac: "https://p.qrsim.example/c4f2.png" })),
    },
    "suspended before it was handed over": {
      supplier: "vended",
      vend: "unknown",
      end: "unknown",
      does: "It allocated the profile and somebody suspended it.",
      again: (_, record) => listed(profiles(record, { esimStatus: "SUSPENDED" })),
    },
    "cancelled in part": {
      supplier: "vended",
      vend: "unknown",
      end: "unknown",
      wish: "esims",
      does: "Of three profiles one was cancelled, and its price returned.",
      again: (_, record) => listed(profiles(record, { esimStatus: "CANCEL" }, {}, {})),
    },
    "a yes in words": {
      ...isVended,
      does: "It writes `success` as a text, as its documentation does, and no code.",
      answer: (_, { id }) => ({ status: 200, body: { success: "true", errorCode: null, obj: { orderNo: id } } }),
    },
    "numbers for texts": {
      ...isVended,
      does: "It writes the order's number as a number.",
      answer: (_, { id }) => yes({ orderNo: Number(id) }),
    },
    "a code without its zeros": {
      ...isDeclined,
      does: "It writes the error's code as a number, which has no zeros in front.",
      answer: () => no(105, "Request parameters (mandatory) are not contained"),
    },
    "a refusal with an order": {
      ...isLater,
      does: "It says that our balance is too low, beside the number of the order that it took.",
      answer: (_, { id }) => ({
        status: 200,
        body: { success: false, errorCode: "200007", errorMsg: "Insufficient account balance", obj: { orderNo: id } },
      }),
    },
    "a yes with an error's code": {
      ...isLater,
      does: "It says `success` beside an error's code, and no order.",
      answer: () => ({ status: 200, body: { success: true, errorCode: "200011", obj: null } }),
    },
    "a fault of theirs": {
      ...isLater,
      does: "It says 000001, server error, of an order that it took.",
      answer: () => no("000001", "Server error"),
    },
    "an order in no ordinary state": {
      ...isLater,
      does: "It says 200009, abnormal order status, of an order that it took.",
      answer: () => no("200009", "Abnormal order status"),
    },
    "a refusal without a code": {
      ...isLater,
      does: "It says no without a code, and took the order.",
      answer: () => ({ status: 200, body: { success: false, errorCode: null, errorMsg: "failed", obj: null } }),
    },
    "no money left": {
      ...isDeclined,
      does: "Our balance there is too low.",
      answer: () => no("200007", "Insufficient account balance"),
    },
    "too many requests": {
      ...isDeclined,
      does: "It answers 429 to more than eight requests a second.",
      answer: () => no(null, "Too many requests", 429),
    },
    "an outage page": {
      ...isLater,
      does: "Its gateway shows a page in HTML after the order was taken.",
      answer: () => ({ status: 502, body: "<html><h1>502 Bad Gateway</h1></html>" }),
    },
    "a question that is refused": {
      ...isLater,
      does: "It refuses our questions for the profiles of an order that it delivered.",
      again: first(2, () => no("101002", "This IP is in the blocklist.")),
    },
    "our key in its answer": {
      ...isDeclined,
      does: "It repeats our access code in its refusal.",
      answer: () => no("000102", `Wrong request header format: RT-AccessCode ${esimAccessCode}`),
    },
    "a code in a text": {
      ...isLater,
      does: "It tells the activation code in an error's text.",
      answer: () => no("200009", "Abnormal order status: LPA:1$rsp-eu.simlessly.com$C5F541D4E3174EA38A74B6EF7CCB80F0"),
    },
  };
}

export const underTest: ConnectorUnderTest = {
  name: "esim-access",
  stub: esimAccessStub,
  sells: { esim: "CKH511", esims: "GB_1_7" },
  usual: "esim",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: true,
  keys: [esimAccessCode, addressSecret],
  repeatsAreAnsweredAlike: true,
  namesNoRefusals: true,
  namesOnlyGoods: true,
  quietMs: 1_800_000,
  saysReversed: true,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: baseUrl },
    credentials: { access_code: wrongKeys ? "wrong" : esimAccessCode, callback_secret: addressSecret },
  }),
  verifies: null,
  balance: 9_450n,
  callbacks: { ...byAddress, saysOnlyTheirs: true },
};
