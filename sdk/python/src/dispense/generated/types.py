"""Generated from docs/openapi.json by `npm run generate`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class _AirtimeTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[TopupDelivery, None]


class AirtimeTransaction(_AirtimeTransactionAlways, total=False):
    """A purchase of the category `airtime`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]

#: A positive amount with at most two decimals.
AmountInput = Union[str, float]


class _ApiErrorAlways(TypedDict):
    #: Cannot be taken for a transaction's status.
    status: Literal["error"]
    #: Never changes. New codes may come; read an unknown one by its HTTP status.
    code: str
    #: For people; may change.
    message: str
    #: As in the header X-Request-Id.
    request_id: str
    #: The code's place in the error reference.
    doc_url: str


class ApiError(_ApiErrorAlways, total=False):
    """Why a request was not carried out. Decide by `code`; show `message` to people."""

    #: Sentences per field, keyed as they were sent: `phone`, `items.3.phone`. Only for field errors.
    errors: Dict[str, List[str]]
    #: Numbers that help to correct the request, such as `min_amount`.
    meta: Dict[str, Any]


class Beneficiary(TypedDict):
    #: What a purchase sends as `beneficiary_id`.
    id: str
    #: Your own name for it.
    label: str
    category: Category
    #: The customer's number, in the spelling that purchases answer.
    customer_ref: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: Union[str, None]
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: For a meter: its kind, where it was said.
    meter_type: Union[Literal["prepaid", "postpaid"], None]
    #: Whom the number belongs to.
    customer_name: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: When it was saved.
    created_at: Instant
    #: When it was changed last.
    updated_at: Instant


class BettingDelivery(TypedDict):
    kind: Literal["betting"]
    #: As sent.
    customer_id: str
    #: Who the betting account belongs to; null where the operator does not say.
    customer_name: Union[str, None]
    #: The betting operator's own reference.
    operator_reference: str


class _BettingTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[BettingDelivery, None]


class BettingTransaction(_BettingTransactionAlways, total=False):
    """A purchase of the category `betting`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class Biller(TypedDict):
    #: The biller's slug, as in `/billers/{slug}/products`.
    slug: str
    #: For people.
    name: str
    category: Category
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The request field that holds the customer's number.
    customer_field: str
    #: What a form calls that number.
    customer_label: str
    #: Whether the number should be verified before a purchase.
    requires_verification: bool
    #: Whether its category has a bulk endpoint.
    supports_bulk: bool
    #: The kinds of meter that it serves; null where it serves none.
    meter_types: Union[List[Literal["prepaid", "postpaid"]], None]
    #: Least amount over its products of variable amount.
    min_amount: Union[Money, None]
    #: Largest amount over its products of variable amount.
    max_amount: Union[Money, None]
    #: `degraded`: purchases may stay pending for longer. `unavailable`: they are refused.
    status: Literal["available", "degraded", "unavailable"]
    #: How many products its list has.
    product_count: int

#: A biller's slug, instead of `product_id`.
BillerInput = str


class BillerList(TypedDict):
    billers: List[Biller]


class BulkCompletedEvent(TypedDict):
    """Every line of a bulk order is final."""

    event: Literal["bulk.completed"]
    #: Of the key that caused it; `catalogue.updated` comes in both.
    mode: Literal["live", "test"]
    #: The same on every attempt, and in the header `webhook-id`.
    delivery_id: str
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When the event happened.
    sent_at: Instant
    data: BulkOrderTold


class BulkLine(TypedDict):
    #: Position in the order, from 0: `items.{index}` in `errors`, whatever the page.
    index: int
    #: In local form, whatever was sent.
    phone: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The line's own reference, yours or `{order's reference}-{index + 1}`: requery it like any other.
    reference: str
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    status: PurchaseStatus
    #: Nominal price of the line.
    amount: Money
    #: What the line cost; 0.00 once it was refunded.
    total_deducted: Money
    #: The result in words, for people.
    message: str
    error_code: Union[FailureCode, None]


class _BulkOrderAlways(TypedDict):
    #: Your reference of the order.
    reference: str
    #: Our name for the order.
    bulk_id: str
    category: Category
    status: BulkStatus
    #: Lines.
    total: int
    #: Lines that were fulfilled.
    successful: int
    #: Lines that are not final yet.
    pending: int
    #: Lines that failed and were refunded.
    failed: int
    #: Nominal price of all lines.
    amount: Money
    #: What the order cost so far, refunds subtracted.
    total_deducted: Money
    #: What failed lines gave back.
    total_refunded: Money
    #: The wallet before the order.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: When it was accepted.
    created_at: Instant
    #: When its last line became final.
    completed_at: Union[Instant, None]
    #: One page of the lines, in the order sent.
    items: List[BulkLine]
    meta: PageMeta


class BulkOrder(_BulkOrderAlways, total=False):
    """A bulk order with one page of its lines."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class _BulkOrderToldAlways(TypedDict):
    #: Your reference of the order.
    reference: str
    #: Our name for the order.
    bulk_id: str
    category: Category
    status: BulkStatus
    #: Lines.
    total: int
    #: Lines that were fulfilled.
    successful: int
    #: Lines that are not final yet.
    pending: int
    #: Lines that failed and were refunded.
    failed: int
    #: Nominal price of all lines.
    amount: Money
    #: What the order cost so far, refunds subtracted.
    total_deducted: Money
    #: What failed lines gave back.
    total_refunded: Money
    #: The wallet before the order.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: When it was accepted.
    created_at: Instant
    #: When its last line became final.
    completed_at: Union[Instant, None]


class BulkOrderTold(_BulkOrderToldAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Present, and true, only in what `POST /webhook/test` sends: nothing happened.
    example: Literal[True]

#: `processing` while a line is pending; then whether all, some or none were successful.
BulkStatus = Literal["processing", "completed", "partially_completed", "failed"]


class _BulkSummaryAlways(TypedDict):
    #: Your reference of the order.
    reference: str
    #: Our name for the order.
    bulk_id: str
    category: Category
    status: BulkStatus
    #: Lines.
    total: int
    #: Lines that were fulfilled.
    successful: int
    #: Lines that are not final yet.
    pending: int
    #: Lines that failed and were refunded.
    failed: int
    #: Nominal price of all lines.
    amount: Money
    #: What the order cost so far, refunds subtracted.
    total_deducted: Money
    #: What failed lines gave back.
    total_refunded: Money
    #: The wallet before the order.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: When it was accepted.
    created_at: Instant
    #: When its last line became final.
    completed_at: Union[Instant, None]


class BulkSummary(_BulkSummaryAlways, total=False):
    """A bulk order, without its lines."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class CableDelivery(TypedDict):
    kind: Literal["cable"]
    #: As sent.
    smartcard_number: str
    #: Who the smartcard belongs to; null where the operator does not say.
    customer_name: Union[str, None]
    #: The bouquet that was paid.
    bouquet: str
    #: How many periods of the product's validity, usually a month.
    months: int
    #: Until when the smartcard is active; null where the operator does not say.
    valid_until: Union[str, None]


class _CableTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[CableDelivery, None]


class CableTransaction(_CableTransactionAlways, total=False):
    """A purchase of the category `cable`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class _CatalogueUpdateAlways(TypedDict):
    #: Whose products changed, or were hidden or shown: read their products again.
    billers: List[str]
    #: Whose price or availability changed. Where a whole category was hidden from you or shown to you, its billers are named alone.
    products: List[int]
    #: When the last of it changed.
    updated_at: Instant


class CatalogueUpdate(_CatalogueUpdateAlways, total=False):
    #: Present, and true, only in what `POST /webhook/test` sends: nothing happened.
    example: Literal[True]
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class CatalogueUpdatedEvent(TypedDict):
    """Products changed."""

    event: Literal["catalogue.updated"]
    #: Of the key that caused it; `catalogue.updated` comes in both.
    mode: Literal["live", "test"]
    #: The same on every attempt, and in the header `webhook-id`.
    delivery_id: str
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When the event happened.
    sent_at: Instant
    data: CatalogueUpdate

#: The kind of product.
Category = Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"]

#: The door that the purchase came by.
Channel = Literal["api", "dashboard", "bulk", "legacy"]


class _DataTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[TopupDelivery, None]


class DataTransaction(_DataTransactionAlways, total=False):
    """A purchase of the category `data`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class DeliveryHint(TypedDict):
    #: What was delivered; the requery tells it.
    kind: str
    has_delivery: Literal[True]

#: `waiting`: an attempt is owed or under way. `delivered`: one was successful. `exhausted`: all of the schedule's failed. `dropped`: its endpoint was removed, switched off or turned to the other mode before.
DeliveryStatus = Literal["waiting", "delivered", "exhausted", "dropped"]


class Denomination(TypedDict):
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: What one PIN loads.
    face_amount: Union[Money, None]
    #: What this account pays for one PIN.
    api_price: Union[Money, None]
    #: Least number of PINs.
    min_quantity: int
    #: Largest number of PINs.
    max_quantity: int
    #: Whether a purchase would be accepted now.
    in_stock: bool
    #: What a customer dials, with PIN in the PIN's place.
    load_code: str


class DenominationList(TypedDict):
    denominations: List[Denomination]


class _EducationTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[ExamPinsDelivery, None]


class EducationTransaction(_EducationTransactionAlways, total=False):
    """A purchase of the category `education`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class ElectricityDelivery(TypedDict):
    kind: Literal["electricity"]
    #: The 20 digits that load the units bought; null for postpaid meters. Also at top level.
    token: Union[str, None]
    #: The token in groups of four, as it is printed.
    token_formatted: Union[str, None]
    #: Energy in kWh; null for postpaid meters.
    units: Union[str, None]
    #: Every token, in the order in which the customer enters them.
    tokens: List[Dict[str, Any]]
    #: Naira per kWh, before VAT; null where the disco does not say.
    tariff: Union[str, None]
    #: A to E, by the hours of supply a day.
    tariff_band: Union[str, None]
    #: Where the amount went; the three sum to it. Null each where the disco does not say.
    amount_breakdown: Dict[str, Any]
    #: The disco's receipt.
    receipt_number: str
    #: As sent.
    meter_number: str
    #: The meter's owner; null where the disco does not say.
    customer_name: Union[str, None]
    #: Where the meter is; null where the disco does not say.
    customer_address: Union[str, None]


class _ElectricityTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[ElectricityDelivery, None]
    #: The 20 digits to enter at the meter; null until successful, and for postpaid meters.
    token: Union[str, None]


class ElectricityTransaction(_ElectricityTransactionAlways, total=False):
    """A purchase of the category `electricity`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]

#: An e-mail address.
EmailInput = str


class _EsimTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[EsimsDelivery, None]


class EsimTransaction(_EsimTransactionAlways, total=False):
    """A purchase of the category `esim`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class EsimsDelivery(TypedDict):
    kind: Literal["esims"]
    #: As many as bought.
    esims: List[Dict[str, Any]]


class EventList(TypedDict):
    events: List[ListedEvent]
    #: Whether to ask again at once, behind the last event that you have: a page may be short, even empty.
    has_more: bool

#: What happened.
EventName = Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test"]


class EventPayload(TypedDict):
    """The webhook's body, but for its `delivery_id`."""

    #: What happened.
    event: Literal["transaction.successful", "transaction.failed", "bulk.completed"]
    #: The key's own.
    mode: Literal["live", "test"]
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When it happened.
    sent_at: Instant
    #: The transaction, or the bulk order, as it is now, without secrets and lines.
    data: Union[ListedTransaction, BulkSummary]


class ExamPinsDelivery(TypedDict):
    kind: Literal["pins"]
    #: Which examination.
    exam: str
    #: As many as bought: all or nothing.
    pins: List[Pin]
    #: Where the PIN is used.
    check_url: Union[str, None]

#: Why it failed; null unless it did.
FailureCode = Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class FundingAccount(TypedDict):
    #: Who receives transfers there for us.
    provider: str
    #: `active`: what is sent to it is added to your wallet. `requested`: the provider is asked for it; it takes a minute as a rule. `refused`: the provider will not open it; `refusal` says why.
    state: Literal["active", "requested", "refused"]
    #: The number to send to; null unless it is active.
    account_number: Union[str, None]
    #: The bank that it is at; null unless it is active.
    bank_name: Union[str, None]
    #: What a sender's bank shows; null unless it is active.
    account_name: Union[str, None]
    #: Who bears the provider's fee. `company`: your wallet is credited all that was sent. `merchant`: what is left of it.
    fee_bearer: Literal["company", "merchant"]
    #: Why it was refused, in the provider's words; null unless it was.
    refusal: Union[str, None]


class _FundingAccountsAlways(TypedDict):
    accounts: List[FundingAccount]


class FundingAccounts(_FundingAccountsAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class _GiftcardTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[GiftcardsDelivery, None]


class GiftcardTransaction(_GiftcardTransactionAlways, total=False):
    """A purchase of the category `giftcard`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class GiftcardsDelivery(TypedDict):
    kind: Literal["giftcards"]
    #: Whose card it is.
    brand: str
    #: Of the card's value: ISO 4217.
    face_currency: str
    #: Value of one card in `face_currency`.
    face_value: str
    #: Naira for one unit of `face_currency`; 1.00 for naira cards.
    fx_rate: str
    #: As many as bought.
    cards: List[Dict[str, Any]]


class Health(TypedDict):
    status: Literal["ok"]

#: ISO 8601 with its offset.
Instant = str


class InternetDelivery(TypedDict):
    kind: Literal["internet"]
    #: As sent.
    account_number: str
    #: The plan that was bought.
    plan: str
    #: PINs to enter at the provider; null where the account was credited directly.
    pins: Union[List[Pin], None]


class _InternetTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[InternetDelivery, None]


class InternetTransaction(_InternetTransactionAlways, total=False):
    """A purchase of the category `internet`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class ListedEvent(TypedDict):
    #: Names the event, the same at all endpoints and in `GET /events`.
    id: str
    #: What happened.
    event: Literal["transaction.successful", "transaction.failed", "bulk.completed"]
    #: When it happened.
    created_at: Instant
    payload: EventPayload


class _ListedTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[DeliveryHint, None]


class ListedTransaction(_ListedTransactionAlways, total=False):
    """A purchase without its secrets, as lists and events tell it."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class _LowBalanceAlways(TypedDict):
    #: What the wallet holds now.
    balance: Money
    #: Your threshold.
    threshold: Money
    currency: Literal["NGN"]
    #: When the wallet last changed.
    updated_at: Instant


class LowBalance(_LowBalanceAlways, total=False):
    #: Present, and true, only in what `POST /webhook/test` sends: nothing happened.
    example: Literal[True]
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]

#: The meter's number: 6 to 13 digits.
MeterNumberInput = str

#: Naira, with two decimals.
Money = str

NetworkInput = Literal["MTN", "GLO", "9MOBILE", "AIRTEL"]


class OwedDelivery(TypedDict):
    #: Names the delivery of an event to one endpoint, on every attempt.
    delivery_id: str


class PageMeta(TypedDict):
    #: Counts from 1.
    current_page: int
    #: 1 for an empty list.
    last_page: int
    #: How many a page has.
    per_page: int
    #: All that the filters match, exactly.
    total: int

#: A Nigerian mobile number in local or international form. Required, unless `beneficiary_id` is sent.
PhoneInput = str


class Pin(TypedDict):
    #: Counts the pieces of one purchase from 1.
    sequence: int
    #: The PIN: digits.
    pin: str
    #: The serial number, which support asks for; null where the PIN has none.
    serial: Union[str, None]
    #: After it, the PIN is worthless.
    expires_at: Union[str, None]


class Product(TypedDict):
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: A readable name that stays, too.
    code: str
    #: For people.
    name: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: What the network calls this kind of plan.
    plan_type: Union[str, None]
    #: How long it lasts.
    validity: Union[str, None]
    #: `variable`: the purchase names the amount.
    amount_type: Literal["fixed", "variable"]
    #: Nominal value in naira; null where the amount is variable or there is none.
    face_amount: Union[Money, None]
    #: What this account pays for one; null where it depends on the amount.
    api_price: Union[Money, None]
    #: Where the price is a share of the nominal amount: how much less it is, in percent.
    discount_percent: Union[str, None]
    #: Charged once a purchase on top. A percentage: of one unit, at the least amount where it is variable.
    fee: Money
    #: Where the fee is a share of the nominal amount: how much of it, in percent.
    fee_percent: Union[str, None]
    #: The most that a percentage fee takes of one purchase; null where it has no end.
    fee_cap: Union[Money, None]
    #: Least amount, in `face_currency`.
    min_amount: Union[Money, None]
    #: Largest amount, in `face_currency`.
    max_amount: Union[Money, None]
    #: Least quantity of one purchase.
    min_quantity: int
    #: Largest quantity of one purchase.
    max_quantity: int
    currency: Literal["NGN"]
    #: Of min_amount and max_amount.
    face_currency: str
    #: Naira for one whole unit of `face_currency`; null where that is naira.
    fx_rate: Union[Money, None]
    #: Whether a purchase would be accepted now.
    available: bool
    #: The product that took its place.
    replaced_by: Union[int, None]
    #: When its price (anybody's), its rate or whether it is offered was last set. Stock, suppliers and the price tier of your account don't move it.
    updated_at: Instant

#: The catalogue's id of the product.
ProductIdInput = Union[int, str]


class ProductList(TypedDict):
    biller: Dict[str, Any]
    products: List[Product]

#: `pending` means wait: do not buy again. The other two are final.
PurchaseStatus = Literal["successful", "pending", "failed"]


class Readiness(TypedDict):
    status: Literal["ready", "not_ready"]
    database: Literal["up", "down"]


class _RechargePinTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[RechargePinsDelivery, None]


class RechargePinTransaction(_RechargePinTransactionAlways, total=False):
    """A purchase of the category `recharge_pin`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class RechargePinsDelivery(TypedDict):
    kind: Literal["pins"]
    #: The network whose airtime the PINs load.
    network: Union[str, None]
    #: What each PIN loads, in naira.
    face_amount: str
    #: What the customer dials, with PIN in the PIN's place.
    load_code: str
    #: The name to print on the cards, as sent.
    business_name: Union[str, None]
    #: As many as bought: all or nothing.
    pins: List[Dict[str, Any]]


class SandboxReset(TypedDict):
    #: The starting balance.
    balance: Money
    currency: Literal["NGN"]
    #: When it was reset.
    reset_at: Instant
    sandbox: Literal[True]


class _SavedWebhookEndpointAlways(TypedDict):
    #: Names the endpoint.
    id: str
    #: As it was sent.
    url: str
    #: Whether events are sent: a URL is set and nobody switched it off.
    enabled: bool
    #: Names of events, or `["*"]` for all of them.
    events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]]
    #: `changes`: when something that was answered as pending ends. `all`: also what was final in its own response.
    notify: Literal["changes", "all"]
    #: Of which mode it hears; `both` unless told.
    mode: Literal["live", "test", "both"]
    #: Your own words for it.
    description: Union[str, None]
    #: The secret's last characters.
    secret_hint: Union[str, None]
    #: Until then the secret before the last rotation signs as well.
    previous_secret_expires_at: Union[Instant, None]
    #: Who switched it off: `merchant`: you; `gone`: your receiver, by a 410; `failing`: days of nothing but failures. null while it is on. `enabled: true` switches it on again; so does another `url` where it was not you.
    disabled_reason: Union[Literal["merchant", "gone", "failing"], None]
    #: Deliveries of your key's mode that are owed an attempt, now or later; 10000 where there are more.
    waiting: int
    #: When the first of those that wait is due; in the past while it is under way. null when none waits.
    next_attempt_at: Union[Instant, None]
    #: After many failures nothing is sent until then, and then one attempt finds out whether you are back. A test that succeeds and `enabled: true` end the pause at once. null while there is none.
    paused_until: Union[Instant, None]
    #: Every attempt since then has failed; null when the last one did not.
    failing_since: Union[Instant, None]
    #: A notice: it is switched off then, unless an attempt succeeds before. null without one.
    disable_at: Union[Instant, None]
    #: Of the last change; null when nothing was ever set.
    updated_at: Union[Instant, None]


class SavedWebhookEndpoint(_SavedWebhookEndpointAlways, total=False):
    """The endpoint as saved, with the secret where it is new."""

    #: Only when it was made just now: with the first URL and on rotation. It can't be read again.
    secret: str


class _SavedWebhookSettingsAlways(TypedDict):
    #: The endpoint's name; null when no URL is set.
    id: Union[str, None]
    #: As it was sent.
    url: Union[str, None]
    #: Whether events are sent: a URL is set and nobody switched it off.
    enabled: bool
    #: Names of events, or `["*"]` for all of them.
    events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]]
    #: `changes`: when something that was answered as pending ends. `all`: also what was final in its own response.
    notify: Literal["changes", "all"]
    #: Of which mode it hears; `both` unless told.
    mode: Literal["live", "test", "both"]
    #: Your own words for it.
    description: Union[str, None]
    #: The secret's last characters.
    secret_hint: Union[str, None]
    #: Until then the secret before the last rotation signs as well.
    previous_secret_expires_at: Union[Instant, None]
    #: Who switched it off: `merchant`: you; `gone`: your receiver, by a 410; `failing`: days of nothing but failures. null while it is on. `enabled: true` switches it on again; so does another `url` where it was not you.
    disabled_reason: Union[Literal["merchant", "gone", "failing"], None]
    #: Deliveries of your key's mode that are owed an attempt, now or later; 10000 where there are more.
    waiting: int
    #: When the first of those that wait is due; in the past while it is under way. null when none waits.
    next_attempt_at: Union[Instant, None]
    #: After many failures nothing is sent until then, and then one attempt finds out whether you are back. A test that succeeds and `enabled: true` end the pause at once. null while there is none.
    paused_until: Union[Instant, None]
    #: Every attempt since then has failed; null when the last one did not.
    failing_since: Union[Instant, None]
    #: A notice: it is switched off then, unless an attempt succeeds before. null without one.
    disable_at: Union[Instant, None]
    #: Of the last change; null when nothing was ever set.
    updated_at: Union[Instant, None]


class SavedWebhookSettings(_SavedWebhookSettingsAlways, total=False):
    """The settings as saved, with the secret where it is new."""

    #: Only when it was made just now: with the first URL and on rotation. It can't be read again.
    secret: str

#: The smartcard or IUC number: 8 to 14 digits.
SmartcardNumberInput = str


class SmsDelivery(TypedDict):
    kind: Literal["sms"]
    #: UCS-2 as soon as one character is outside GSM-7.
    encoding: Literal["GSM-7", "UCS-2"]
    #: Unicode characters of the message.
    characters: int
    #: Pages of one message: 160 then 153 in GSM-7, 70 then 67 in UCS-2.
    pages: int
    #: Recipients that are sent to and charged.
    accepted: int
    #: Entries that are not.
    rejected: int
    #: One for each entry of `recipients`, in the order sent. There whatever the transaction's status.
    results: List[Dict[str, Any]]


class _SmsTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[SmsDelivery, None]


class SmsTransaction(_SmsTransactionAlways, total=False):
    """A purchase of the category `sms`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class TopupDelivery(TypedDict):
    kind: Literal["topup"]


class _TransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]


class Transaction(_TransactionAlways, total=False):
    """A purchase, as every answer and event tells it."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class _TransactionDetailsAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    #: What was delivered, by its `kind`; null until successful (SMS: always there).
    delivery: Union[TopupDelivery, ElectricityDelivery, CableDelivery, ExamPinsDelivery, GiftcardsDelivery, EsimsDelivery, BettingDelivery, InternetDelivery, SmsDelivery, RechargePinsDelivery, None]
    #: Oldest first.
    status_history: List[Dict[str, Any]]


class TransactionDetails(_TransactionDetailsAlways, total=False):
    """A purchase of any category, with what was delivered and its history."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: The 20 digits to enter at the meter; null until successful, and for postpaid meters.
    token: Union[str, None]
    #: Seconds to wait before asking again; present while pending.
    next_check_after: int


class TransactionFailedEvent(TypedDict):
    """A transaction failed and was refunded."""

    event: Literal["transaction.failed"]
    #: Of the key that caused it; `catalogue.updated` comes in both.
    mode: Literal["live", "test"]
    #: The same on every attempt, and in the header `webhook-id`.
    delivery_id: str
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When the event happened.
    sent_at: Instant
    data: TransactionTold


class TransactionList(TypedDict):
    transactions: List[ListedTransaction]
    meta: PageMeta


class TransactionSuccessfulEvent(TypedDict):
    """A transaction was successful."""

    event: Literal["transaction.successful"]
    #: Of the key that caused it; `catalogue.updated` comes in both.
    mode: Literal["live", "test"]
    #: The same on every attempt, and in the header `webhook-id`.
    delivery_id: str
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When the event happened.
    sent_at: Instant
    data: TransactionTold


class _TransactionToldAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[DeliveryHint, None]


class TransactionTold(_TransactionToldAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Present, and true, only in what `POST /webhook/test` sends: nothing happened.
    example: Literal[True]

#: The id that verify answered: the purchase is refused where it is stale or another number's.
VerificationIdInput = str


class _VoiceTransactionAlways(TypedDict):
    status: PurchaseStatus
    #: Your reference, unique per mode.
    reference: str
    channel: Channel
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: str
    category: Category
    #: The result in words, for people.
    message: str
    #: The mobile network; null where none is concerned.
    network: Union[Literal["MTN", "GLO", "9MOBILE", "AIRTEL"], None]
    #: The biller's name.
    biller: str
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: The catalogue's id. Never changes meaning.
    product_id: int
    #: The product's name.
    product: str
    #: The plan, bouquet or denomination.
    plan: Union[str, None]
    #: In local form, whatever was sent.
    phone: Union[str, None]
    #: The number that was bought for: phone, meter, smartcard or account.
    customer_ref: Union[str, None]
    #: Pieces; for SMS, recipients × pages.
    quantity: int
    #: Nominal price of one unit.
    unit_amount: Money
    #: `unit_amount` × `quantity`.
    amount: Money
    #: Nominal value in naira; `amount` where the product has no other.
    face_amount: Money
    #: Charged on top.
    fee: Money
    #: What your price lies below `amount`.
    discount: Money
    #: `amount` − `discount` + `fee`; 0.00 once it failed and was refunded.
    total_deducted: Money
    #: The wallet before the purchase.
    balance_before: Money
    #: `balance_before` − `total_deducted`.
    balance_after: Money
    #: The supplier's own reference.
    provider_reference: Union[str, None]
    #: When it was accepted.
    purchased_at: Instant
    error_code: Union[FailureCode, None]
    #: Whether the wallet got everything back: when it failed, or later, when its supplier took it back.
    refunded: bool
    #: When it was refunded.
    refunded_at: Union[Instant, None]
    #: When it became final.
    completed_at: Union[Instant, None]
    #: The bulk order that it is a line of.
    bulk_reference: Union[str, None]
    #: What you sent, as you sent it.
    metadata: Union[Dict[str, Any], None]
    delivery: Union[TopupDelivery, None]


class VoiceTransaction(_VoiceTransactionAlways, total=False):
    """A purchase of the category `voice`, with what was delivered."""

    #: Present, and true, only in sandbox.
    sandbox: Literal[True]
    #: Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.
    code: Literal["PROVIDER_DECLINED", "RECIPIENT_NOT_ELIGIBLE", "RECIPIENT_INVALID", "RECIPIENT_BARRED", "OPERATOR_UNAVAILABLE", "METER_DEBT_BLOCKED", "OUT_OF_STOCK", "EXPIRED_UNCONFIRMED", "SANDBOX_FORCED_FAILURE"]


class _WalletBalanceAlways(TypedDict):
    #: What can be spent.
    balance: Money
    currency: Literal["NGN"]
    #: Falling below it sends `wallet.low_balance`; null when unset.
    low_balance_threshold: Union[Money, None]
    #: When the balance last changed.
    updated_at: Instant


class WalletBalance(_WalletBalanceAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class WalletEntry(TypedDict):
    #: The entry's number in the wallet: 1, 2, 3 and so on, without a gap.
    seq: int
    #: When it was booked.
    at: Instant
    #: `top_up`: money came in. `purchase`: a purchase was charged. `refund`: it failed and was given back. `reversal`: its supplier took it back later, and so its price was given back. `adjustment`: the operator's correction. `sandbox_reset`: the sandbox wallet was reset.
    kind: Literal["top_up", "purchase", "refund", "reversal", "adjustment", "sandbox_reset"]
    #: The purchase's reference; null for other entries, and once a sandbox purchase is purged.
    reference: Union[str, None]
    #: Our name for it: `SBX…` in sandbox, `TXN…` live.
    transaction_id: Union[str, None]
    #: What it was for.
    description: str
    #: Below zero where the wallet paid.
    amount: Money
    #: What the wallet held after it.
    balance_after: Money


class _WalletFundedAlways(TypedDict):
    #: Names the transfer here, once: `pay_…` of one to an account of your own, `crd_…` of one to the company’s.
    payment_id: str
    #: What the sender sent.
    amount: Money
    #: What the payment provider kept of it.
    fee: Money
    #: What your wallet was credited: the amount, less the fee where you bear it.
    credited: Money
    #: What the wallet held after it.
    balance_after: Money
    currency: Literal["NGN"]
    #: The account that it came to, where that is known.
    account_number: Union[str, None]
    #: As the sender’s bank, or your announcement of it, has it.
    sender_name: Union[str, None]
    #: The sender’s bank.
    sender_bank: Union[str, None]
    #: The number that both banks know the transfer by. A bank’s statement has none.
    session_id: Union[str, None]
    #: What the company’s bank calls a transfer to the company’s own account.
    bank_reference: Union[str, None]
    #: What the sender wrote, or the bank’s statement says.
    narration: Union[str, None]
    #: When it arrived. Of a bank’s statement, which has no times, the beginning of its day.
    paid_at: Instant
    #: When your wallet was credited.
    credited_at: Instant


class WalletFunded(_WalletFundedAlways, total=False):
    #: Present, and true, only in what `POST /webhook/test` sends: nothing happened.
    example: Literal[True]
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class WalletFundedEvent(TypedDict):
    """Money came into the wallet."""

    event: Literal["wallet.funded"]
    #: Of the key that caused it; `catalogue.updated` comes in both.
    mode: Literal["live", "test"]
    #: The same on every attempt, and in the header `webhook-id`.
    delivery_id: str
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When the event happened.
    sent_at: Instant
    data: WalletFunded


class WalletLowBalanceEvent(TypedDict):
    """The wallet fell below its threshold."""

    event: Literal["wallet.low_balance"]
    #: Of the key that caused it; `catalogue.updated` comes in both.
    mode: Literal["live", "test"]
    #: The same on every attempt, and in the header `webhook-id`.
    delivery_id: str
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When the event happened.
    sent_at: Instant
    data: LowBalance


class WalletStatement(TypedDict):
    #: What the wallet held before the first entry of the range.
    opening_balance: Money
    #: What it held after the last entry of the range.
    closing_balance: Money
    entries: List[WalletEntry]
    meta: PageMeta


class _WebhookAttemptAlways(TypedDict):
    #: Counts the attempts of your mode from 1.
    id: int
    event: EventName
    #: Names the delivery of an event to one endpoint, on every attempt.
    delivery_id: str
    #: Names the endpoint.
    endpoint_id: str
    #: Where it was sent; without its query where the endpoint has another URL by now.
    url: str
    #: Counts the delivery's attempts.
    attempt: int
    #: Whether a 2xx came in time, whole or its first 16 KiB.
    successful: bool
    #: Null without a response.
    http_status: Union[int, None]
    #: Milliseconds.
    duration_ms: int
    #: Why there was no whole response; null when there was one.
    error: Union[Literal["timeout", "dns_error", "connection_refused", "connection_reset", "tls_error", "blocked_destination", "protocol_error"], None]
    #: Its first 500 characters, or empty.
    response_body: str
    payload: Union[WebhookEvent, None]
    #: Of the transaction or bulk order; null for other events.
    reference: Union[str, None]
    #: Whether it can be sent again now.
    resendable: bool
    #: When the attempt ended.
    created_at: Instant


class WebhookAttempt(_WebhookAttemptAlways, total=False):
    """One attempt to deliver an event."""

    #: More of why, in words for people, as far as it is known: programs go by `error`.
    error_detail: str


class WebhookDelivery(TypedDict):
    """One event on its way to one endpoint."""

    #: Names the delivery of an event to one endpoint, on every attempt.
    delivery_id: str
    #: Names the endpoint.
    endpoint_id: str
    event: EventName
    #: Where the last attempt was sent, or else where the first will be; null once the endpoint is gone.
    url: Union[str, None]
    #: Of the transaction or bulk order; null for other events.
    reference: Union[str, None]
    status: DeliveryStatus
    #: When the next attempt is due; null when none is owed.
    next_attempt_at: Union[Instant, None]
    #: Whether it can be sent again now.
    resendable: bool
    #: The newest first.
    attempts: List[WebhookAttempt]


class WebhookEndpoint(TypedDict):
    """One of the places that events are sent to."""

    #: Names the endpoint.
    id: str
    #: As it was sent.
    url: str
    #: Whether events are sent: a URL is set and nobody switched it off.
    enabled: bool
    #: Names of events, or `["*"]` for all of them.
    events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]]
    #: `changes`: when something that was answered as pending ends. `all`: also what was final in its own response.
    notify: Literal["changes", "all"]
    #: Of which mode it hears; `both` unless told.
    mode: Literal["live", "test", "both"]
    #: Your own words for it.
    description: Union[str, None]
    #: The secret's last characters.
    secret_hint: Union[str, None]
    #: Until then the secret before the last rotation signs as well.
    previous_secret_expires_at: Union[Instant, None]
    #: Who switched it off: `merchant`: you; `gone`: your receiver, by a 410; `failing`: days of nothing but failures. null while it is on. `enabled: true` switches it on again; so does another `url` where it was not you.
    disabled_reason: Union[Literal["merchant", "gone", "failing"], None]
    #: Deliveries of your key's mode that are owed an attempt, now or later; 10000 where there are more.
    waiting: int
    #: When the first of those that wait is due; in the past while it is under way. null when none waits.
    next_attempt_at: Union[Instant, None]
    #: After many failures nothing is sent until then, and then one attempt finds out whether you are back. A test that succeeds and `enabled: true` end the pause at once. null while there is none.
    paused_until: Union[Instant, None]
    #: Every attempt since then has failed; null when the last one did not.
    failing_since: Union[Instant, None]
    #: A notice: it is switched off then, unless an attempt succeeds before. null without one.
    disable_at: Union[Instant, None]
    #: Of the last change; null when nothing was ever set.
    updated_at: Union[Instant, None]

#: The body of a webhook: `event` says which of them.
WebhookEvent = Union["TransactionSuccessfulEvent", "TransactionFailedEvent", "BulkCompletedEvent", "WalletFundedEvent", "WalletLowBalanceEvent", "CatalogueUpdatedEvent", "WebhookTestEvent"]


class WebhookRecovery(TypedDict):
    #: Deliveries that are due again.
    recovered: int
    #: Send it as `since` to go on: one request sends some 10,000 again. null: that was all.
    next_since: Union[Instant, None]


class WebhookSettings(TypedDict):
    """Where events are sent to, for both modes."""

    #: The endpoint's name; null when no URL is set.
    id: Union[str, None]
    #: As it was sent.
    url: Union[str, None]
    #: Whether events are sent: a URL is set and nobody switched it off.
    enabled: bool
    #: Names of events, or `["*"]` for all of them.
    events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]]
    #: `changes`: when something that was answered as pending ends. `all`: also what was final in its own response.
    notify: Literal["changes", "all"]
    #: Of which mode it hears; `both` unless told.
    mode: Literal["live", "test", "both"]
    #: Your own words for it.
    description: Union[str, None]
    #: The secret's last characters.
    secret_hint: Union[str, None]
    #: Until then the secret before the last rotation signs as well.
    previous_secret_expires_at: Union[Instant, None]
    #: Who switched it off: `merchant`: you; `gone`: your receiver, by a 410; `failing`: days of nothing but failures. null while it is on. `enabled: true` switches it on again; so does another `url` where it was not you.
    disabled_reason: Union[Literal["merchant", "gone", "failing"], None]
    #: Deliveries of your key's mode that are owed an attempt, now or later; 10000 where there are more.
    waiting: int
    #: When the first of those that wait is due; in the past while it is under way. null when none waits.
    next_attempt_at: Union[Instant, None]
    #: After many failures nothing is sent until then, and then one attempt finds out whether you are back. A test that succeeds and `enabled: true` end the pause at once. null while there is none.
    paused_until: Union[Instant, None]
    #: Every attempt since then has failed; null when the last one did not.
    failing_since: Union[Instant, None]
    #: A notice: it is switched off then, unless an attempt succeeds before. null without one.
    disable_at: Union[Instant, None]
    #: Of the last change; null when nothing was ever set.
    updated_at: Union[Instant, None]


class _WebhookTestAlways(TypedDict):
    #: For people.
    message: str


class WebhookTest(_WebhookTestAlways, total=False):
    #: Present, and true, only in what `POST /webhook/test` sends: nothing happened.
    example: Literal[True]
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class WebhookTestEvent(TypedDict):
    """A test that you asked for."""

    event: Literal["webhook.test"]
    #: Of the key that caused it; `catalogue.updated` comes in both.
    mode: Literal["live", "test"]
    #: The same on every attempt, and in the header `webhook-id`.
    delivery_id: str
    #: Names the event, the same at all endpoints and in `GET /events`.
    event_id: str
    #: When the event happened.
    sent_at: Instant
    data: WebhookTest


class _VerifyMeterResultAlways(TypedDict):
    verified: Literal[True]
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: As sent.
    meter_number: str
    meter_type: Literal["prepaid", "postpaid"]
    #: The meter's owner.
    customer_name: str
    #: Where the meter is.
    customer_address: str
    #: What the disco files the meter under: as a rule its band, A to E.
    tariff_class: Union[str, None]
    #: What the customer owes in naira; part of each purchase goes to it first.
    outstanding_debt: str
    #: false: the disco sells this meter nothing until its debt is settled.
    can_vend: bool
    #: Least amount of a purchase in naira.
    min_amount: Union[str, None]
    #: Largest amount of a purchase in naira.
    max_amount: Union[str, None]
    #: Proves this verification to a purchase for the same number, until `expires_at`.
    verification_id: str
    #: Half an hour after the request.
    expires_at: Instant


class VerifyMeterResult(_VerifyMeterResultAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class _VerifySmartcardResultAlways(TypedDict):
    verified: Literal[True]
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: As sent.
    smartcard_number: str
    #: Who the smartcard belongs to.
    customer_name: str
    #: expired: the bouquet ran out. new: none was ever paid.
    account_status: Literal["active", "expired", "suspended", "new"]
    #: The bouquet that the smartcard has, or had last; null when it is unknown.
    current_bouquet: Union[str, None]
    #: The product that pays this bouquet again; null when we do not offer it.
    current_product_id: Union[int, None]
    #: The last day that is paid for, in the deployment's zone.
    due_date: Union[str, None]
    #: The `amount` of a purchase with `subscription_type: renew`, for one period of that bouquet, in naira; null where there is none.
    renewal_amount: Union[str, None]
    #: Proves this verification to a purchase for the same number, until `expires_at`.
    verification_id: str
    #: Half an hour after the request.
    expires_at: Instant


class VerifySmartcardResult(_VerifySmartcardResultAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class _VerifyBettingCustomerResultAlways(TypedDict):
    verified: Literal[True]
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: As sent.
    customer_id: str
    #: Who the betting account belongs to.
    customer_name: str
    #: Least amount of a funding in naira.
    min_amount: Union[str, None]
    #: Largest amount of a funding in naira.
    max_amount: Union[str, None]
    #: Proves this verification to a purchase for the same number, until `expires_at`.
    verification_id: str
    #: Half an hour after the request.
    expires_at: Instant


class VerifyBettingCustomerResult(_VerifyBettingCustomerResultAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class _VerifyInternetAccountResultAlways(TypedDict):
    verified: Literal[True]
    #: The biller's slug, as in `/billers/{slug}/products`.
    biller_slug: str
    #: As sent.
    account_number: str
    #: Who the account belongs to.
    customer_name: str
    #: Proves this verification to a purchase for the same number, until `expires_at`.
    verification_id: str
    #: Half an hour after the request.
    expires_at: Instant


class VerifyInternetAccountResult(_VerifyInternetAccountResultAlways, total=False):
    #: Present, and true, only in sandbox.
    sandbox: Literal[True]


class ListEndpointsResult(TypedDict):
    endpoints: List[WebhookEndpoint]


class DeleteEndpointResult(TypedDict):
    deleted: Literal[True]
    #: Names the endpoint.
    id: str


class ListDeliveriesResult(TypedDict):
    deliveries: List[WebhookAttempt]
    meta: PageMeta


class ListBeneficiariesResult(TypedDict):
    beneficiaries: List[Beneficiary]
    meta: PageMeta


class DeleteBeneficiaryResult(TypedDict):
    deleted: Literal[True]
    #: What was deleted.
    id: str
