// biome-ignore-all lint/style/noExcessiveLinesPerFile: a table of codes reads best whole

/** One row of the catalogue. */
interface Problem {
  /** HTTP status of the answer. */
  readonly status: number;
  /** The sentence a client reads when the refusal brings none of its own. */
  readonly title: string;
  /** When it happens, for `docs/errors.md`. */
  readonly when: string;
  /** What the client does next, for `docs/errors.md`. */
  readonly next: string;
}

const fix = "Correct the request and send it again; the reference was not used up.";
const wait = "Wait for the seconds in `Retry-After`, then send the same request again.";
const contact = "Ask the operator of the service.";
const lookUp = "Check the identifier; it may belong to another merchant, mode or endpoint.";

/** Every code that an answer can carry. Codes never change; titles may. */
export const problems = {
  VALIDATION_ERROR: {
    status: 400,
    title: "Some fields are missing or malformed.",
    when: "Fields are missing or malformed; `errors` names each.",
    next: fix,
  },
  INVALID_JSON: {
    status: 400,
    title: "The body is not readable JSON.",
    when: "The body cannot be parsed, is nested deeper than 8 levels, has more than 100 names in one object or 150,000 in all, or carries a forbidden key.",
    next: fix,
  },
  INVALID_PHONE: {
    status: 400,
    title: "The phone number is not a Nigerian mobile number.",
    when: "A phone number fails its pattern.",
    next: fix,
  },
  INVALID_METER: {
    status: 400,
    title: "The meter number must have 6 to 13 digits.",
    when: "A meter number fails its pattern.",
    next: fix,
  },
  INVALID_SMARTCARD: {
    status: 400,
    title: "The smartcard number must have 8 to 14 digits.",
    when: "A smartcard number fails its pattern.",
    next: fix,
  },
  INVALID_REFERENCE: {
    status: 400,
    title:
      "The reference must be 1 to 100 letters, digits, dots, dashes, underscores or colons, and no transaction_id.",
    when: "A reference fails its pattern.",
    next: fix,
  },
  NETWORK_MISMATCH: {
    status: 400,
    title: "The number belongs to another network.",
    when: 'The prefix names another network and the request says `"ported": false`.',
    next: "Choose a product of the number's network, or leave `ported` out.",
  },
  AMOUNT_OUT_OF_RANGE: {
    status: 400,
    title: "The amount is outside the product's range.",
    when: "The amount lies outside the product's range; `meta` gives it.",
    next: fix,
  },
  QUANTITY_OUT_OF_RANGE: {
    status: 400,
    title: "The quantity is outside the product's range.",
    when: "The quantity lies outside the product's range; `meta` gives it.",
    next: fix,
  },
  TOO_MANY_ITEMS: {
    status: 400,
    title: "Too many items in one request.",
    when: "A bulk order has more than 10,000 lines, an SMS more than 500 recipients, an account 10,000 beneficiaries.",
    next: "Split the request, or delete beneficiaries.",
  },
  INVALID_STATUS: {
    status: 400,
    title: "Unknown status.",
    when: "The `status` filter is not one of the allowed values.",
    next: fix,
  },
  INVALID_PER_PAGE: {
    status: 400,
    title: "per_page must be between 1 and 100.",
    when: "`per_page` is out of range.",
    next: fix,
  },
  INVALID_PAGE: {
    status: 400,
    title: "page must be a whole number from 1.",
    when: "`page` is no whole number from 1, or too deep.",
    next: "Narrow the list with `from` and `to` instead of paging deeper.",
  },
  INVALID_DATE: {
    status: 400,
    title: "Unreadable date.",
    when: "`from`, `to` or `since` is neither an ISO 8601 instant with an offset nor a date, or a statement's `to` lies before its `from`.",
    next: fix,
  },
  INVALID_CATEGORY: {
    status: 400,
    title: "Unknown category.",
    when: "The `category` filter names no category.",
    next: fix,
  },
  INVALID_SENDER_ID: {
    status: 400,
    title: "The sender id must be 3 to 11 letters, digits and spaces.",
    when: "An SMS sender id fails its pattern.",
    next: fix,
  },
  INVALID_WEBHOOK_URL: {
    status: 400,
    title: "The webhook URL must be a public https address.",
    when: "A webhook URL is not https, not public, or carries credentials.",
    next: fix,
  },
  VERIFICATION_FAILED: {
    status: 400,
    title: "The number could not be verified.",
    when: "The provider does not know the meter, smartcard or account.",
    next: "Ask the customer for the number again.",
  },
  VERIFICATION_EXPIRED: {
    status: 400,
    title: "The verification is no longer valid for this number.",
    when: "A `verification_id` is older than 30 minutes or was made for another number.",
    next: "Verify the number again.",
  },
  UNAUTHORIZED: {
    status: 401,
    title: "A valid API key is required.",
    when: "The key is missing, malformed, unknown, revoked or expired, or two different credentials were sent.",
    next: "Send one valid key; ask the operator of the service for a new one.",
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    title: "The wallet balance does not cover this purchase.",
    when: "The wallet holds less than the total; `meta.required` and `meta.balance` say how much.",
    next: "Fund the wallet, then send the same reference again.",
  },
  IP_NOT_ALLOWED: {
    status: 403,
    title: "Your address is not on the account's allowlist.",
    when: "The account has an IP allowlist and the caller is not on it.",
    next: "Call from an allowed address or extend the list.",
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    title: "This account is suspended.",
    when: "The operator suspended the account.",
    next: contact,
  },
  API_ACCESS_NOT_APPROVED: {
    status: 403,
    title: "API access has not been approved yet.",
    when: "A live key is used before approval.",
    next: "Use a sandbox key until the operator approves the account.",
  },
  SANDBOX_DISABLED: {
    status: 403,
    title: "The sandbox is switched off.",
    when: "A sandbox key is used while the operator has the sandbox off.",
    next: contact,
  },
  CATEGORY_NOT_ALLOWED: {
    status: 403,
    title: "This account cannot buy in this category.",
    when: "A purchase in a category that is hidden for the account.",
    next: contact,
  },
  SANDBOX_ONLY: {
    status: 403,
    title: "This works with a sandbox key only.",
    when: "A live key calls a sandbox endpoint.",
    next: "Use a sandbox key.",
  },
  RECIPIENT_BLOCKED: {
    status: 403,
    title: "This recipient is blocked.",
    when: "Reserved for customers' numbers that the operator blocks; not answered yet.",
    next: contact,
  },
  TRANSACTION_LIMIT_EXCEEDED: {
    status: 403,
    title: "The amount exceeds the limit of one transaction.",
    when: "Live: the total exceeds the tier's limit of one transaction.",
    next: "Buy less at once, or ask for a higher tier.",
  },
  DAILY_LIMIT_EXCEEDED: {
    status: 403,
    title: "The daily limit is reached.",
    when: "Live: the day's total would exceed the tier's limit; `meta` says when it resets.",
    next: "Wait until `meta.resets_at`, or ask for a higher tier.",
  },
  NOT_FOUND: {
    status: 404,
    title: "There is nothing at this address.",
    when: "No endpoint has this path.",
    next: "Check the path against the documentation.",
  },
  BILLER_NOT_FOUND: {
    status: 404,
    title: "There is no such biller.",
    when: "The slug names no biller that the account can see.",
    next: lookUp,
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    title: "There is no such product.",
    when: "The product does not exist, or belongs to another category than the endpoint.",
    next: lookUp,
  },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    title: "There is no such transaction.",
    when: "No transaction of this merchant and mode has this reference.",
    next: lookUp,
  },
  BULK_NOT_FOUND: {
    status: 404,
    title: "There is no such bulk order.",
    when: "No bulk order of this merchant and mode has this reference.",
    next: lookUp,
  },
  BENEFICIARY_NOT_FOUND: {
    status: 404,
    title: "There is no such beneficiary.",
    when: "The merchant has no beneficiary with this id.",
    next: lookUp,
  },
  ENDPOINT_NOT_FOUND: {
    status: 404,
    title: "There is no such webhook endpoint.",
    when: "No webhook endpoint of this merchant has this id.",
    next: lookUp,
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    title: "There is no such delivery.",
    when: "No webhook delivery of this merchant and mode has this id.",
    next: lookUp,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: "This address does not take this method.",
    when: "The path exists with another method; `Allow` names them.",
    next: "Use one of the methods in `Allow`.",
  },
  HEADERS_TOO_MANY: {
    status: 431,
    title: "The request has too many headers.",
    when: "The request has more headers than are read (1,000); nothing of it was believed.",
    next: "Send fewer headers; look at what a proxy on the way adds.",
  },
  REFERENCE_CONFLICT: {
    status: 409,
    title: "This reference was used for a different purchase: choose a new reference for this one.",
    when: "A reference is sent again with other purchase fields. Nothing was charged.",
    next: "Use a new reference for a new purchase.",
  },
  PRICE_CHANGED: {
    status: 409,
    title: "The price differs from the expected one.",
    when: "`expected_price` differs from the total that would be deducted; `meta.price` gives it.",
    next: "Show the new price, then send it as `expected_price`.",
  },
  BENEFICIARY_EXISTS: {
    status: 409,
    title: "This beneficiary exists already.",
    when: "The same category, biller and number are saved already.",
    next: "Use the saved beneficiary.",
  },
  DELIVERY_NOT_RESENDABLE: {
    status: 409,
    title: "This delivery cannot be resent.",
    when: "An attempt is in flight, the webhook is off, or the body was purged.",
    next: "Try again when the attempt is over or the webhook is set.",
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    title: "The account holds five active keys of this mode already.",
    when: "A sixth active key of one mode is asked for.",
    next: "Revoke a key first.",
  },
  ENDPOINT_LIMIT_REACHED: {
    status: 409,
    title: "The account has five webhook endpoints already.",
    when: "A sixth webhook endpoint is asked for, or one more while the log holds attempts of many that were removed.",
    next: "Change or remove an endpoint.",
  },
  DUPLICATE_TRANSACTION: {
    status: 409,
    title: "The same purchase was just made under another reference.",
    when: "The merchant's duplicate guard is on and saw the same product, customer and amount.",
    next: "Look at `meta.original_reference`.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: "The body is too large.",
    when: "The body exceeds 1 MiB (bulk: 4 MiB).",
    next: "Split the request.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: "Send the body as application/json.",
    when: "The content type is not JSON.",
    next: "Set `Content-Type: application/json`.",
  },
  RATE_LIMITED: {
    status: 429,
    title: "Too many requests.",
    when: "The key made its requests of this minute, its merchant's bulk orders brought their lines or bytes (`meta.limit`), another statement of the wallet is being sent as CSV, or the address failed to authenticate too often.",
    next: wait,
  },
  INTERNAL_ERROR: {
    status: 500,
    title: "Something went wrong on our side.",
    when: "A fault of ours.",
    next: "On a purchase: ask `GET /transactions/{reference}`, or send the same reference again.",
  },
  PROVIDER_UNAVAILABLE: {
    status: 502,
    title: "The provider could not be reached.",
    when: "A verification could not reach its provider.",
    next: "Try again shortly.",
  },
  PRODUCT_UNAVAILABLE: {
    status: 503,
    title: "This product is not available right now.",
    when: "The product is switched off, out of stock or has no supplier.",
    next: wait,
  },
  BILLER_UNAVAILABLE: {
    status: 503,
    title: "This biller is not available right now.",
    when: "The biller is switched off, every route to it is down, or none of its suppliers can verify a number.",
    next: wait,
  },
  MAINTENANCE: {
    status: 503,
    title: "The service is under maintenance.",
    when: "The service is stopping or under maintenance.",
    next: wait,
  },
} as const satisfies Record<string, Problem>;
