import { cardAt, page, refusal, tokenFor, transaction } from "./reloadly-answers.ts";
import type { StubAnswer, StubRecord, Trap } from "./stub-dialect.ts";

const ok = (body: unknown): StubAnswer => ({ status: 200, body });
const cards = (...list: readonly unknown[]): Pick<Trap, "again"> => ({
  again: ({ question }) => (question === "collect" ? ok(list) : null),
});
const views = (view: string, answer: (record: StubRecord) => StubAnswer): Pick<Trap, "again"> => ({
  again: ({ body }, record) => (body.view === view ? answer(record) : null),
});
const row = (record: StubRecord, change: object = {}, status = "SUCCESSFUL") => ({
  ...transaction(record, status),
  ...change,
});
const cut = () => null;
/** It sold, as nobody can tell at first. */
const foundLater = { supplier: "vended", vend: "unknown", end: "vended" } as const;
const leftToPerson = { supplier: "vended", vend: "unknown", end: "unknown" } as const;

const refusals: Readonly<Record<string, Trap>> = {
  "a refusal without a code": {
    does: "Gift cards are refused with errorCode null, in words alone.",
    supplier: "declined",
    answer: () => refusal(400, null, "Insufficient funds in your wallet"),
    vend: "declined",
    end: "declined",
  },
  "a used reference in words alone": {
    does: "That our reference was used before is said without its code.",
    ...leftToPerson,
    answer: () => refusal(400, null, "Custom Identifier must be unique"),
  },
  "a refusal after the delivery": {
    does: "It refuses with 400 what cannot be processed at the moment, and an operator has delivered it.",
    ...foundLater,
    answer: () => refusal(400, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT", "Please try again later"),
  },
  "a refusal that names a transaction": {
    does: "It answers 400 with a message, and with the transaction that it has made.",
    ...foundLater,
    answer: (_, { id }) => ({ status: 400, body: { transactionId: Number(id), message: "Notification not sent" } }),
  },
  "a conflict without a code": {
    does: "It answers 409, of which nobody says that it comes before the purchase.",
    ...foundLater,
    answer: () => refusal(409, null, "Conflict"),
  },
  "a proxy's refusal": {
    does: "A proxy before it answers 403 with a page.",
    ...foundLater,
    answer: () => ({ status: 403, body: "<html>Access denied</html>" }),
  },
  "too many requests": {
    does: "It answers 429: nothing was looked at, and nothing is sent there again under the reference.",
    supplier: "declined",
    answer: () => refusal(429, null, "Too many requests"),
    vend: "declined",
    end: "declined",
  },
  "our token said back": {
    does: "Its refusal quotes the token that it was sent.",
    supplier: "declined",
    answer: () => refusal(400, "INVALID_PRODUCT", `Not for ${tokenFor("giftcards")}`),
    vend: "declined",
    end: "declined",
  },
  "a refund": {
    does: "An order that it could not deliver is refunded at once.",
    supplier: "declined",
    answer: (_, record) => ok(row(record, {}, "REFUNDED")),
    vend: "declined",
    end: "declined",
  },
};

const codes: Readonly<Record<string, Trap>> = {
  "cards that come later": {
    does: "A successful order has no cards at first: 404, then an empty list, then one of two, then both.",
    ...foundLater,
    again: ({ question }, _, nth) => {
      if (question !== "collect" || nth > 5) return null;
      return nth === 1 ? refusal(404, null, "No cards") : ok(nth === 2 ? [] : [cardAt(0)]);
    },
  },
  "half of the cards": {
    does: "Of an order of two it never has more than one card, at last twice.",
    ...leftToPerson,
    again: ({ question }, _, nth) =>
      question === "collect" ? ok(nth === 1 ? [cardAt(0)] : [cardAt(0), cardAt(0)]) : null,
  },
  "codes as numbers": {
    does: "Card numbers and PINs are numbers, as its documentation shows them.",
    supplier: "vended",
    ...cards(
      { cardNumber: 6_120_200_345_149_064, pinCode: 8205 },
      { cardNumber: 6_120_200_345_149_072, pinCode: 8206 },
    ),
    vend: "vended",
    end: "vended",
  },
  "a code whose digits nobody told": {
    does: "A PIN is a number so long that it is written with an exponent.",
    ...leftToPerson,
    ...cards({ cardNumber: "AMZQ-0", pinCode: 2.6e22 }, { cardNumber: "AMZQ-1", pinCode: 2.7e22 }),
  },
  "codes of unexpected types": {
    does: "A PIN is a list.",
    ...leftToPerson,
    ...cards({ cardNumber: "AMZQ-0", pinCode: ["4821"] }, { cardNumber: "AMZQ-1", pinCode: [] }),
  },
  "a PIN alone": {
    does: "The code stands in pinCode, and cardNumber is empty.",
    supplier: "vended",
    ...cards({ cardNumber: null, pinCode: "22610test" }, { cardNumber: "", pinCode: "22611test" }),
    vend: "vended",
    end: "vended",
  },
  "a link instead of a code": {
    does: "A card is a link alone, in the field for it or in that for its number.",
    supplier: "vended",
    ...cards(
      { cardNumber: null, pinCode: "", redemptionUrl: "https://redeem.example/k7m9qxr2/0" },
      { cardNumber: "https://redeem.example/k7m9qxr2/1", pinCode: null, redemptionUrl: null },
    ),
    vend: "vended",
    end: "vended",
  },
  "a code too long to be handed over": {
    does: "A card is a link of more characters than our cards have room for.",
    ...leftToPerson,
    ...cards(...[0, 1].map((n) => ({ redemptionUrl: `https://redeem.example/${n}${"k7m9qxr2".repeat(60)}` }))),
  },
  "a refusal of the codes": {
    does: "The question for the cards is refused: that says nothing about the order.",
    ...foundLater,
    again: ({ question }, _, nth) => (question === "collect" && nth === 1 ? refusal(403, null, "Forbidden") : null),
  },
};

const reports: Readonly<Record<string, Trap>> = {
  "a status in small letters": {
    does: "The status is written in another case.",
    supplier: "vended",
    answer: (_, record) => ok(row(record, {}, "Successful")),
    vend: "vended",
    end: "vended",
  },
  "an order without a name": {
    does: "An order is answered without its transactionId.",
    ...foundLater,
    answer: (_, record) => ok(row(record, { transactionId: null })),
  },
  "a report that comes late": {
    does: "By its own name it does not find an order that its search finds.",
    supplier: "pending",
    ...views("report", () => refusal(404, "TRANSACTION_NOT_FOUND", "Transaction not found")),
    vend: "unknown",
    end: "vended",
  },
  "an order that was told and is denied": {
    does: "It tells an order's name, and afterwards knows neither that name nor ours.",
    supplier: "pending",
    again: ({ body }) =>
      body.view === "search" ? ok(page([])) : refusal(404, "TRANSACTION_NOT_FOUND", "Transaction not found"),
    vend: "unknown",
    end: "unknown",
  },
  "a search that ignores case": {
    does: "It finds what bears our reference in other letters, and that alone.",
    ...leftToPerson,
    answer: cut,
    ...views("search", (record) => ok(page([row(record, { customIdentifier: record.reference.toLowerCase() })]))),
  },
  "ours among others": {
    does: "It finds ours, and what bears our reference in other letters.",
    ...foundLater,
    answer: cut,
    ...views("search", (record) =>
      ok(page([row(record, { customIdentifier: record.reference.toLowerCase(), status: "FAILED" }), row(record)])),
    ),
  },
  "a search that ignores the question": {
    does: "It lists the orders of others.",
    ...leftToPerson,
    answer: cut,
    ...views("search", (record) => ok(page([row(record, { customIdentifier: "SOMEBODY-1" }, "FAILED")]))),
  },
  "an order that was executed twice": {
    does: "Two orders under one reference that were under way at once were both executed.",
    ...leftToPerson,
    answer: cut,
    ...views("search", (record) => ok(page([row(record), row(record, { transactionId: 91_000 })]))),
  },
  "a list that is none": {
    does: "Instead of a page it answers a text where the rows should be.",
    ...leftToPerson,
    answer: cut,
    ...views("search", () => ok({ content: "none", totalElements: 0 })),
  },
};

/** A phone that was topped up. */
const topups: Readonly<Record<string, Trap>> = {
  "a top-up that takes its time": {
    does: "The status has no transaction while it is processed, and tells it later.",
    supplier: "pending",
    wish: "airtime",
    vend: "vended",
    end: "vended",
  },
  "a PIN instead of a top-up": {
    does: "An operator sells a PIN, which stands in pinDetail, and no number was topped up.",
    ...leftToPerson,
    wish: "airtime",
    again: ({ body }, record) => {
      const delivered = row(record, { pinDetail: { serial: 558_111, code: "773709733097662", info1: "DIAL *611" } });
      return body.view === "status" ? ok({ status: "SUCCESSFUL", transaction: delivered }) : ok(delivered);
    },
  },
  "a top-up without a name": {
    does: "The answer to a top-up is empty.",
    ...foundLater,
    wish: "airtime",
    answer: () => ok({}),
  },
  "a top-up that no report shows": {
    does: "The answer is lost, and its search finds nothing: it may still be under way.",
    ...leftToPerson,
    wish: "airtime",
    answer: cut,
    again: ({ body }) => (body.view === "search" ? ok(page([])) : null),
  },
  "a top-up that only its status knows": {
    does: "Reports do not show it by its name or ours, while it is processed.",
    supplier: "pending",
    wish: "airtime",
    again: ({ body }, _, nth) => {
      if (body.view === "status") return nth < 3 ? ok({ status: "PROCESSING", transaction: null }) : null;
      if (body.view === "search") return ok(page([]));
      return body.view === "report" ? refusal(404, "TRANSACTION_NOT_FOUND", "Transaction not found") : null;
    },
    vend: "unknown",
    end: "vended",
  },
  "a top-up that failed without a transaction": {
    does: "The status says that it failed, and holds no transaction.",
    supplier: "declined",
    wish: "airtime",
    again: ({ body }) => (body.view === "status" ? ok({ status: "FAILED", transaction: null }) : null),
    vend: "declined",
    end: "declined",
  },
  "a top-up that succeeded without a transaction": {
    does: "The status says that it succeeded, and does not tell which: the report does.",
    ...foundLater,
    wish: "airtime",
    again: ({ body }) => (body.view === "status" ? ok({ status: "SUCCESSFUL", transaction: null }) : null),
  },
};

/** What only Reloadly does. The purchases are the usual ones, two gift cards, where nothing else is said. */
export const reloadlyTraps: Readonly<Record<string, Trap>> = { ...refusals, ...codes, ...reports, ...topups };
