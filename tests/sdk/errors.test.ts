import {
  breaks,
  type Case,
  cutShort,
  describeCases,
  drips,
  dripsItsHead,
  page,
  refuses,
  says,
  sells,
  sellsAnother,
  staysAway,
  tooLong,
} from "./scripted-server.ts";

const fields = { phone: ["Must be a Nigerian mobile number."] };
const unknown = (tries: number) => ({ outcome: "NoAnswer", tries, charged: "unknown", code: "NO_ANSWER" }) as const;
const refused = (outcome: string, code: string, tries = 1) => ({ outcome, code, tries, charged: "no" }) as const;
const aboutSale = (outcome: string, code: string, tries: number) =>
  ({ outcome, code, tries, charged: "unknown", reference: "sale-1" }) as const;
const maintenance = refuses(503, "MAINTENANCE");
const waitingLess = { operation: "waitFor", parameters: { reference: "sale-1", timeout: 60 } };
const waiting = { operation: "waitFor", parameters: { reference: "sale-1" } };
const dripped: Case["expected"] = { ...refused("Access", "UNAUTHORIZED", 2), charged: "unknown" };
const inTenSeconds = {
  date: "Sun, 29 Nov 2026 10:00:00 GMT",
  "retry-after": "Sun, 29 Nov 2026 10:00:10 GMT",
};

const cases: Readonly<Record<string, Case>> = {
  "wrong key": { steps: [refuses(401, "UNAUTHORIZED")], expected: refused("Access", "UNAUTHORIZED") },
  "key revoked after a try without an answer": {
    steps: [breaks, refuses(401, "UNAUTHORIZED")],
    expected: { ...refused("Access", "UNAUTHORIZED", 2), charged: "unknown" },
  },
  "account suspended": {
    steps: [refuses(403, "ACCOUNT_SUSPENDED")],
    expected: refused("Access", "ACCOUNT_SUSPENDED"),
  },
  "empty wallet": {
    steps: [refuses(402, "INSUFFICIENT_BALANCE")],
    expected: refused("InsufficientBalance", "INSUFFICIENT_BALANCE"),
  },
  "wrong field": {
    steps: [refuses(400, "INVALID_PHONE", { errors: fields })],
    expected: { ...refused("InvalidRequest", "INVALID_PHONE"), fields },
  },
  "reference of another purchase": {
    steps: [refuses(409, "REFERENCE_CONFLICT")],
    expected: refused("Conflict", "REFERENCE_CONFLICT"),
  },
  "sale that failed": { steps: [sells(422, "failed")], expected: { outcome: "failed", tries: 1 } },
  "sale that is pending": { steps: [sells(202, "pending")], expected: { outcome: "pending", tries: 1 } },
  "429 once, Retry-After 2": {
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "2" }), sells()],
    expected: { outcome: "successful", tries: 2, firstWait: 2 },
  },
  "429 on and on": {
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "1" })],
    expected: { ...refused("RateLimit", "RATE_LIMITED", 4), retryAfter: 1 },
  },
  "429, Retry-After 3600": {
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "3600" })],
    expected: { ...refused("RateLimit", "RATE_LIMITED"), retryAfter: 3600 },
  },
  "503 once": { steps: [refuses(503, "MAINTENANCE"), sells()], expected: { outcome: "successful", tries: 2 } },
  "503 on and on": { steps: [refuses(503, "MAINTENANCE")], expected: refused("Unavailable", "MAINTENANCE", 4) },
  "503 after a try without an answer": {
    steps: [breaks, refuses(503, "MAINTENANCE")],
    expected: { ...refused("Unavailable", "MAINTENANCE", 4), charged: "unknown" },
  },
  "connection broken once": { steps: [breaks, sells()], expected: { outcome: "successful", tries: 2 } },
  "connection broken on and on": { steps: [breaks], expected: unknown(4) },
  "answer late once": { steps: [staysAway, sells()], expected: { outcome: "successful", tries: 2 } },
  "answer cut short once": { steps: [cutShort, sells()], expected: { outcome: "successful", tries: 2 } },
  "500 on and on": {
    steps: [refuses(500, "INTERNAL_ERROR")],
    expected: { ...unknown(4), code: "INTERNAL_ERROR" },
  },
  "no JSON: a proxy's 502": { steps: [page(502)], expected: unknown(4) },
  "no JSON: a proxy's 403": { steps: [page(403)], expected: unknown(4) },
  "JSON of a proxy: 502 without a code": { steps: [says(502, { message: "Bad gateway" })], expected: unknown(4) },
  "JSON of a proxy: 504 without a code": { steps: [says(504, { message: "Timed out" })], expected: unknown(4) },
  "JSON of a proxy: 503 with a number as its code": { steps: [says(503, { code: 14 })], expected: unknown(4) },
  "JSON of a proxy: 503 once": {
    steps: [says(503, { message: "No backend" }), refuses(400, "INVALID_PHONE")],
    expected: { ...refused("InvalidRequest", "INVALID_PHONE", 2), charged: "unknown" },
  },
  "2xx of a captive portal": { steps: [page(200)], expected: unknown(4) },
  "2xx that is another's JSON": { steps: [says(200, { status: "ok", id: 7 })], expected: unknown(4) },
  "2xx that is a list": { steps: [says(200, [])], expected: unknown(4) },
  "a redirection": { steps: [says(302, { status: "successful", reference: "sale-1" })], expected: unknown(4) },
  "an error of somebody else": { steps: [says(403, { code: "AccessDenied", message: "No." })], expected: unknown(4) },
  "an answer about another purchase": { steps: [sellsAnother], expected: unknown(4) },
  "an answer about another purchase once": {
    steps: [sellsAnother, sells()],
    expected: { outcome: "successful", tries: 2 },
  },
  "an answer over 5 MiB": { steps: [tooLong], expected: { ...unknown(4), says: "5 MiB" } },
  "an answer that drips in": { steps: [drips, refuses(401, "UNAUTHORIZED")], expected: dripped },
  "a head that drips in": { steps: [dripsItsHead, refuses(401, "UNAUTHORIZED")], expected: dripped },
  "a proxy's page, Retry-After 2": {
    steps: [page(503, { "retry-after": "2" }), sells()],
    expected: { outcome: "successful", tries: 2, firstWait: 2 },
  },
  "a proxy's page, Retry-After 3600": {
    steps: [page(503, { "retry-after": "3600" })],
    expected: { ...unknown(1), retryAfter: 3600 },
  },
  "429, Retry-After a date": {
    steps: [refuses(429, "RATE_LIMITED", {}, inTenSeconds), sells()],
    expected: { outcome: "successful", tries: 2, firstWait: 10 },
  },
  "429, Retry-After beyond all bounds": {
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "99999999999" })],
    expected: { ...refused("RateLimit", "RATE_LIMITED"), retryAfter: 86_400 },
  },
  "another's JSON is no list": {
    operation: "listTransactions",
    parameters: {},
    steps: [says(200, { transactions: "none" })],
    expected: { ...unknown(4), charged: "no", reference: null },
  },
  "no purchase: a read is repeated": {
    operation: "getTransaction",
    parameters: { reference: "sale-1" },
    steps: [breaks, sells()],
    expected: { outcome: "successful", tries: 2 },
  },
  "no purchase: a read without an answer": {
    operation: "getWalletBalance",
    parameters: {},
    steps: [breaks],
    expected: { ...unknown(4), charged: "no", reference: null },
  },
  "what is asked about a purchase may have been bought, whatever the answer": {
    operation: "getTransaction",
    parameters: { reference: "sale-1" },
    steps: [refuses(404, "TRANSACTION_NOT_FOUND")],
    expected: { ...aboutSale("InvalidRequest", "TRANSACTION_NOT_FOUND", 1), waited: 0 },
  },
  "wait: not known": {
    ...waiting,
    steps: [refuses(404, "TRANSACTION_NOT_FOUND")],
    expected: { ...aboutSale("InvalidRequest", "TRANSACTION_NOT_FOUND", 63), waited: 600 },
  },
  "wait: not known at first": {
    ...waiting,
    steps: [breaks, refuses(404, "TRANSACTION_NOT_FOUND"), page(502), sells()],
    expected: { outcome: "successful", tries: 4 },
  },
  "wait: 503": {
    ...waitingLess,
    steps: [refuses(503, "MAINTENANCE")],
    expected: { ...aboutSale("Unavailable", "MAINTENANCE", 9), waited: 60 },
  },
  "wait: five times 503": {
    ...waiting,
    steps: [maintenance, maintenance, maintenance, maintenance, maintenance, sells()],
    expected: { outcome: "successful", tries: 6 },
  },
  "wait: 429, Retry-After 60": {
    ...waiting,
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "60" })],
    expected: { ...aboutSale("RateLimit", "RATE_LIMITED", 11), waited: 600 },
  },
  "wait: broken": {
    ...waitingLess,
    steps: [breaks],
    expected: { ...aboutSale("NoAnswer", "NO_ANSWER", 9), waited: 60 },
  },
  "wait: still pending": {
    ...waiting,
    steps: [says(200, { reference: "sale-1", status: "pending", next_check_after: 100 })],
    expected: { ...aboutSale("NoAnswer", "PENDING", 7), waited: 600 },
  },
  "wait: another's end": {
    ...waiting,
    steps: [sellsAnother, sells(200, "failed")],
    expected: { outcome: "failed", tries: 2 },
  },
  "wait: the key may not ask": {
    ...waiting,
    steps: [refuses(401, "UNAUTHORIZED")],
    expected: aboutSale("Access", "UNAUTHORIZED", 1),
  },
  "wait: no answer counts as time": {
    operation: "waitFor",
    parameters: { reference: "sale-1", timeout: 2 },
    steps: [staysAway],
    expected: { ...aboutSale("NoAnswer", "NO_ANSWER", 1), says: "TIMEOUT, none within " },
  },
  "no purchase: a verification is repeated": {
    operation: "verifyMeter",
    parameters: { biller: "ikeja-electric", meter_number: "45012345678", meter_type: "prepaid" },
    steps: [breaks, says(200, { verified: true })],
    expected: { outcome: "read", tries: 2 },
  },
  "no purchase: what would be done twice is not repeated": {
    operation: "resetSandbox",
    parameters: {},
    steps: [breaks],
    expected: { ...unknown(1), charged: "no" },
  },
};

describeCases("each SDK tries as often as is safe, and says the same of money and reference", cases);
