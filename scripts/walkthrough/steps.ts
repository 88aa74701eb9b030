/** A request, and what a reader should look at in its answer. */
export interface RequestStep {
  readonly title: string;
  readonly remark: string;
  readonly method: "GET" | "POST" | "PUT";
  /** Below the merchant prefix. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly withoutKey?: true;
  /** Asked again until the transaction is final; only the last answer is told. */
  readonly untilFinal?: true;
  /** What comes to the merchant's receiver afterwards, as a chapter of its own. */
  readonly thenWebhook?: { readonly title: string; readonly remark: string };
}

const phone = "08031234567";
const dataPurchase = { product_id: 1001, phone, reference: "walk-data-1" };

/** The walk, in order. It is told from the merchant's side, whose webhooks go to `receiverUrl`. */
export function stepsFor(receiverUrl: string): readonly RequestStep[] {
  return [...purchaseSteps, ...webhookSteps(receiverUrl), ...closingSteps];
}

const purchaseSteps: readonly RequestStep[] = [
  {
    title: "A new sandbox wallet",
    remark:
      "It holds 100,000 naira to play with. The key decides the mode; each answer says it, and what the rate leaves.",
    method: "GET",
    path: "/wallet/balance",
  },
  {
    title: "Who sells data",
    remark:
      "Billers are what `GET /billers/{slug}/products` takes. Categories that the merchant may not use are absent.",
    method: "GET",
    path: "/billers?category=data",
  },
  {
    title: "What it costs",
    remark: "`api_price` is what this merchant pays. A `product_id` never changes its meaning.",
    method: "GET",
    path: "/billers/mtn-data/products",
  },
  {
    title: "A data purchase",
    remark: "Charged, sent and answered at once: 201, and balance after = balance before − total deducted.",
    method: "POST",
    path: "/data/purchase",
    body: dataPurchase,
  },
  {
    title: "The same again: a replay",
    remark: "The reference is the idempotency key. The answer is the first purchase, and nothing is charged.",
    method: "POST",
    path: "/data/purchase",
    body: dataPurchase,
  },
  {
    title: "The same reference for another purchase",
    remark: "That is a client's mistake, and is refused before anything is charged.",
    method: "POST",
    path: "/data/purchase",
    body: { ...dataPurchase, phone: "08037654321" },
  },
  {
    title: "An electricity token",
    remark: "The token stands at top level and in `delivery`, which tells the units and what the amount went to.",
    method: "POST",
    path: "/electricity/purchase",
    body: {
      biller: "ikeja-electric",
      meter_type: "prepaid",
      meter_number: "04123456789",
      amount: "5000.00",
      phone,
      reference: "walk-token-1",
    },
  },
  {
    title: "A purchase that fails",
    remark: "Sandbox numbers that end in 0002 fail: 422, a transaction exists, and its money is back in the wallet.",
    method: "POST",
    path: "/data/purchase",
    body: { ...dataPurchase, phone: "08031230002", reference: "walk-failed-1" },
  },
  {
    title: "A purchase that is pending, and succeeds",
    remark:
      "Numbers that end in 0003: 202 means wait, and `Retry-After` says how long. The wallet is charged meanwhile.",
    method: "POST",
    path: "/data/purchase",
    body: { ...dataPurchase, phone: "08031230003", reference: "walk-pending-1" },
  },
  {
    title: "Asking what became of it",
    remark: "The requery, repeated until the purchase was final. Never send a pending purchase under a new reference.",
    method: "GET",
    path: "/transactions/walk-pending-1",
    untilFinal: true,
  },
  {
    title: "A purchase that is pending, and fails",
    remark: "Numbers that end in 0004.",
    method: "POST",
    path: "/data/purchase",
    body: { ...dataPurchase, phone: "08031230004", reference: "walk-pending-2" },
  },
  {
    title: "It was refunded",
    remark: "`total_deducted` is zero, and balance after equals balance before: the net effect of this transaction.",
    method: "GET",
    path: "/transactions/walk-pending-2",
    untilFinal: true,
  },
  {
    title: "More than the wallet holds",
    remark: "402 created nothing, charged nothing, and left the reference free.",
    method: "POST",
    path: "/electricity/purchase",
    body: {
      biller: "ikeja-electric",
      meter_type: "prepaid",
      meter_number: "04123456789",
      amount: "150000.00",
      phone,
      reference: "walk-poor-1",
    },
  },
  {
    title: "A request with mistakes",
    remark: "Every field that is wrong is named, and the code never changes.",
    method: "POST",
    path: "/data/purchase",
    body: { product_id: "one thousand", reference: "walk invalid 1" },
  },
  {
    title: "Without a key",
    remark: "Missing, malformed, unknown, revoked and expired keys are answered alike.",
    method: "GET",
    path: "/wallet/balance",
    withoutKey: true,
  },
  {
    title: "The list",
    remark: "Newest first; `total` is exact. Secrets of a delivery are left out here.",
    method: "GET",
    path: "/transactions?category=data&per_page=2",
  },
];

function webhookSteps(receiverUrl: string): readonly RequestStep[] {
  return [
    {
      title: "Where to be told",
      remark:
        "The secret is shown this once. Outside of this walk a URL is public https; here `WEBHOOK_ALLOW_PRIVATE=true` " +
        "lets it be a receiver on the same machine.",
      method: "PUT",
      path: "/webhook",
      body: { url: receiverUrl },
    },
    {
      title: "A purchase that is pending, and told when it ends",
      remark: "By itself a webhook tells what was answered as pending; `notify` may ask for all.",
      method: "POST",
      path: "/data/purchase",
      body: { ...dataPurchase, phone: "08031230003", reference: "walk-told-1" },
      thenWebhook: {
        title: "The webhook",
        remark:
          "What the receiver got, and what it answered. The package `standardwebhooks` verified the signature over these " +
          "bytes, which came on one line, with the secret above. Secrets of a delivery are never in it.",
      },
    },
  ];
}

const closingSteps: readonly RequestStep[] = [
  {
    title: "The wallet, back to its beginning",
    remark: "In the sandbox alone. Transactions stay.",
    method: "POST",
    path: "/sandbox/reset",
    body: {},
  },
];
