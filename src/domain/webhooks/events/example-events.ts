import type { Clock, WallTime } from "../../../kernel/clock.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { EventName } from "./event.ts";

interface Moment {
  readonly mode: Mode;
  /** As answers write times. */
  readonly now: string;
}

const idPrefix: Readonly<Record<Mode, string>> = { live: "TXN", test: "SBX" };
/** A ULID of no purchase or order. */
const ulid = "01KAGZ7Q3M5T8V1X4Y6Z9B2C3D";

/**
 * An example of an event of this name: of the real form, and marked, so that no receiver takes it for something that
 * happened. @returns its `data`, without the mark of the sandbox
 */
export function exampleOf(
  event: EventName,
  mode: Mode,
  { clock, wallTime }: { readonly clock: Clock; readonly wallTime: WallTime },
): JsonObject {
  return { ...examples[event]({ mode, now: wallTime.format(clock.now()) }), example: true };
}

const examples: Readonly<Record<EventName, (moment: Moment) => JsonObject>> = {
  "transaction.successful": (moment) => ({
    ...purchase(moment),
    status: "successful",
    message: "MTN 1GB 30 days for 08031234567: successful.",
    total_deducted: "640.00",
    balance_after: "99360.00",
    error_code: null,
    refunded: false,
    refunded_at: null,
    delivery: { kind: "topup", has_delivery: true },
  }),
  "transaction.failed": (moment) => ({
    ...purchase(moment),
    status: "failed",
    message: "MTN 1GB 30 days for 08031234567: failed and refunded. The provider declined it.",
    total_deducted: "0.00",
    balance_after: "100000.00",
    error_code: "PROVIDER_DECLINED",
    refunded: true,
    refunded_at: moment.now,
    delivery: null,
  }),
  "bulk.completed": ({ now }) => ({
    reference: "webhook-example-bulk",
    bulk_id: `BLK${ulid}`,
    category: "data",
    status: "partially_completed",
    total: 2,
    successful: 1,
    pending: 0,
    failed: 1,
    amount: "1280.00",
    total_deducted: "640.00",
    total_refunded: "640.00",
    balance_before: "100000.00",
    balance_after: "99360.00",
    created_at: now,
    completed_at: now,
  }),
  "wallet.funded": ({ now }) => ({
    payment_id: "pay_1",
    amount: "50000.00",
    fee: "300.00",
    credited: "50000.00",
    balance_after: "150000.00",
    currency: "NGN",
    account_number: "9900123456",
    sender_name: "ADA EZE",
    sender_bank: "Access Bank",
    session_id: "000014260115103012345678901234",
    bank_reference: null,
    narration: "Stock",
    paid_at: now,
    credited_at: now,
  }),
  "wallet.low_balance": ({ now }) => ({
    balance: "4999.00",
    threshold: "5000.00",
    currency: "NGN",
    updated_at: now,
  }),
  "catalogue.updated": ({ now }) => ({ billers: ["mtn-data"], products: [1002], updated_at: now }),
  "webhook.test": () => ({ message: "This is a test: your webhook receives events." }),
};

function purchase({ mode, now }: Moment): JsonObject {
  return {
    reference: "webhook-example",
    channel: "api",
    transaction_id: idPrefix[mode] + ulid,
    category: "data",
    network: "MTN",
    biller: "MTN Data",
    biller_slug: "mtn-data",
    product_id: 1002,
    product: "MTN 1GB 30 days",
    plan: "1GB",
    phone: "08031234567",
    customer_ref: "08031234567",
    quantity: 1,
    unit_amount: "640.00",
    amount: "640.00",
    face_amount: "640.00",
    fee: "0.00",
    discount: "0.00",
    balance_before: "100000.00",
    provider_reference: `EXAMPLE-${ulid}`,
    purchased_at: now,
    completed_at: now,
    bulk_reference: null,
    metadata: null,
  };
}
