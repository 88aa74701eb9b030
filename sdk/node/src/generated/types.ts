// Generated from docs/openapi.json by `npm run generate`.

/** A purchase of the category `airtime`, with what was delivered. */
export type AirtimeTransaction = Transaction & {
  readonly "delivery": TopupDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

/** A positive amount with at most two decimals. */
export type AmountInput = string | number;

/** Why a request was not carried out. Decide by `code`; show `message` to people. */
export type ApiError = {
  /** Cannot be taken for a transaction's status. */
  readonly "status": "error";
  /** Never changes. New codes may come; read an unknown one by its HTTP status. */
  readonly "code": string;
  /** For people; may change. */
  readonly "message": string;
  /** Sentences per field, keyed as they were sent: `phone`, `items.3.phone`. Only for field errors. */
  readonly "errors"?: { readonly [name: string]: readonly (string)[] };
  /** Numbers that help to correct the request, such as `min_amount`. */
  readonly "meta"?: { readonly [name: string]: unknown };
  /** As in the header X-Request-Id. */
  readonly "request_id": string;
  /** The code's place in the error reference. */
  readonly "doc_url": string;
};

export type Beneficiary = {
  /** What a purchase sends as `beneficiary_id`. */
  readonly "id": string;
  /** Your own name for it. */
  readonly "label": string;
  readonly "category": Category;
  /** The customer's number, in the spelling that purchases answer. */
  readonly "customer_ref": string;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string | null;
  /** The mobile network; null where none is concerned. */
  readonly "network": "MTN" | "GLO" | "9MOBILE" | "AIRTEL" | null;
  /** For a meter: its kind, where it was said. */
  readonly "meter_type": "prepaid" | "postpaid" | null;
  /** Whom the number belongs to. */
  readonly "customer_name": string | null;
  /** In local form, whatever was sent. */
  readonly "phone": string | null;
  /** When it was saved. */
  readonly "created_at": Instant;
  /** When it was changed last. */
  readonly "updated_at": Instant;
};

export type BettingDelivery = {
  readonly "kind": "betting";
  /** As sent. */
  readonly "customer_id": string;
  /** Who the betting account belongs to; null where the operator does not say. */
  readonly "customer_name": string | null;
  /** The betting operator's own reference. */
  readonly "operator_reference": string;
};

/** A purchase of the category `betting`, with what was delivered. */
export type BettingTransaction = Transaction & {
  readonly "delivery": BettingDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type Biller = {
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "slug": string;
  /** For people. */
  readonly "name": string;
  readonly "category": Category;
  /** The mobile network; null where none is concerned. */
  readonly "network": "MTN" | "GLO" | "9MOBILE" | "AIRTEL" | null;
  /** The request field that holds the customer's number. */
  readonly "customer_field": string;
  /** What a form calls that number. */
  readonly "customer_label": string;
  /** Whether the number should be verified before a purchase. */
  readonly "requires_verification": boolean;
  /** Whether its category has a bulk endpoint. */
  readonly "supports_bulk": boolean;
  /** The kinds of meter that it serves; null where it serves none. */
  readonly "meter_types": readonly ("prepaid" | "postpaid")[] | null;
  /** Least amount over its products of variable amount. */
  readonly "min_amount": Money | null;
  /** Largest amount over its products of variable amount. */
  readonly "max_amount": Money | null;
  /** `degraded`: purchases may stay pending for longer. `unavailable`: they are refused. */
  readonly "status": "available" | "degraded" | "unavailable";
  /** How many products its list has. */
  readonly "product_count": number;
};

/** A biller's slug, instead of `product_id`. */
export type BillerInput = string;

export type BillerList = {
  readonly "billers": readonly (Biller)[];
};

/** Every line of a bulk order is final. */
export type BulkCompletedEvent = {
  readonly "event": "bulk.completed";
  /** Of the key that caused it; `catalogue.updated` comes in both. */
  readonly "mode": "live" | "test";
  /** The same on every attempt, and in the header `webhook-id`. */
  readonly "delivery_id": string;
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When the event happened. */
  readonly "sent_at": Instant;
  readonly "data": BulkOrderTold;
};

export type BulkLine = {
  /** Position in the order, from 0: `items.{index}` in `errors`, whatever the page. */
  readonly "index": number;
  /** In local form, whatever was sent. */
  readonly "phone": string;
  /** The catalogue's id. Never changes meaning. */
  readonly "product_id": number;
  /** The line's own reference, yours or `{order's reference}-{index + 1}`: requery it like any other. */
  readonly "reference": string;
  /** Our name for it: `SBX…` in sandbox, `TXN…` live. */
  readonly "transaction_id": string;
  readonly "status": PurchaseStatus;
  /** Nominal price of the line. */
  readonly "amount": Money;
  /** What the line cost; 0.00 once it was refunded. */
  readonly "total_deducted": Money;
  /** The result in words, for people. */
  readonly "message": string;
  readonly "error_code": FailureCode | null;
};

/** A bulk order with one page of its lines. */
export type BulkOrder = BulkSummary & {
  /** One page of the lines, in the order sent. */
  readonly "items": readonly (BulkLine)[];
  readonly "meta": PageMeta;
};

export type BulkOrderTold = BulkSummary & {
  /** Present, and true, only in what `POST /webhook/test` sends: nothing happened. */
  readonly "example"?: true;
};

/** `processing` while a line is pending; then whether all, some or none were successful. */
export type BulkStatus = "processing" | "completed" | "partially_completed" | "failed";

/** A bulk order, without its lines. */
export type BulkSummary = {
  /** Your reference of the order. */
  readonly "reference": string;
  /** Our name for the order. */
  readonly "bulk_id": string;
  readonly "category": Category;
  readonly "status": BulkStatus;
  /** Lines. */
  readonly "total": number;
  /** Lines that were fulfilled. */
  readonly "successful": number;
  /** Lines that are not final yet. */
  readonly "pending": number;
  /** Lines that failed and were refunded. */
  readonly "failed": number;
  /** Nominal price of all lines. */
  readonly "amount": Money;
  /** What the order cost so far, refunds subtracted. */
  readonly "total_deducted": Money;
  /** What failed lines gave back. */
  readonly "total_refunded": Money;
  /** The wallet before the order. */
  readonly "balance_before": Money;
  /** `balance_before` − `total_deducted`. */
  readonly "balance_after": Money;
  /** When it was accepted. */
  readonly "created_at": Instant;
  /** When its last line became final. */
  readonly "completed_at": Instant | null;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

export type CableDelivery = {
  readonly "kind": "cable";
  /** As sent. */
  readonly "smartcard_number": string;
  /** Who the smartcard belongs to; null where the operator does not say. */
  readonly "customer_name": string | null;
  /** The bouquet that was paid. */
  readonly "bouquet": string;
  /** How many periods of the product's validity, usually a month. */
  readonly "months": number;
  /** Until when the smartcard is active; null where the operator does not say. */
  readonly "valid_until": string | null;
};

/** A purchase of the category `cable`, with what was delivered. */
export type CableTransaction = Transaction & {
  readonly "delivery": CableDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type CatalogueUpdate = {
  /** Whose products changed, or were hidden or shown: read their products again. */
  readonly "billers": readonly (string)[];
  /** Whose price or availability changed. Where a whole category was hidden from you or shown to you, its billers are named alone. */
  readonly "products": readonly (number)[];
  /** When the last of it changed. */
  readonly "updated_at": Instant;
  /** Present, and true, only in what `POST /webhook/test` sends: nothing happened. */
  readonly "example"?: true;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

/** Products changed. */
export type CatalogueUpdatedEvent = {
  readonly "event": "catalogue.updated";
  /** Of the key that caused it; `catalogue.updated` comes in both. */
  readonly "mode": "live" | "test";
  /** The same on every attempt, and in the header `webhook-id`. */
  readonly "delivery_id": string;
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When the event happened. */
  readonly "sent_at": Instant;
  readonly "data": CatalogueUpdate;
};

/** The kind of product. */
export type Category = "data" | "airtime" | "electricity" | "cable" | "education" | "giftcard" | "esim" | "betting" | "internet" | "voice" | "sms" | "recharge_pin";

/** The door that the purchase came by. */
export type Channel = "api" | "dashboard" | "bulk" | "legacy";

/** A purchase of the category `data`, with what was delivered. */
export type DataTransaction = Transaction & {
  readonly "delivery": TopupDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type DeliveryHint = {
  /** What was delivered; the requery tells it. */
  readonly "kind": string;
  readonly "has_delivery": true;
};

/** `waiting`: an attempt is owed or under way. `delivered`: one was successful. `exhausted`: all of the schedule's failed. `dropped`: its endpoint was removed, switched off or turned to the other mode before. */
export type DeliveryStatus = "waiting" | "delivered" | "exhausted" | "dropped";

export type Denomination = {
  /** The catalogue's id. Never changes meaning. */
  readonly "product_id": number;
  /** The mobile network; null where none is concerned. */
  readonly "network": "MTN" | "GLO" | "9MOBILE" | "AIRTEL" | null;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string;
  /** What one PIN loads. */
  readonly "face_amount": Money | null;
  /** What this account pays for one PIN. */
  readonly "api_price": Money | null;
  /** Least number of PINs. */
  readonly "min_quantity": number;
  /** Largest number of PINs. */
  readonly "max_quantity": number;
  /** Whether a purchase would be accepted now. */
  readonly "in_stock": boolean;
  /** What a customer dials, with PIN in the PIN's place. */
  readonly "load_code": string;
};

export type DenominationList = {
  readonly "denominations": readonly (Denomination)[];
};

/** A purchase of the category `education`, with what was delivered. */
export type EducationTransaction = Transaction & {
  readonly "delivery": ExamPinsDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type ElectricityDelivery = {
  readonly "kind": "electricity";
  /** The 20 digits that load the units bought; null for postpaid meters. Also at top level. */
  readonly "token": string | null;
  /** The token in groups of four, as it is printed. */
  readonly "token_formatted": string | null;
  /** Energy in kWh; null for postpaid meters. */
  readonly "units": string | null;
  /** Every token, in the order in which the customer enters them. */
  readonly "tokens": readonly ({
    /** kct1 and kct2 change the meter's key. */
    readonly "type": "kct1" | "kct2" | "main" | "bonus";
    /** 20 digits. */
    readonly "value": string;
    /** In which order the tokens are entered, from 1. */
    readonly "order": number;
  })[];
  /** Naira per kWh, before VAT; null where the disco does not say. */
  readonly "tariff": string | null;
  /** A to E, by the hours of supply a day. */
  readonly "tariff_band": string | null;
  /** Where the amount went; the three sum to it. Null each where the disco does not say. */
  readonly "amount_breakdown": {
    /** Naira that bought energy. */
    readonly "energy": string | null;
    /** VAT of 7.5 % on the energy. */
    readonly "vat": string | null;
    /** Naira kept against the customer's debt. */
    readonly "debt_recovered": string | null;
  };
  /** The disco's receipt. */
  readonly "receipt_number": string;
  /** As sent. */
  readonly "meter_number": string;
  /** The meter's owner; null where the disco does not say. */
  readonly "customer_name": string | null;
  /** Where the meter is; null where the disco does not say. */
  readonly "customer_address": string | null;
};

/** A purchase of the category `electricity`, with what was delivered. */
export type ElectricityTransaction = Transaction & {
  readonly "delivery": ElectricityDelivery | null;
  /** The 20 digits to enter at the meter; null until successful, and for postpaid meters. */
  readonly "token": string | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

/** An e-mail address. */
export type EmailInput = string;

/** A purchase of the category `esim`, with what was delivered. */
export type EsimTransaction = Transaction & {
  readonly "delivery": EsimsDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type EsimsDelivery = {
  readonly "kind": "esims";
  /** As many as bought. */
  readonly "esims": readonly ({
    /** The profile's number. */
    readonly "iccid": string;
    /** The activation code, as a device reads it: SGP.22 allows an object identifier behind it, and `$1` where the device asks for a confirmation code. */
    readonly "lpa": string;
    /** The server that holds the profile, for entering by hand. */
    readonly "smdp_address": string;
    /** The code that releases the profile, for entering by hand. */
    readonly "matching_id": string;
    /** `lpa` as a QR code: a PNG data URL. */
    readonly "qr_code": string;
    /** The access point, where a device asks for one. */
    readonly "apn": string | null;
    /** Megabytes; null when unlimited. */
    readonly "data_mb": number | null;
    /** Days from first use. */
    readonly "validity_days": number | null;
    /** Countries (ISO 3166) or the region in which it works. */
    readonly "coverage": readonly (string)[];
    /** Until when the profile must be installed. */
    readonly "expires_at": string | null;
  })[];
};

export type EventList = {
  readonly "events": readonly (ListedEvent)[];
  /** Whether to ask again at once, behind the last event that you have: a page may be short, even empty. */
  readonly "has_more": boolean;
};

/** What happened. */
export type EventName = "transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test";

/** The webhook's body, but for its `delivery_id`. */
export type EventPayload = {
  /** What happened. */
  readonly "event": "transaction.successful" | "transaction.failed" | "bulk.completed";
  /** The key's own. */
  readonly "mode": "live" | "test";
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When it happened. */
  readonly "sent_at": Instant;
  /** The transaction, or the bulk order, as it is now, without secrets and lines. */
  readonly "data": ListedTransaction | BulkSummary;
};

export type ExamPinsDelivery = {
  readonly "kind": "pins";
  /** Which examination. */
  readonly "exam": string;
  /** As many as bought: all or nothing. */
  readonly "pins": readonly (Pin)[];
  /** Where the PIN is used. */
  readonly "check_url": string | null;
};

/** Why it failed; null unless it did. */
export type FailureCode = "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";

export type FundingAccount = {
  /** Who receives transfers there for us. */
  readonly "provider": string;
  /** `active`: what is sent to it is added to your wallet. `requested`: the provider is asked for it; it takes a minute as a rule. `refused`: the provider will not open it; `refusal` says why. */
  readonly "state": "active" | "requested" | "refused";
  /** The number to send to; null unless it is active. */
  readonly "account_number": string | null;
  /** The bank that it is at; null unless it is active. */
  readonly "bank_name": string | null;
  /** What a sender's bank shows; null unless it is active. */
  readonly "account_name": string | null;
  /** Who bears the provider's fee. `company`: your wallet is credited all that was sent. `merchant`: what is left of it. */
  readonly "fee_bearer": "company" | "merchant";
  /** Why it was refused, in the provider's words; null unless it was. */
  readonly "refusal": string | null;
};

export type FundingAccounts = {
  readonly "accounts": readonly (FundingAccount)[];
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

/** A purchase of the category `giftcard`, with what was delivered. */
export type GiftcardTransaction = Transaction & {
  readonly "delivery": GiftcardsDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type GiftcardsDelivery = {
  readonly "kind": "giftcards";
  /** Whose card it is. */
  readonly "brand": string;
  /** Of the card's value: ISO 4217. */
  readonly "face_currency": string;
  /** Value of one card in `face_currency`. */
  readonly "face_value": string;
  /** Naira for one unit of `face_currency`; 1.00 for naira cards. */
  readonly "fx_rate": string;
  /** As many as bought. */
  readonly "cards": readonly ({
    /** Counts the pieces of one purchase from 1. */
    readonly "sequence": number;
    /** What the customer redeems. */
    readonly "code": string;
    /** Asked for with the code, where the brand does. */
    readonly "pin": string | null;
    /** The card's number, which support asks for. */
    readonly "serial": string | null;
    /** Where the card can be looked at and redeemed. */
    readonly "claim_url": string | null;
    /** Value of this card in `currency`. */
    readonly "value": string;
    /** ISO 4217. */
    readonly "currency": string;
    /** Null where the brand's cards do not expire. */
    readonly "expires_at": string | null;
  })[];
};

export type Health = {
  readonly "status": "ok";
};

/** ISO 8601 with its offset. */
export type Instant = string;

export type InternetDelivery = {
  readonly "kind": "internet";
  /** As sent. */
  readonly "account_number": string;
  /** The plan that was bought. */
  readonly "plan": string;
  /** PINs to enter at the provider; null where the account was credited directly. */
  readonly "pins": readonly (Pin)[] | null;
};

/** A purchase of the category `internet`, with what was delivered. */
export type InternetTransaction = Transaction & {
  readonly "delivery": InternetDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type ListedEvent = {
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "id": string;
  /** What happened. */
  readonly "event": "transaction.successful" | "transaction.failed" | "bulk.completed";
  /** When it happened. */
  readonly "created_at": Instant;
  readonly "payload": EventPayload;
};

/** A purchase without its secrets, as lists and events tell it. */
export type ListedTransaction = Transaction & {
  readonly "delivery": DeliveryHint | null;
};

export type LowBalance = {
  /** What the wallet holds now. */
  readonly "balance": Money;
  /** Your threshold. */
  readonly "threshold": Money;
  readonly "currency": "NGN";
  /** When the wallet last changed. */
  readonly "updated_at": Instant;
  /** Present, and true, only in what `POST /webhook/test` sends: nothing happened. */
  readonly "example"?: true;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

/** The meter's number: 6 to 13 digits. */
export type MeterNumberInput = string;

/** Naira, with two decimals. */
export type Money = string;

export type NetworkInput = "MTN" | "GLO" | "9MOBILE" | "AIRTEL";

export type OwedDelivery = {
  /** Names the delivery of an event to one endpoint, on every attempt. */
  readonly "delivery_id": string;
};

export type PageMeta = {
  /** Counts from 1. */
  readonly "current_page": number;
  /** 1 for an empty list. */
  readonly "last_page": number;
  /** How many a page has. */
  readonly "per_page": number;
  /** All that the filters match, exactly. */
  readonly "total": number;
};

/** A Nigerian mobile number in local or international form. Required, unless `beneficiary_id` is sent. */
export type PhoneInput = string;

export type Pin = {
  /** Counts the pieces of one purchase from 1. */
  readonly "sequence": number;
  /** The PIN: digits. */
  readonly "pin": string;
  /** The serial number, which support asks for; null where the PIN has none. */
  readonly "serial": string | null;
  /** After it, the PIN is worthless. */
  readonly "expires_at": string | null;
};

export type Product = {
  /** The catalogue's id. Never changes meaning. */
  readonly "product_id": number;
  /** A readable name that stays, too. */
  readonly "code": string;
  /** For people. */
  readonly "name": string;
  /** The plan, bouquet or denomination. */
  readonly "plan": string | null;
  /** What the network calls this kind of plan. */
  readonly "plan_type": string | null;
  /** How long it lasts. */
  readonly "validity": string | null;
  /** `variable`: the purchase names the amount. */
  readonly "amount_type": "fixed" | "variable";
  /** Nominal value in naira; null where the amount is variable or there is none. */
  readonly "face_amount": Money | null;
  /** What this account pays for one; null where it depends on the amount. */
  readonly "api_price": Money | null;
  /** Where the price is a share of the nominal amount: how much less it is, in percent. */
  readonly "discount_percent": string | null;
  /** Charged once a purchase on top. A percentage: of one unit, at the least amount where it is variable. */
  readonly "fee": Money;
  /** Where the fee is a share of the nominal amount: how much of it, in percent. */
  readonly "fee_percent": string | null;
  /** The most that a percentage fee takes of one purchase; null where it has no end. */
  readonly "fee_cap": Money | null;
  /** Least amount, in `face_currency`. */
  readonly "min_amount": Money | null;
  /** Largest amount, in `face_currency`. */
  readonly "max_amount": Money | null;
  /** Least quantity of one purchase. */
  readonly "min_quantity": number;
  /** Largest quantity of one purchase. */
  readonly "max_quantity": number;
  readonly "currency": "NGN";
  /** Of min_amount and max_amount. */
  readonly "face_currency": string;
  /** Naira for one whole unit of `face_currency`; null where that is naira. */
  readonly "fx_rate": Money | null;
  /** Whether a purchase would be accepted now. */
  readonly "available": boolean;
  /** The product that took its place. */
  readonly "replaced_by": number | null;
  /** When its price (anybody's), its rate or whether it is offered was last set. Stock, suppliers and the price tier of your account don't move it. */
  readonly "updated_at": Instant;
};

/** The catalogue's id of the product. */
export type ProductIdInput = number | string;

export type ProductList = {
  readonly "biller": {
    /** The biller's slug, as in `/billers/{slug}/products`. */
    readonly "slug": string;
    /** For people. */
    readonly "name": string;
    readonly "category": Category;
  };
  readonly "products": readonly (Product)[];
};

/** `pending` means wait: do not buy again. The other two are final. */
export type PurchaseStatus = "successful" | "pending" | "failed";

export type Readiness = {
  readonly "status": "ready" | "not_ready";
  readonly "database": "up" | "down";
};

/** A purchase of the category `recharge_pin`, with what was delivered. */
export type RechargePinTransaction = Transaction & {
  readonly "delivery": RechargePinsDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type RechargePinsDelivery = {
  readonly "kind": "pins";
  /** The network whose airtime the PINs load. */
  readonly "network": string | null;
  /** What each PIN loads, in naira. */
  readonly "face_amount": string;
  /** What the customer dials, with PIN in the PIN's place. */
  readonly "load_code": string;
  /** The name to print on the cards, as sent. */
  readonly "business_name": string | null;
  /** As many as bought: all or nothing. */
  readonly "pins": readonly ({
    /** Counts the pieces of one purchase from 1. */
    readonly "sequence": number;
    /** The PIN: digits. */
    readonly "pin": string;
    /** The serial number, which support asks for; null where the PIN has none. */
    readonly "serial": string | null;
    /** What the customer dials, with the PIN in its place. */
    readonly "load_code": string;
    /** After it, the PIN loads nothing. */
    readonly "expires_at": string | null;
  })[];
};

export type SandboxReset = {
  /** The starting balance. */
  readonly "balance": Money;
  readonly "currency": "NGN";
  /** When it was reset. */
  readonly "reset_at": Instant;
  readonly "sandbox": true;
};

/** The endpoint as saved, with the secret where it is new. */
export type SavedWebhookEndpoint = WebhookEndpoint & {
  /** Only when it was made just now: with the first URL and on rotation. It can't be read again. */
  readonly "secret"?: string;
};

/** The settings as saved, with the secret where it is new. */
export type SavedWebhookSettings = WebhookSettings & {
  /** Only when it was made just now: with the first URL and on rotation. It can't be read again. */
  readonly "secret"?: string;
};

/** The smartcard or IUC number: 8 to 14 digits. */
export type SmartcardNumberInput = string;

export type SmsDelivery = {
  readonly "kind": "sms";
  /** UCS-2 as soon as one character is outside GSM-7. */
  readonly "encoding": "GSM-7" | "UCS-2";
  /** Unicode characters of the message. */
  readonly "characters": number;
  /** Pages of one message: 160 then 153 in GSM-7, 70 then 67 in UCS-2. */
  readonly "pages": number;
  /** Recipients that are sent to and charged. */
  readonly "accepted": number;
  /** Entries that are not. */
  readonly "rejected": number;
  /** One for each entry of `recipients`, in the order sent. There whatever the transaction's status. */
  readonly "results": readonly ({
    /** In local form; as sent (at most 40 characters) where it is unreadable. */
    readonly "phone": string;
    /** The network of the number's prefix. */
    readonly "network": string | null;
    readonly "status": "sent" | "pending" | "failed" | "rejected";
    /** Pages charged for this recipient. */
    readonly "pages": number;
    /** Nominal price of these pages in naira; 0.00 when nothing was sent. */
    readonly "cost": string;
    /** Why the entry was rejected, or, as the transaction's `error_code`, why nothing was sent to it. */
    readonly "error_code": "INVALID_NUMBER" | "DUPLICATE" | "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE" | null;
  })[];
};

/** A purchase of the category `sms`, with what was delivered. */
export type SmsTransaction = Transaction & {
  readonly "delivery": SmsDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type TopupDelivery = {
  readonly "kind": "topup";
};

/** A purchase, as every answer and event tells it. */
export type Transaction = {
  readonly "status": PurchaseStatus;
  /** Your reference, unique per mode. */
  readonly "reference": string;
  readonly "channel": Channel;
  /** Our name for it: `SBX…` in sandbox, `TXN…` live. */
  readonly "transaction_id": string;
  readonly "category": Category;
  /** The result in words, for people. */
  readonly "message": string;
  /** The mobile network; null where none is concerned. */
  readonly "network": "MTN" | "GLO" | "9MOBILE" | "AIRTEL" | null;
  /** The biller's name. */
  readonly "biller": string;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string;
  /** The catalogue's id. Never changes meaning. */
  readonly "product_id": number;
  /** The product's name. */
  readonly "product": string;
  /** The plan, bouquet or denomination. */
  readonly "plan": string | null;
  /** In local form, whatever was sent. */
  readonly "phone": string | null;
  /** The number that was bought for: phone, meter, smartcard or account. */
  readonly "customer_ref": string | null;
  /** Pieces; for SMS, recipients × pages. */
  readonly "quantity": number;
  /** Nominal price of one unit. */
  readonly "unit_amount": Money;
  /** `unit_amount` × `quantity`. */
  readonly "amount": Money;
  /** Nominal value in naira; `amount` where the product has no other. */
  readonly "face_amount": Money;
  /** Charged on top. */
  readonly "fee": Money;
  /** What your price lies below `amount`. */
  readonly "discount": Money;
  /** `amount` − `discount` + `fee`; 0.00 once it failed and was refunded. */
  readonly "total_deducted": Money;
  /** The wallet before the purchase. */
  readonly "balance_before": Money;
  /** `balance_before` − `total_deducted`. */
  readonly "balance_after": Money;
  /** The supplier's own reference. */
  readonly "provider_reference": string | null;
  /** When it was accepted. */
  readonly "purchased_at": Instant;
  readonly "error_code": FailureCode | null;
  /** Whether the wallet got everything back: when it failed, or later, when its supplier took it back. */
  readonly "refunded": boolean;
  /** When it was refunded. */
  readonly "refunded_at": Instant | null;
  /** When it became final. */
  readonly "completed_at": Instant | null;
  /** The bulk order that it is a line of. */
  readonly "bulk_reference": string | null;
  /** What you sent, as you sent it. */
  readonly "metadata": { readonly [name: string]: unknown } | null;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

/** A purchase of any category, with what was delivered and its history. */
export type TransactionDetails = Transaction & {
  /** What was delivered, by its `kind`; null until successful (SMS: always there). */
  readonly "delivery": TopupDelivery | ElectricityDelivery | CableDelivery | ExamPinsDelivery | GiftcardsDelivery | EsimsDelivery | BettingDelivery | InternetDelivery | SmsDelivery | RechargePinsDelivery | null;
  /** The 20 digits to enter at the meter; null until successful, and for postpaid meters. */
  readonly "token"?: string | null;
  /** Oldest first. */
  readonly "status_history": readonly ({
    readonly "status": PurchaseStatus;
    /** Since when. */
    readonly "at": Instant;
  })[];
  /** Seconds to wait before asking again; present while pending. */
  readonly "next_check_after"?: number;
};

/** A transaction failed and was refunded. */
export type TransactionFailedEvent = {
  readonly "event": "transaction.failed";
  /** Of the key that caused it; `catalogue.updated` comes in both. */
  readonly "mode": "live" | "test";
  /** The same on every attempt, and in the header `webhook-id`. */
  readonly "delivery_id": string;
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When the event happened. */
  readonly "sent_at": Instant;
  readonly "data": TransactionTold;
};

export type TransactionList = {
  readonly "transactions": readonly (ListedTransaction)[];
  readonly "meta": PageMeta;
};

/** A transaction was successful. */
export type TransactionSuccessfulEvent = {
  readonly "event": "transaction.successful";
  /** Of the key that caused it; `catalogue.updated` comes in both. */
  readonly "mode": "live" | "test";
  /** The same on every attempt, and in the header `webhook-id`. */
  readonly "delivery_id": string;
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When the event happened. */
  readonly "sent_at": Instant;
  readonly "data": TransactionTold;
};

export type TransactionTold = ListedTransaction & {
  readonly "status": PurchaseStatus;
  /** Your reference, unique per mode. */
  readonly "reference": string;
  readonly "channel": Channel;
  /** Our name for it: `SBX…` in sandbox, `TXN…` live. */
  readonly "transaction_id": string;
  readonly "category": Category;
  /** The result in words, for people. */
  readonly "message": string;
  /** The mobile network; null where none is concerned. */
  readonly "network": "MTN" | "GLO" | "9MOBILE" | "AIRTEL" | null;
  /** The biller's name. */
  readonly "biller": string;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string;
  /** The catalogue's id. Never changes meaning. */
  readonly "product_id": number;
  /** The product's name. */
  readonly "product": string;
  /** The plan, bouquet or denomination. */
  readonly "plan": string | null;
  /** In local form, whatever was sent. */
  readonly "phone": string | null;
  /** The number that was bought for: phone, meter, smartcard or account. */
  readonly "customer_ref": string | null;
  /** Pieces; for SMS, recipients × pages. */
  readonly "quantity": number;
  /** Nominal price of one unit. */
  readonly "unit_amount": Money;
  /** `unit_amount` × `quantity`. */
  readonly "amount": Money;
  /** Nominal value in naira; `amount` where the product has no other. */
  readonly "face_amount": Money;
  /** Charged on top. */
  readonly "fee": Money;
  /** What your price lies below `amount`. */
  readonly "discount": Money;
  /** `amount` − `discount` + `fee`; 0.00 once it failed and was refunded. */
  readonly "total_deducted": Money;
  /** The wallet before the purchase. */
  readonly "balance_before": Money;
  /** `balance_before` − `total_deducted`. */
  readonly "balance_after": Money;
  /** The supplier's own reference. */
  readonly "provider_reference": string | null;
  /** When it was accepted. */
  readonly "purchased_at": Instant;
  readonly "error_code": FailureCode | null;
  /** Whether the wallet got everything back: when it failed, or later, when its supplier took it back. */
  readonly "refunded": boolean;
  /** When it was refunded. */
  readonly "refunded_at": Instant | null;
  /** When it became final. */
  readonly "completed_at": Instant | null;
  /** The bulk order that it is a line of. */
  readonly "bulk_reference": string | null;
  /** What you sent, as you sent it. */
  readonly "metadata": { readonly [name: string]: unknown } | null;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
  readonly "delivery": DeliveryHint | null;
  /** Present, and true, only in what `POST /webhook/test` sends: nothing happened. */
  readonly "example"?: true;
};

/** The id that verify answered: the purchase is refused where it is stale or another number's. */
export type VerificationIdInput = string;

/** A purchase of the category `voice`, with what was delivered. */
export type VoiceTransaction = Transaction & {
  readonly "delivery": TopupDelivery | null;
  /** Of a 422 alone: its `error_code` again, for clients that read every 422 as an error. */
  readonly "code"?: "PROVIDER_DECLINED" | "RECIPIENT_NOT_ELIGIBLE" | "RECIPIENT_INVALID" | "RECIPIENT_BARRED" | "OPERATOR_UNAVAILABLE" | "METER_DEBT_BLOCKED" | "OUT_OF_STOCK" | "EXPIRED_UNCONFIRMED" | "SANDBOX_FORCED_FAILURE";
};

export type WalletBalance = {
  /** What can be spent. */
  readonly "balance": Money;
  readonly "currency": "NGN";
  /** Falling below it sends `wallet.low_balance`; null when unset. */
  readonly "low_balance_threshold": Money | null;
  /** When the balance last changed. */
  readonly "updated_at": Instant;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

export type WalletEntry = {
  /** The entry's number in the wallet: 1, 2, 3 and so on, without a gap. */
  readonly "seq": number;
  /** When it was booked. */
  readonly "at": Instant;
  /** `top_up`: money came in. `purchase`: a purchase was charged. `refund`: it failed and was given back. `reversal`: its supplier took it back later, and so its price was given back. `adjustment`: the operator's correction. `sandbox_reset`: the sandbox wallet was reset. */
  readonly "kind": "top_up" | "purchase" | "refund" | "reversal" | "adjustment" | "sandbox_reset";
  /** The purchase's reference; null for other entries, and once a sandbox purchase is purged. */
  readonly "reference": string | null;
  /** Our name for it: `SBX…` in sandbox, `TXN…` live. */
  readonly "transaction_id": string | null;
  /** What it was for. */
  readonly "description": string;
  /** Below zero where the wallet paid. */
  readonly "amount": Money;
  /** What the wallet held after it. */
  readonly "balance_after": Money;
};

export type WalletFunded = {
  /** Names the transfer here, once: `pay_…` of one to an account of your own, `crd_…` of one to the company’s. */
  readonly "payment_id": string;
  /** What the sender sent. */
  readonly "amount": Money;
  /** What the payment provider kept of it. */
  readonly "fee": Money;
  /** What your wallet was credited: the amount, less the fee where you bear it. */
  readonly "credited": Money;
  /** What the wallet held after it. */
  readonly "balance_after": Money;
  readonly "currency": "NGN";
  /** The account that it came to, where that is known. */
  readonly "account_number": string | null;
  /** As the sender’s bank, or your announcement of it, has it. */
  readonly "sender_name": string | null;
  /** The sender’s bank. */
  readonly "sender_bank": string | null;
  /** The number that both banks know the transfer by. A bank’s statement has none. */
  readonly "session_id": string | null;
  /** What the company’s bank calls a transfer to the company’s own account. */
  readonly "bank_reference": string | null;
  /** What the sender wrote, or the bank’s statement says. */
  readonly "narration": string | null;
  /** When it arrived. Of a bank’s statement, which has no times, the beginning of its day. */
  readonly "paid_at": Instant;
  /** When your wallet was credited. */
  readonly "credited_at": Instant;
  /** Present, and true, only in what `POST /webhook/test` sends: nothing happened. */
  readonly "example"?: true;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

/** Money came into the wallet. */
export type WalletFundedEvent = {
  readonly "event": "wallet.funded";
  /** Of the key that caused it; `catalogue.updated` comes in both. */
  readonly "mode": "live" | "test";
  /** The same on every attempt, and in the header `webhook-id`. */
  readonly "delivery_id": string;
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When the event happened. */
  readonly "sent_at": Instant;
  readonly "data": WalletFunded;
};

/** The wallet fell below its threshold. */
export type WalletLowBalanceEvent = {
  readonly "event": "wallet.low_balance";
  /** Of the key that caused it; `catalogue.updated` comes in both. */
  readonly "mode": "live" | "test";
  /** The same on every attempt, and in the header `webhook-id`. */
  readonly "delivery_id": string;
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When the event happened. */
  readonly "sent_at": Instant;
  readonly "data": LowBalance;
};

export type WalletStatement = {
  /** What the wallet held before the first entry of the range. */
  readonly "opening_balance": Money;
  /** What it held after the last entry of the range. */
  readonly "closing_balance": Money;
  readonly "entries": readonly (WalletEntry)[];
  readonly "meta": PageMeta;
};

/** One attempt to deliver an event. */
export type WebhookAttempt = {
  /** Counts the attempts of your mode from 1. */
  readonly "id": number;
  readonly "event": EventName;
  /** Names the delivery of an event to one endpoint, on every attempt. */
  readonly "delivery_id": string;
  /** Names the endpoint. */
  readonly "endpoint_id": string;
  /** Where it was sent; without its query where the endpoint has another URL by now. */
  readonly "url": string;
  /** Counts the delivery's attempts. */
  readonly "attempt": number;
  /** Whether a 2xx came in time, whole or its first 16 KiB. */
  readonly "successful": boolean;
  /** Null without a response. */
  readonly "http_status": number | null;
  /** Milliseconds. */
  readonly "duration_ms": number;
  /** Why there was no whole response; null when there was one. */
  readonly "error": "timeout" | "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "blocked_destination" | "protocol_error" | null;
  /** More of why, in words for people, as far as it is known: programs go by `error`. */
  readonly "error_detail"?: string;
  /** Its first 500 characters, or empty. */
  readonly "response_body": string;
  readonly "payload": WebhookEvent | null;
  /** Of the transaction or bulk order; null for other events. */
  readonly "reference": string | null;
  /** Whether it can be sent again now. */
  readonly "resendable": boolean;
  /** When the attempt ended. */
  readonly "created_at": Instant;
};

/** One event on its way to one endpoint. */
export type WebhookDelivery = {
  /** Names the delivery of an event to one endpoint, on every attempt. */
  readonly "delivery_id": string;
  /** Names the endpoint. */
  readonly "endpoint_id": string;
  readonly "event": EventName;
  /** Where the last attempt was sent, or else where the first will be; null once the endpoint is gone. */
  readonly "url": string | null;
  /** Of the transaction or bulk order; null for other events. */
  readonly "reference": string | null;
  readonly "status": DeliveryStatus;
  /** When the next attempt is due; null when none is owed. */
  readonly "next_attempt_at": Instant | null;
  /** Whether it can be sent again now. */
  readonly "resendable": boolean;
  /** The newest first. */
  readonly "attempts": readonly (WebhookAttempt)[];
};

/** One of the places that events are sent to. */
export type WebhookEndpoint = {
  /** Names the endpoint. */
  readonly "id": string;
  /** As it was sent. */
  readonly "url": string;
  /** Whether events are sent: a URL is set and nobody switched it off. */
  readonly "enabled": boolean;
  /** Names of events, or `["*"]` for all of them. */
  readonly "events": readonly ("transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test" | "*")[];
  /** `changes`: when something that was answered as pending ends. `all`: also what was final in its own response. */
  readonly "notify": "changes" | "all";
  /** Of which mode it hears; `both` unless told. */
  readonly "mode": "live" | "test" | "both";
  /** Your own words for it. */
  readonly "description": string | null;
  /** The secret's last characters. */
  readonly "secret_hint": string | null;
  /** Until then the secret before the last rotation signs as well. */
  readonly "previous_secret_expires_at": Instant | null;
  /** Who switched it off: `merchant`: you; `gone`: your receiver, by a 410; `failing`: days of nothing but failures. null while it is on. `enabled: true` switches it on again; so does another `url` where it was not you. */
  readonly "disabled_reason": "merchant" | "gone" | "failing" | null;
  /** Deliveries of your key's mode that are owed an attempt, now or later; 10000 where there are more. */
  readonly "waiting": number;
  /** When the first of those that wait is due; in the past while it is under way. null when none waits. */
  readonly "next_attempt_at": Instant | null;
  /** After many failures nothing is sent until then, and then one attempt finds out whether you are back. A test that succeeds and `enabled: true` end the pause at once. null while there is none. */
  readonly "paused_until": Instant | null;
  /** Every attempt since then has failed; null when the last one did not. */
  readonly "failing_since": Instant | null;
  /** A notice: it is switched off then, unless an attempt succeeds before. null without one. */
  readonly "disable_at": Instant | null;
  /** Of the last change; null when nothing was ever set. */
  readonly "updated_at": Instant | null;
};

/** The body of a webhook: `event` says which of them. */
export type WebhookEvent = TransactionSuccessfulEvent | TransactionFailedEvent | BulkCompletedEvent | WalletFundedEvent | WalletLowBalanceEvent | CatalogueUpdatedEvent | WebhookTestEvent;

export type WebhookRecovery = {
  /** Deliveries that are due again. */
  readonly "recovered": number;
  /** Send it as `since` to go on: one request sends some 10,000 again. null: that was all. */
  readonly "next_since": Instant | null;
};

/** Where events are sent to, for both modes. */
export type WebhookSettings = {
  /** The endpoint's name; null when no URL is set. */
  readonly "id": string | null;
  /** As it was sent. */
  readonly "url": string | null;
  /** Whether events are sent: a URL is set and nobody switched it off. */
  readonly "enabled": boolean;
  /** Names of events, or `["*"]` for all of them. */
  readonly "events": readonly ("transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test" | "*")[];
  /** `changes`: when something that was answered as pending ends. `all`: also what was final in its own response. */
  readonly "notify": "changes" | "all";
  /** Of which mode it hears; `both` unless told. */
  readonly "mode": "live" | "test" | "both";
  /** Your own words for it. */
  readonly "description": string | null;
  /** The secret's last characters. */
  readonly "secret_hint": string | null;
  /** Until then the secret before the last rotation signs as well. */
  readonly "previous_secret_expires_at": Instant | null;
  /** Who switched it off: `merchant`: you; `gone`: your receiver, by a 410; `failing`: days of nothing but failures. null while it is on. `enabled: true` switches it on again; so does another `url` where it was not you. */
  readonly "disabled_reason": "merchant" | "gone" | "failing" | null;
  /** Deliveries of your key's mode that are owed an attempt, now or later; 10000 where there are more. */
  readonly "waiting": number;
  /** When the first of those that wait is due; in the past while it is under way. null when none waits. */
  readonly "next_attempt_at": Instant | null;
  /** After many failures nothing is sent until then, and then one attempt finds out whether you are back. A test that succeeds and `enabled: true` end the pause at once. null while there is none. */
  readonly "paused_until": Instant | null;
  /** Every attempt since then has failed; null when the last one did not. */
  readonly "failing_since": Instant | null;
  /** A notice: it is switched off then, unless an attempt succeeds before. null without one. */
  readonly "disable_at": Instant | null;
  /** Of the last change; null when nothing was ever set. */
  readonly "updated_at": Instant | null;
};

export type WebhookTest = {
  /** For people. */
  readonly "message": string;
  /** Present, and true, only in what `POST /webhook/test` sends: nothing happened. */
  readonly "example"?: true;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

/** A test that you asked for. */
export type WebhookTestEvent = {
  readonly "event": "webhook.test";
  /** Of the key that caused it; `catalogue.updated` comes in both. */
  readonly "mode": "live" | "test";
  /** The same on every attempt, and in the header `webhook-id`. */
  readonly "delivery_id": string;
  /** Names the event, the same at all endpoints and in `GET /events`. */
  readonly "event_id": string;
  /** When the event happened. */
  readonly "sent_at": Instant;
  readonly "data": WebhookTest;
};

export type GetWalletStatementQuery = {
  /** From this instant on: ISO 8601 with offset, or a date. */
  readonly "from"?: string;
  /** Up to the end of this second, or date: ISO 8601 with offset, or a date. */
  readonly "to"?: string;
  /** Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`. */
  readonly "page"?: number | string;
  /** 1 to 100; 20 unless told. */
  readonly "per_page"?: number | string;
};

export type ListBillersQuery = {
  /** Only these. */
  readonly "category"?: "data" | "airtime" | "electricity" | "cable" | "education" | "giftcard" | "esim" | "betting" | "internet" | "voice" | "sms" | "recharge_pin";
  /** Words of the biller's name, slug or network. */
  readonly "q"?: string;
};

export type ListDenominationsQuery = {
  /** MTN, GLO, 9MOBILE or AIRTEL, in any case. */
  readonly "network"?: "MTN" | "GLO" | "9MOBILE" | "AIRTEL";
};

export type VerifyMeterRequest = {
  readonly "product_id"?: ProductIdInput;
  readonly "biller"?: BillerInput;
  readonly "meter_number": MeterNumberInput;
  /** The kind of meter; with `biller`, it selects the product. */
  readonly "meter_type": "prepaid" | "postpaid";
};

export type VerifyMeterResult = {
  readonly "verified": true;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string;
  /** As sent. */
  readonly "meter_number": string;
  readonly "meter_type": "prepaid" | "postpaid";
  /** The meter's owner. */
  readonly "customer_name": string;
  /** Where the meter is. */
  readonly "customer_address": string;
  /** What the disco files the meter under: as a rule its band, A to E. */
  readonly "tariff_class": string | null;
  /** What the customer owes in naira; part of each purchase goes to it first. */
  readonly "outstanding_debt": string;
  /** false: the disco sells this meter nothing until its debt is settled. */
  readonly "can_vend": boolean;
  /** Least amount of a purchase in naira. */
  readonly "min_amount": string | null;
  /** Largest amount of a purchase in naira. */
  readonly "max_amount": string | null;
  /** Proves this verification to a purchase for the same number, until `expires_at`. */
  readonly "verification_id": string;
  /** Half an hour after the request. */
  readonly "expires_at": Instant;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

export type VerifySmartcardRequest = {
  readonly "biller": BillerInput;
  readonly "smartcard_number": SmartcardNumberInput;
};

export type VerifySmartcardResult = {
  readonly "verified": true;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string;
  /** As sent. */
  readonly "smartcard_number": string;
  /** Who the smartcard belongs to. */
  readonly "customer_name": string;
  /** expired: the bouquet ran out. new: none was ever paid. */
  readonly "account_status": "active" | "expired" | "suspended" | "new";
  /** The bouquet that the smartcard has, or had last; null when it is unknown. */
  readonly "current_bouquet": string | null;
  /** The product that pays this bouquet again; null when we do not offer it. */
  readonly "current_product_id": number | null;
  /** The last day that is paid for, in the deployment's zone. */
  readonly "due_date": string | null;
  /** The `amount` of a purchase with `subscription_type: renew`, for one period of that bouquet, in naira; null where there is none. */
  readonly "renewal_amount": string | null;
  /** Proves this verification to a purchase for the same number, until `expires_at`. */
  readonly "verification_id": string;
  /** Half an hour after the request. */
  readonly "expires_at": Instant;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

export type VerifyBettingCustomerRequest = {
  readonly "biller": BillerInput;
  /** The customer's id at the betting operator: 3 to 32 letters and digits. */
  readonly "customer_id": string;
};

export type VerifyBettingCustomerResult = {
  readonly "verified": true;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string;
  /** As sent. */
  readonly "customer_id": string;
  /** Who the betting account belongs to. */
  readonly "customer_name": string;
  /** Least amount of a funding in naira. */
  readonly "min_amount": string | null;
  /** Largest amount of a funding in naira. */
  readonly "max_amount": string | null;
  /** Proves this verification to a purchase for the same number, until `expires_at`. */
  readonly "verification_id": string;
  /** Half an hour after the request. */
  readonly "expires_at": Instant;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

export type VerifyInternetAccountRequest = {
  readonly "biller": BillerInput;
  /** The customer's account at the provider: a number, an e-mail address or a user name. */
  readonly "account_number": string;
};

export type VerifyInternetAccountResult = {
  readonly "verified": true;
  /** The biller's slug, as in `/billers/{slug}/products`. */
  readonly "biller_slug": string;
  /** As sent. */
  readonly "account_number": string;
  /** Who the account belongs to. */
  readonly "customer_name": string;
  /** Proves this verification to a purchase for the same number, until `expires_at`. */
  readonly "verification_id": string;
  /** Half an hour after the request. */
  readonly "expires_at": Instant;
  /** Present, and true, only in sandbox. */
  readonly "sandbox"?: true;
};

export type BuyDataRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id": ProductIdInput;
  readonly "phone"?: PhoneInput;
  /** false: the number was never ported, so refuse it when its prefix names another network. */
  readonly "ported"?: boolean;
};

export type BuyAirtimeRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id"?: ProductIdInput;
  /** MTN, GLO, 9MOBILE or AIRTEL, in any case. */
  readonly "network"?: NetworkInput;
  readonly "phone"?: PhoneInput;
  /** The airtime's value in naira. */
  readonly "amount": AmountInput;
  /** false: the number was never ported, so refuse it when its prefix names another network. */
  readonly "ported"?: boolean;
};

export type BuyElectricityRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id"?: ProductIdInput;
  readonly "biller"?: BillerInput;
  /** The kind of meter; with `biller`, it selects the product. */
  readonly "meter_type"?: "prepaid" | "postpaid";
  /** The meter's number: 6 to 13 digits. Required, unless `beneficiary_id` is sent. */
  readonly "meter_number"?: MeterNumberInput;
  /** What the customer pays, VAT included, in naira. */
  readonly "amount": AmountInput;
  /** A Nigerian mobile number in local or international form. */
  readonly "phone": PhoneInput;
  readonly "verification_id"?: VerificationIdInput;
};

export type BuyCableRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id"?: ProductIdInput;
  readonly "biller"?: BillerInput;
  /** renew, with `biller` and `amount`: keep the smartcard's bouquet. change: `product_id` says the new one. */
  readonly "subscription_type"?: "change" | "renew";
  /** With `renew`: the renewal amount of one period that verify answered, in naira. */
  readonly "amount"?: AmountInput;
  /** The smartcard or IUC number: 8 to 14 digits. Required, unless `beneficiary_id` is sent. */
  readonly "smartcard_number"?: SmartcardNumberInput;
  /** A Nigerian mobile number in local or international form. */
  readonly "phone": PhoneInput;
  /** How many periods of the bouquet, usually months: 1 to 12. Default: 1. */
  readonly "months"?: number | string;
  readonly "verification_id"?: VerificationIdInput;
};

export type BuyEducationRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id": ProductIdInput;
  /** How many PINs: 1 to 5. Default: 1. */
  readonly "quantity"?: number | string;
  readonly "phone"?: PhoneInput;
  /** The candidate's profile code: 10 digits. Required for JAMB. */
  readonly "profile_code"?: string;
};

export type BuyGiftcardRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id": ProductIdInput;
  /** How many cards: 1 to 10. Default: 1. */
  readonly "quantity"?: number | string;
  /** Value of one card in its own currency: for products with a range. */
  readonly "amount"?: AmountInput;
  readonly "recipient_email"?: EmailInput;
  /** A Nigerian mobile number in local or international form. */
  readonly "recipient_phone"?: PhoneInput;
  /** A Nigerian mobile number in local or international form. */
  readonly "phone"?: PhoneInput;
};

export type BuyEsimRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id": ProductIdInput;
  /** How many eSIMs: 1 to 10. Default: 1. */
  readonly "quantity"?: number | string;
  readonly "email"?: EmailInput;
  /** A Nigerian mobile number in local or international form. */
  readonly "phone"?: PhoneInput;
};

export type FundBettingRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id"?: ProductIdInput;
  readonly "biller"?: BillerInput;
  /** The customer's id at the betting operator: 3 to 32 letters and digits. Required, unless `beneficiary_id` is sent. */
  readonly "customer_id"?: string;
  /** What the betting wallet receives, in naira. */
  readonly "amount": AmountInput;
  readonly "verification_id"?: VerificationIdInput;
};

export type BuyInternetRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id": ProductIdInput;
  /** The customer's account at the provider: a number, an e-mail address or a user name. Required, unless `beneficiary_id` is sent. */
  readonly "account_number"?: string;
  /** A Nigerian mobile number in local or international form. */
  readonly "phone"?: PhoneInput;
  /** For products with a variable amount, in naira. */
  readonly "amount"?: AmountInput;
  readonly "verification_id"?: VerificationIdInput;
};

export type BuyVoiceRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id": ProductIdInput;
  readonly "phone"?: PhoneInput;
};

export type SendSmsRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  /** Who the message comes from: 3 to 11 letters, digits and, between them, spaces. */
  readonly "sender_id": string;
  /** The text: 1 to 1,530 Unicode characters (code points), ten pages of GSM-7. */
  readonly "message": string;
  /** 1 to 500 phone numbers, as an array or separated by commas. Unreadable and repeated ones are reported and not charged. Required, unless `beneficiary_id` is sent. */
  readonly "recipients"?: readonly (string)[] | string;
  /** dnd also reaches numbers that opted out of marketing. Default: standard. */
  readonly "route"?: "standard" | "dnd";
};

export type BuyRechargePinsRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The total you expect; another one is refused with PRICE_CHANGED. */
  readonly "expected_price"?: AmountInput;
  /** An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings. */
  readonly "metadata"?: { readonly [name: string]: unknown } | null;
  /** A saved number of yours: it fills the customer's number, which you then leave out. */
  readonly "beneficiary_id"?: string;
  readonly "product_id"?: ProductIdInput;
  /** MTN, GLO, 9MOBILE or AIRTEL, in any case. */
  readonly "network"?: NetworkInput;
  /** What each PIN loads, in naira; with `network`, it selects the product. */
  readonly "denomination"?: AmountInput;
  /** How many PINs: 1 to 100. */
  readonly "quantity": number | string;
  /** The name to print on the cards. */
  readonly "business_name"?: string;
  /** A Nigerian mobile number in local or international form. */
  readonly "phone"?: PhoneInput;
};

export type BuyDataInBulkRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The lines, 1 to 10,000. */
  readonly "items"?: readonly ({
    readonly "product_id": ProductIdInput;
    /** A Nigerian mobile number in local or international form. */
    readonly "phone": PhoneInput;
    /** false: the number was never ported, so refuse it when its prefix names another network. */
    readonly "ported"?: boolean;
    /** Your name for it, and its idempotency key: sent again, it answers the original. */
    readonly "reference"?: string;
  })[];
  readonly "product_id"?: ProductIdInput;
  /** false: the number was never ported, so refuse it when its prefix names another network. */
  readonly "ported"?: boolean;
  /** Instead of `items`: one product for all of these. */
  readonly "phones"?: readonly (PhoneInput)[];
};

export type BuyAirtimeInBulkRequest = {
  /** Your name for it, and its idempotency key: sent again, it answers the original. */
  readonly "reference"?: string;
  /** The lines, 1 to 10,000. */
  readonly "items"?: readonly ({
    readonly "product_id"?: ProductIdInput;
    /** MTN, GLO, 9MOBILE or AIRTEL, in any case. */
    readonly "network"?: NetworkInput;
    /** A Nigerian mobile number in local or international form. */
    readonly "phone": PhoneInput;
    /** The airtime's value in naira. */
    readonly "amount": AmountInput;
    /** false: the number was never ported, so refuse it when its prefix names another network. */
    readonly "ported"?: boolean;
    /** Your name for it, and its idempotency key: sent again, it answers the original. */
    readonly "reference"?: string;
  })[];
  readonly "product_id"?: ProductIdInput;
  /** MTN, GLO, 9MOBILE or AIRTEL, in any case. */
  readonly "network"?: NetworkInput;
  /** The airtime's value in naira. */
  readonly "amount"?: AmountInput;
  /** false: the number was never ported, so refuse it when its prefix names another network. */
  readonly "ported"?: boolean;
  /** Instead of `items`: one product for all of these. */
  readonly "phones"?: readonly (PhoneInput)[];
};

export type GetBulkOrderQuery = {
  /** Only these. */
  readonly "status"?: "successful" | "pending" | "failed";
  /** Counts from 1. */
  readonly "page"?: number | string;
  /** 1 to 1000; 100 unless told. */
  readonly "per_page"?: number | string;
};

export type ListTransactionsQuery = {
  /** Only these. */
  readonly "status"?: "successful" | "pending" | "failed";
  /** Only these. */
  readonly "category"?: "data" | "airtime" | "electricity" | "cable" | "education" | "giftcard" | "esim" | "betting" | "internet" | "voice" | "sms" | "recharge_pin";
  /** The biller's slug. */
  readonly "biller_slug"?: string;
  /** MTN, GLO, 9MOBILE or AIRTEL, in any case. */
  readonly "network"?: "MTN" | "GLO" | "9MOBILE" | "AIRTEL";
  /** A Nigerian mobile number in local or international form. */
  readonly "phone"?: PhoneInput;
  /** The number that was bought for; a phone in any spelling. */
  readonly "customer_ref"?: string;
  /** Your reference, exactly. */
  readonly "reference"?: string;
  /** Our name for it, exactly. */
  readonly "transaction_id"?: string;
  /** The lines of one bulk order. */
  readonly "bulk_reference"?: string;
  /** Only these. */
  readonly "channel"?: "api" | "dashboard" | "bulk" | "legacy";
  /** From this instant on: ISO 8601 with offset, or a date. */
  readonly "from"?: string;
  /** Up to the end of this second, or date: ISO 8601 with offset, or a date. */
  readonly "to"?: string;
  /** Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`. */
  readonly "page"?: number | string;
  /** 1 to 100; 20 unless told. */
  readonly "per_page"?: number | string;
};

export type SaveWebhookRequest = {
  /** A public https address on port 443 or 8443, without credentials. null removes the webhook and ends its secret. Required as long as none is set. */
  readonly "url"?: string | null;
  /** false: nothing is sent, and what happens meanwhile is not made up for. */
  readonly "enabled"?: boolean;
  /** Names of events, or `["*"]` for all of them. */
  readonly "events"?: readonly ("transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test" | "*")[];
  /** `changes`: when something that was answered as pending ends. `all`: also what was final in its own response. */
  readonly "notify"?: "changes" | "all";
  /** true: make a new secret. The present one signs as well for `overlap_hours`. */
  readonly "rotate_secret"?: boolean;
  /** With `rotate_secret`: for how long the present secret goes on signing beside the new one; 24 unless told, 0 ends it at once. */
  readonly "overlap_hours"?: number | string;
};

export type SendTestEventRequest = {
  /** Which event to send an example of; `webhook.test` unless told. */
  readonly "event"?: "transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test";
  /** Where to; the first endpoint unless told. */
  readonly "endpoint_id"?: string;
};

export type ListEndpointsResult = {
  readonly "endpoints": readonly (WebhookEndpoint)[];
};

export type CreateEndpointRequest = {
  /** A public https address on port 443 or 8443, without credentials. */
  readonly "url": string;
  /** false: nothing is sent, and what happens meanwhile is not made up for. */
  readonly "enabled"?: boolean;
  /** Names of events, or `["*"]` for all of them. */
  readonly "events"?: readonly ("transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test" | "*")[];
  /** `changes`: when something that was answered as pending ends. `all`: also what was final in its own response. */
  readonly "notify"?: "changes" | "all";
  /** Of which mode it hears; `both` unless told. */
  readonly "mode"?: "live" | "test" | "both";
  /** Your own words for it. */
  readonly "description"?: string | null;
};

export type ChangeEndpointRequest = {
  /** A public https address on port 443 or 8443, without credentials. */
  readonly "url"?: string;
  /** false: nothing is sent, and what happens meanwhile is not made up for. */
  readonly "enabled"?: boolean;
  /** Names of events, or `["*"]` for all of them. */
  readonly "events"?: readonly ("transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test" | "*")[];
  /** `changes`: when something that was answered as pending ends. `all`: also what was final in its own response. */
  readonly "notify"?: "changes" | "all";
  /** Of which mode it hears; `both` unless told. */
  readonly "mode"?: "live" | "test" | "both";
  /** Your own words for it. */
  readonly "description"?: string | null;
  /** true: make a new secret. The present one signs as well for `overlap_hours`. */
  readonly "rotate_secret"?: boolean;
  /** With `rotate_secret`: for how long the present secret goes on signing beside the new one; 24 unless told, 0 ends it at once. */
  readonly "overlap_hours"?: number | string;
};

export type DeleteEndpointResult = {
  readonly "deleted": true;
  /** Names the endpoint. */
  readonly "id": string;
};

export type ListDeliveriesQuery = {
  /** Only these. */
  readonly "status"?: "success" | "failed";
  /** Only these. */
  readonly "event"?: "transaction.successful" | "transaction.failed" | "bulk.completed" | "wallet.funded" | "wallet.low_balance" | "catalogue.updated" | "webhook.test";
  /** Of the transaction or bulk order. */
  readonly "reference"?: string;
  /** Of one delivery. */
  readonly "delivery_id"?: string;
  /** Of one endpoint. */
  readonly "endpoint_id"?: string;
  /** Only attempts up to this one. Take the first page's first id along, and the pages don't move while new attempts come in. */
  readonly "max_id"?: number | string;
  /** Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`. */
  readonly "page"?: number | string;
  /** 1 to 100; 20 unless told. */
  readonly "per_page"?: number | string;
};

export type ListDeliveriesResult = {
  readonly "deliveries": readonly (WebhookAttempt)[];
  readonly "meta": PageMeta;
};

export type RecoverDeliveriesRequest = {
  /** Only what goes to this endpoint; to all unless told. */
  readonly "endpoint_id"?: string;
  /** ISO 8601 with an offset, or YYYY-MM-DD: events that happened then or later. */
  readonly "since": string;
};

export type ListEventsQuery = {
  /** An event's `id`: only what comes behind it. `newest`: the newest alone, to go on from there; ask again while `has_more` is true. Without it the list begins with the oldest. */
  readonly "after"?: string;
  /** Only these. */
  readonly "event"?: "transaction.successful" | "transaction.failed" | "bulk.completed";
  /** 1 to 100; 20 unless told. */
  readonly "per_page"?: number | string;
};

export type ListBeneficiariesQuery = {
  /** Only these. */
  readonly "category"?: "data" | "airtime" | "electricity" | "cable" | "education" | "giftcard" | "esim" | "betting" | "internet" | "voice" | "sms" | "recharge_pin";
  /** Words that its label, numbers, name, biller or network must contain. */
  readonly "q"?: string;
  /** Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`. */
  readonly "page"?: number | string;
  /** 1 to 100; 20 unless told. */
  readonly "per_page"?: number | string;
};

export type ListBeneficiariesResult = {
  readonly "beneficiaries": readonly (Beneficiary)[];
  readonly "meta": PageMeta;
};

export type CreateBeneficiaryRequest = {
  /** Your own name for it. */
  readonly "label": string;
  /** What the number is bought for. */
  readonly "category": "data" | "airtime" | "electricity" | "cable" | "education" | "giftcard" | "esim" | "betting" | "internet" | "voice" | "sms" | "recharge_pin";
  /** The customer's number, as a purchase of the category takes it: a phone, meter or smartcard number, an account. */
  readonly "customer_ref": string;
  /** A biller of the category. A purchase with another biller is then refused. */
  readonly "biller_slug"?: string | null;
  /** MTN, GLO, 9MOBILE or AIRTEL; the biller's where it has one. */
  readonly "network"?: string | null;
  /** For a meter: its kind. */
  readonly "meter_type"?: "prepaid" | "postpaid" | null;
  /** Whom the number belongs to, as verify answered it. */
  readonly "customer_name"?: string | null;
  /** Where the customer can be reached. It fills nothing. */
  readonly "phone"?: string | null;
};

export type UpdateBeneficiaryRequest = {
  /** Your own name for it. */
  readonly "label"?: string;
  /** What the number is bought for. */
  readonly "category"?: "data" | "airtime" | "electricity" | "cable" | "education" | "giftcard" | "esim" | "betting" | "internet" | "voice" | "sms" | "recharge_pin";
  /** The customer's number, as a purchase of the category takes it: a phone, meter or smartcard number, an account. */
  readonly "customer_ref"?: string;
  /** A biller of the category. A purchase with another biller is then refused. */
  readonly "biller_slug"?: string | null;
  /** MTN, GLO, 9MOBILE or AIRTEL; the biller's where it has one. */
  readonly "network"?: string | null;
  /** For a meter: its kind. */
  readonly "meter_type"?: "prepaid" | "postpaid" | null;
  /** Whom the number belongs to, as verify answered it. */
  readonly "customer_name"?: string | null;
  /** Where the customer can be reached. It fills nothing. */
  readonly "phone"?: string | null;
};

export type DeleteBeneficiaryResult = {
  readonly "deleted": true;
  /** What was deleted. */
  readonly "id": string;
};
