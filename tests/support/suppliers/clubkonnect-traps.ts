import type { Requested, StubAnswer, StubRecord, Trap } from "./stub-dialect.ts";

type Fields = Record<string, unknown>;

const said = (body: unknown, status = 200): StubAnswer => ({ status, body });
const outagePage = said("<html><title>500 - Internal server error.</title></html>", 500);
const meterToken = "26362054405982757802";

/** An answer about the order, with what it says of how it stands. */
function about({ id, reference }: StubRecord, statuscode: unknown, status: string, more: Fields = {}): StubAnswer {
  return said({ orderid: id, requestid: reference, statuscode, status, ...more });
}

/** The same to the purchase and to every question about it. */
function always(answer: (calls: Requested, record: StubRecord) => StubAnswer): Pick<Trap, "answer" | "again"> {
  return { answer, again: answer };
}

/** `count` of `quantity` e-PINs of a value. */
function cards(count: number, amount: string): Fields {
  const TXN_EPIN = Array.from({ length: count }, (_, n) => ({
    transactionid: `634272771${n}`,
    mobilenetwork: "MTN",
    sno: `6804013069842${n}A`,
    pin: `146297803330${n}B`,
    amount,
  }));
  return { TXN_EPIN };
}

const declined = { supplier: "declined", vend: "declined", end: "declined" } as const;
const later = { supplier: "vended", vend: "unknown", end: "vended" } as const;
const forPerson = { supplier: "vended", vend: "unknown", end: "unknown" } as const;

/** What ClubKonnect does and others do not. */
export function clubkonnectTraps(keys: { readonly userId: string; readonly apiKey: string }) {
  return {
    silent_network_says_completed: {
      does: "says ORDER_COMPLETED while the network is silent (201), and delivers later",
      ...later,
      answer: (_, record) => about(record, "201", "ORDER_COMPLETED", { metertoken: "" }),
      again: (_, record, nth) => (nth < 3 ? about(record, "201", "ORDER_COMPLETED") : null),
    },
    silent_network_cancels: {
      does: "says ORDER_COMPLETED while the network is silent (201), and cancels after an hour",
      supplier: "declined",
      vend: "unknown",
      end: "declined",
      answer: (_, record) => about(record, "201", "ORDER_COMPLETED"),
      again: (_, record, nth) => (nth < 3 ? about(record, "201", "ORDER_COMPLETED") : null),
    },
    silent_network_of_airtime: {
      does: "says ORDER_COMPLETED (201) of airtime, which has no token that could be missing",
      ...forPerson,
      wish: "airtime",
      ...always((_, record) => about(record, "201", "ORDER_COMPLETED")),
    },
    unspecified_says_completed: {
      does: "says ORDER_COMPLETED with 299, which is an error that nobody specified",
      ...forPerson,
      wish: "airtime",
      ...always((_, record) => about(record, "299", "ORDER_COMPLETED")),
    },
    completed_without_code: {
      does: "says ORDER_COMPLETED and no number, so that it may be 200 or 201",
      ...forPerson,
      wish: "airtime",
      ...always((_, { id }) => said({ orderid: id, status: "ORDER_COMPLETED" })),
    },
    on_hold: {
      does: "holds an order (600, 603) before it delivers",
      ...later,
      answer: (_, record) => about(record, "600", "ORDER_ONHOLD"),
      again: (_, record, nth) => (nth === 1 ? about(record, "603", "ORDER_ONHOLD") : null),
    },
    on_hold_credited_back: {
      does: "calls an order ORDER_ONHOLD whose money it has credited back (602)",
      ...declined,
      answer: (_, record) => about(record, "602", "ORDER_ONHOLD"),
    },
    cancelled_by_text: {
      does: "cancels in words alone",
      ...declined,
      answer: (_, { id }) => said({ orderid: id, status: "ORDER_CANCELLED" }),
    },
    contradicts_itself: {
      does: "says 200 and ORDER_CANCELLED in one answer",
      ...forPerson,
      ...always((_, record) => about(record, "200", "ORDER_CANCELLED", { metertoken: meterToken })),
    },
    refuses_without_code: {
      does: "refuses with a word and no number",
      ...declined,
      answer: () => said({ status: "INVALID_METERNO" }),
    },
    refuses_with_code: {
      does: "refuses with a number and ORDER_ERROR, its reason in the remark",
      ...declined,
      answer: () => said({ orderid: "", statuscode: "417", status: "ORDER_ERROR", remark: "INSUFFICIENT_BALANCE" }),
    },
    refuses_what_it_took: {
      does: "refuses with a number, and names an order",
      supplier: "vended",
      vend: "unknown",
      end: "vended",
      answer: (_, record) => about(record, "409", "ORDER_ERROR"),
    },
    repeats_our_key: {
      does: "repeats our keys and our callback's address in its refusal",
      ...declined,
      answer: ({ body }) =>
        said({
          status: "INVALID_CREDENTIALS",
          remark: `${keys.apiKey} of ${keys.userId} is unknown`,
          request: `/APIElectricityV1.asp?UserID=${keys.userId}&APIKey=${keys.apiKey}&x=1`,
          callback: body.CallBackURL,
          called: encodeURIComponent(String(body.CallBackURL)),
        }),
    },
    repeats_our_address: {
      does: "repeats the callback's address as PHP writes it, with a backslash before each slash",
      ...declined,
      answer: ({ body }) =>
        said(`{"status":"INVALID_URL","remark":"${String(body.CallBackURL).replaceAll("/", "\\/")}"}`),
    },
    repeats_our_key_in_a_page: {
      does: "repeats our keys in an outage's page",
      ...later,
      answer: () => said(`<p>${keys.apiKey}</p>`, 500),
    },
    query_refused: {
      does: "answers a question about a delivered order with a refusal, while a new key is not known yet",
      ...later,
      answer: () => null,
      again(_, __, nth) {
        const refusals = [
          { status: "INVALID_CREDENTIALS" },
          { statuscode: "400", status: "ORDER_ERROR", remark: "INVALID_CREDENTIALS" },
          { statuscode: "409", status: "ORDER_ERROR", remark: "INVALID_RECIPIENT" },
        ];
        return nth > refusals.length ? null : said(refusals[nth - 1]);
      },
    },
    outage_page_for_refusal: {
      does: "answers the outage's page to an order that it refused, and knows no such order afterwards",
      supplier: "declined",
      vend: "unknown",
      end: "declined",
      answer: () => outagePage,
      again: () => said({ status: "INVALID_REQUESTID" }),
    },
    outage_page_for_delivery: {
      does: "answers the outage's page to an order that it delivers, and to the first question about it",
      ...later,
      answer: () => said(String(outagePage.body), 503),
      again: (_, __, nth) => (nth === 1 ? outagePage : null),
    },
    forgets_what_it_named: {
      does: "names an order, and finds none by our reference, as it kept only the beginning of that",
      ...forPerson,
      answer: (_, record) => about(record, "100", "ORDER_RECEIVED"),
      again: () => said({ status: "INVALID_REQUESTID" }),
    },
    tells_its_history: {
      does: "answers a reference that it knows with its history",
      ...forPerson,
      answer: (_, { id }) => said({ TXN_HISTORY: [{ orderid: id, statuscode: "500", status: "ORDER_CANCELLED" }] }),
    },
    token_later: {
      does: "completes an order minutes before it has the meter's token",
      ...later,
      answer: (_, record) => about(record, "100", "ORDER_RECEIVED"),
      again: (_, record, nth) => (nth === 1 ? about(record, "200", "ORDER_COMPLETED", { metertoken: "" }) : null),
    },
    token_never: {
      does: "completes an order and never has the meter's token",
      ...forPerson,
      ...always((_, record) => about(record, "200", "ORDER_COMPLETED", { metertoken: "Token generation pending" })),
    },
    several_tokens: {
      does: "answers a key-change token and the token in one text, in an order that nobody describes",
      ...forPerson,
      ...always((_, record) =>
        about(record, "200", "ORDER_COMPLETED", { metertoken: `11112222333344445555, ${meterToken}` }),
      ),
    },
    numbers_for_texts: {
      does: "writes its number, its order and the token as numbers",
      supplier: "vended",
      vend: "vended",
      end: "vended",
      answer: (_, { reference }) =>
        said(`{"orderid":6501321715,"requestid":"${reference}","statuscode":200,
          "status":"ORDER_COMPLETED","metertoken":${meterToken}}`),
    },
    card_later: {
      does: "completes an exam's order before it has the card",
      ...later,
      wish: "education, one",
      answer: (_, record) => about(record, "200", "ORDER_COMPLETED", { carddetails: "" }),
    },
    card_never: {
      does: "completes an exam's order, and has a serial number for a card",
      ...forPerson,
      wish: "education, one",
      ...always((_, record) => about(record, "200", "ORDER_COMPLETED", { carddetails: "Serial No:WRN200343867" })),
    },
    pin_beside_the_text: {
      does: "writes a card's PIN into a field of its own",
      supplier: "vended",
      vend: "vended",
      end: "vended",
      wish: "education, one",
      answer: (_, record) =>
        about(record, "200", "ORDER_COMPLETED", { carddetails: "Serial No:WRN200343867", pin: "5728A1474684" }),
    },
    pins_missing: {
      does: "hands over two PINs of three",
      ...later,
      wish: "recharge_pin",
      answer: () => said(cards(2, "100")),
    },
    pins_of_another_value: {
      does: "hands over PINs of another value",
      ...forPerson,
      wish: "recharge_pin",
      ...always(() => said(cards(3, "200"))),
    },
    pins_of_a_failed_order: {
      does: "issues the PINs of an order that it shows as cancelled",
      ...forPerson,
      wish: "recharge_pin",
      ...always((_, record) => about(record, "500", "ORDER_CANCELLED", cards(3, "100"))),
    },
  } satisfies Readonly<Record<string, Trap>>;
}
