import { airaloToken, listed, order, refused, sims, success } from "./airalo-answers.ts";
import type { Requested, StubAnswer, StubRecord, Trap } from "./stub-dialect.ts";

/** What a trap comes to, beside what it does. */
const isVended = { supplier: "vended", vend: "vended", end: "vended" } as const;
const isLater = { supplier: "vended", vend: "unknown", end: "vended" } as const;
const isDeclined = { supplier: "declined", vend: "declined", end: "declined" } as const;
const isOpen = { supplier: "vended", vend: "unknown", end: "unknown" } as const;

function once(answer: (record: StubRecord, calls: Requested) => StubAnswer): NonNullable<Trap["again"]> {
  return (calls, record, nth) => (nth === 1 ? answer(record, calls) : null);
}

/** What only Airalo does. */
export function airaloTraps(): Record<string, Trap> {
  const refusedWith = (code: number, reason: string) => ({ ...isDeclined, answer: () => refused(code, reason) });
  return {
    "11": { ...refusedWith(11, "Insufficient Airalo credit."), does: "Our credit there is too low." },
    "13": { ...refusedWith(13, "The requested operator is currently undergoing maintenance."), does: "Maintenance." },
    "14": { ...refusedWith(14, "The signature is invalid."), does: "A checksum does not fit." },
    "43": { ...refusedWith(43, "Bad request."), does: "It does not understand the order." },
    "53": {
      ...isLater,
      does: "It says 53, something unexpected, of an order that it made.",
      answer: () => refused(53, "Unexpected error."),
    },
    "a field that it refuses": {
      ...isDeclined,
      does: "It refuses a field of the order, without a code.",
      answer: () => ({
        status: 422,
        body: {
          data: { package_id: "The selected package is invalid." },
          meta: { message: "the parameter is invalid" },
        },
      }),
    },
    "a refusal without a code": {
      ...isLater,
      does: "It answers 422 without saying why, and made the order.",
      answer: () => ({ status: 422, body: { meta: { message: "failed" } } }),
    },
    "a yes without profiles": {
      ...isLater,
      does: "Its yes holds the order's number and no profile.",
      answer: (_, record) => ({ status: 200, body: { data: { ...order(record), sims: [] }, meta: success } }),
    },
    "one profile of three": {
      ...isLater,
      wish: "esims",
      does: "Its yes holds one profile, where three were bought.",
      answer: (_, record) => ({ status: 200, body: { data: { ...order(record), sims: sims(record).slice(1) } } }),
    },
    "taken in and no more": {
      ...isLater,
      does: "It takes the order in, 202, as though it were to be told of later.",
      answer: () => ({ status: 202, body: { data: { request_id: "3NhR3gKmqCWK7IWppurpDX3Cg" }, meta: success } }),
    },
    "no text of the QR code": {
      ...isVended,
      does: "It tells the server and the code, and not both in one.",
      answer: (_, record) => ({ status: 200, body: { data: order(record, { qrcode: null }) } }),
    },
    "a confirmation code": {
      ...isOpen,
      does: "The profile wants a confirmation code, for which a fulfilment has no room.",
      answer: (_, record) => ({ status: 200, body: { data: order(record, { confirmation_code: "5751" }) } }),
      again: (_, record) => listed([order(record, { confirmation_code: "5751" })]),
    },
    "the sandbox's ICCID, as a number": {
      ...isVended,
      does: "The ICCID has 18 digits in all and is written as a number.",
      answer: (_, record) => ({
        status: 200,
        body: JSON.stringify({ data: order(record, { iccid: "#" }) }).replace('"#"', "891000000000009125"),
      }),
    },
    "a filter that it ignores": {
      ...isLater,
      does: "Asked for our description it lists other orders, and ours on the second page.",
      answer: () => null,
      again: (calls, record) =>
        listed([calls.body.page === "1" ? { ...order(record), id: 1, description: "another" } : order(record)]),
    },
    "another's orders alone": {
      ...isOpen,
      does: "Asked for our description it lists other orders, and ours on no page that we read.",
      answer: () => null,
      again: (_, record) => listed([{ ...order(record), id: 1, description: "another" }]),
    },
    "another attempt's order": {
      ...isLater,
      does: "Its filter finds parts of descriptions: the tenth attempt's, which failed, beside the first's.",
      answer: () => null,
      again: once((record) =>
        listed([
          { ...order(record), id: 1, description: `${record.reference}0`, sims: [], status: { slug: "failed" } },
          order(record),
        ]),
      ),
    },
    "a question that is refused": {
      ...isLater,
      does: "It refuses our question about an order that it made.",
      answer: () => null,
      again: once(() => refused(13, "Maintenance.")),
    },
    "failed, with profiles": {
      ...isOpen,
      does: "It says failed of an order and tells its profiles.",
      answer: () => null,
      again: (_, record) => listed([{ ...order(record), status: { name: "Failed", slug: "failed" } }]),
    },
    "refunded in part": {
      ...isOpen,
      wish: "esims",
      does: "It says refunded of an order of three profiles, and refunds them one by one.",
      answer: () => null,
      again: (_, record) => listed([{ ...order(record), status: { name: "Refunded", slug: "refunded" } }]),
    },
    "too many requests": {
      ...isDeclined,
      does: "It answers 429 to more than eighty requests a minute.",
      answer: () => ({ status: 429, body: { meta: { message: "Too Many Attempts." } } }),
    },
    "an outage page": {
      ...isLater,
      does: "Its gateway shows a page in HTML after the order was made.",
      answer: () => ({ status: 504, body: "<html><h1>504 Gateway Time-out</h1></html>" }),
    },
    "our token in its answer": {
      ...isDeclined,
      does: "It repeats our token in its refusal.",
      answer: () => refused(14, `The signature is invalid for Bearer ${airaloToken}`),
    },
  };
}
