<?php

// Generated from docs/openapi.json by `npm run generate`.

declare(strict_types=1);

namespace Dispense\Generated;

use Dispense\CallOptions;
use Dispense\Sender;

/**
 * Every operation of the merchant API, named as in its reference. Null leaves a field out.
 *
 * @phpstan-type AirtimeTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: TopupDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type AmountInput string|float
 * @phpstan-type ApiError array{status: 'error', code: string, message: string, errors?: array<string, list<string>>, meta?: array<string, mixed>, request_id: string, doc_url: string}
 * @phpstan-type Beneficiary array{id: string, label: string, category: Category, customer_ref: string, biller_slug: string|null, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, meter_type: 'prepaid'|'postpaid'|null, customer_name: string|null, phone: string|null, created_at: Instant, updated_at: Instant}
 * @phpstan-type BettingDelivery array{kind: 'betting', customer_id: string, customer_name: string|null, operator_reference: string}
 * @phpstan-type BettingTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: BettingDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type Biller array{slug: string, name: string, category: Category, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, customer_field: string, customer_label: string, requires_verification: bool, supports_bulk: bool, meter_types: list<'prepaid'|'postpaid'>|null, min_amount: Money|null, max_amount: Money|null, status: 'available'|'degraded'|'unavailable', product_count: int}
 * @phpstan-type BillerInput string
 * @phpstan-type BillerList array{billers: list<Biller>}
 * @phpstan-type BulkCompletedEvent array{event: 'bulk.completed', mode: 'live'|'test', delivery_id: string, event_id: string, sent_at: Instant, data: BulkOrderTold}
 * @phpstan-type BulkLine array{index: int, phone: string, product_id: int, reference: string, transaction_id: string, status: PurchaseStatus, amount: Money, total_deducted: Money, message: string, error_code: FailureCode|null}
 * @phpstan-type BulkOrder array{reference: string, bulk_id: string, category: Category, status: BulkStatus, total: int, successful: int, pending: int, failed: int, amount: Money, total_deducted: Money, total_refunded: Money, balance_before: Money, balance_after: Money, created_at: Instant, completed_at: Instant|null, sandbox?: true, items: list<BulkLine>, meta: PageMeta}
 * @phpstan-type BulkOrderTold array{reference: string, bulk_id: string, category: Category, status: BulkStatus, total: int, successful: int, pending: int, failed: int, amount: Money, total_deducted: Money, total_refunded: Money, balance_before: Money, balance_after: Money, created_at: Instant, completed_at: Instant|null, sandbox?: true, example?: true}
 * @phpstan-type BulkStatus 'processing'|'completed'|'partially_completed'|'failed'
 * @phpstan-type BulkSummary array{reference: string, bulk_id: string, category: Category, status: BulkStatus, total: int, successful: int, pending: int, failed: int, amount: Money, total_deducted: Money, total_refunded: Money, balance_before: Money, balance_after: Money, created_at: Instant, completed_at: Instant|null, sandbox?: true}
 * @phpstan-type CableDelivery array{kind: 'cable', smartcard_number: string, customer_name: string|null, bouquet: string, months: int, valid_until: string|null}
 * @phpstan-type CableTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: CableDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type CatalogueUpdate array{billers: list<string>, products: list<int>, updated_at: Instant, example?: true, sandbox?: true}
 * @phpstan-type CatalogueUpdatedEvent array{event: 'catalogue.updated', mode: 'live'|'test', delivery_id: string, event_id: string, sent_at: Instant, data: CatalogueUpdate}
 * @phpstan-type Category 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin'
 * @phpstan-type Channel 'api'|'dashboard'|'bulk'|'legacy'
 * @phpstan-type DataTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: TopupDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type DeliveryHint array{kind: string, has_delivery: true}
 * @phpstan-type DeliveryStatus 'waiting'|'delivered'|'exhausted'|'dropped'
 * @phpstan-type Denomination array{product_id: int, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller_slug: string, face_amount: Money|null, api_price: Money|null, min_quantity: int, max_quantity: int, in_stock: bool, load_code: string}
 * @phpstan-type DenominationList array{denominations: list<Denomination>}
 * @phpstan-type EducationTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: ExamPinsDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type ElectricityDelivery array{kind: 'electricity', token: string|null, token_formatted: string|null, units: string|null, tokens: list<array{type: 'kct1'|'kct2'|'main'|'bonus', value: string, order: int}>, tariff: string|null, tariff_band: string|null, amount_breakdown: array{energy: string|null, vat: string|null, debt_recovered: string|null}, receipt_number: string, meter_number: string, customer_name: string|null, customer_address: string|null}
 * @phpstan-type ElectricityTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: ElectricityDelivery|null, token: string|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type EmailInput string
 * @phpstan-type EsimTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: EsimsDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type EsimsDelivery array{kind: 'esims', esims: list<array{iccid: string, lpa: string, smdp_address: string, matching_id: string, qr_code: string, apn: string|null, data_mb: int|null, validity_days: int|null, coverage: list<string>, expires_at: string|null}>}
 * @phpstan-type EventList array{events: list<ListedEvent>, has_more: bool}
 * @phpstan-type EventName 'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'
 * @phpstan-type EventPayload array{event: 'transaction.successful'|'transaction.failed'|'bulk.completed', mode: 'live'|'test', event_id: string, sent_at: Instant, data: ListedTransaction|BulkSummary}
 * @phpstan-type ExamPinsDelivery array{kind: 'pins', exam: string, pins: list<Pin>, check_url: string|null}
 * @phpstan-type FailureCode 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'
 * @phpstan-type FundingAccount array{provider: string, state: 'active'|'requested'|'refused', account_number: string|null, bank_name: string|null, account_name: string|null, fee_bearer: 'company'|'merchant', refusal: string|null}
 * @phpstan-type FundingAccounts array{accounts: list<FundingAccount>, sandbox?: true}
 * @phpstan-type GiftcardTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: GiftcardsDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type GiftcardsDelivery array{kind: 'giftcards', brand: string, face_currency: string, face_value: string, fx_rate: string, cards: list<array{sequence: int, code: string, pin: string|null, serial: string|null, claim_url: string|null, value: string, currency: string, expires_at: string|null}>}
 * @phpstan-type Health array{status: 'ok'}
 * @phpstan-type Instant string
 * @phpstan-type InternetDelivery array{kind: 'internet', account_number: string, plan: string, pins: list<Pin>|null}
 * @phpstan-type InternetTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: InternetDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type ListedEvent array{id: string, event: 'transaction.successful'|'transaction.failed'|'bulk.completed', created_at: Instant, payload: EventPayload}
 * @phpstan-type ListedTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: DeliveryHint|null}
 * @phpstan-type LowBalance array{balance: Money, threshold: Money, currency: 'NGN', updated_at: Instant, example?: true, sandbox?: true}
 * @phpstan-type MeterNumberInput string
 * @phpstan-type Money string
 * @phpstan-type NetworkInput 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'
 * @phpstan-type OwedDelivery array{delivery_id: string}
 * @phpstan-type PageMeta array{current_page: int, last_page: int, per_page: int, total: int}
 * @phpstan-type PhoneInput string
 * @phpstan-type Pin array{sequence: int, pin: string, serial: string|null, expires_at: string|null}
 * @phpstan-type Product array{product_id: int, code: string, name: string, plan: string|null, plan_type: string|null, validity: string|null, amount_type: 'fixed'|'variable', face_amount: Money|null, api_price: Money|null, discount_percent: string|null, fee: Money, fee_percent: string|null, fee_cap: Money|null, min_amount: Money|null, max_amount: Money|null, min_quantity: int, max_quantity: int, currency: 'NGN', face_currency: string, fx_rate: Money|null, available: bool, replaced_by: int|null, updated_at: Instant}
 * @phpstan-type ProductIdInput int|string
 * @phpstan-type ProductList array{biller: array{slug: string, name: string, category: Category}, products: list<Product>}
 * @phpstan-type PurchaseStatus 'successful'|'pending'|'failed'
 * @phpstan-type Readiness array{status: 'ready'|'not_ready', database: 'up'|'down'}
 * @phpstan-type RechargePinTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: RechargePinsDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type RechargePinsDelivery array{kind: 'pins', network: string|null, face_amount: string, load_code: string, business_name: string|null, pins: list<array{sequence: int, pin: string, serial: string|null, load_code: string, expires_at: string|null}>}
 * @phpstan-type SandboxReset array{balance: Money, currency: 'NGN', reset_at: Instant, sandbox: true}
 * @phpstan-type SavedWebhookEndpoint array{id: string, url: string, enabled: bool, events: list<'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|'*'>, notify: 'changes'|'all', mode: 'live'|'test'|'both', description: string|null, secret_hint: string|null, previous_secret_expires_at: Instant|null, disabled_reason: 'merchant'|'gone'|'failing'|null, waiting: int, next_attempt_at: Instant|null, paused_until: Instant|null, failing_since: Instant|null, disable_at: Instant|null, updated_at: Instant|null, secret?: string}
 * @phpstan-type SavedWebhookSettings array{id: string|null, url: string|null, enabled: bool, events: list<'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|'*'>, notify: 'changes'|'all', mode: 'live'|'test'|'both', description: string|null, secret_hint: string|null, previous_secret_expires_at: Instant|null, disabled_reason: 'merchant'|'gone'|'failing'|null, waiting: int, next_attempt_at: Instant|null, paused_until: Instant|null, failing_since: Instant|null, disable_at: Instant|null, updated_at: Instant|null, secret?: string}
 * @phpstan-type SmartcardNumberInput string
 * @phpstan-type SmsDelivery array{kind: 'sms', encoding: 'GSM-7'|'UCS-2', characters: int, pages: int, accepted: int, rejected: int, results: list<array{phone: string, network: string|null, status: 'sent'|'pending'|'failed'|'rejected', pages: int, cost: string, error_code: 'INVALID_NUMBER'|'DUPLICATE'|'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'|null}>}
 * @phpstan-type SmsTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: SmsDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type TopupDelivery array{kind: 'topup'}
 * @phpstan-type Transaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true}
 * @phpstan-type TransactionDetails array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: TopupDelivery|ElectricityDelivery|CableDelivery|ExamPinsDelivery|GiftcardsDelivery|EsimsDelivery|BettingDelivery|InternetDelivery|SmsDelivery|RechargePinsDelivery|null, token?: string|null, status_history: list<array{status: PurchaseStatus, at: Instant}>, next_check_after?: int}
 * @phpstan-type TransactionFailedEvent array{event: 'transaction.failed', mode: 'live'|'test', delivery_id: string, event_id: string, sent_at: Instant, data: TransactionTold}
 * @phpstan-type TransactionList array{transactions: list<ListedTransaction>, meta: PageMeta}
 * @phpstan-type TransactionSuccessfulEvent array{event: 'transaction.successful', mode: 'live'|'test', delivery_id: string, event_id: string, sent_at: Instant, data: TransactionTold}
 * @phpstan-type TransactionTold array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: DeliveryHint|null, example?: true}
 * @phpstan-type VerificationIdInput string
 * @phpstan-type VoiceTransaction array{status: PurchaseStatus, reference: string, channel: Channel, transaction_id: string, category: Category, message: string, network: 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null, biller: string, biller_slug: string, product_id: int, product: string, plan: string|null, phone: string|null, customer_ref: string|null, quantity: int, unit_amount: Money, amount: Money, face_amount: Money, fee: Money, discount: Money, total_deducted: Money, balance_before: Money, balance_after: Money, provider_reference: string|null, purchased_at: Instant, error_code: FailureCode|null, refunded: bool, refunded_at: Instant|null, completed_at: Instant|null, bulk_reference: string|null, metadata: array<string, mixed>|null, sandbox?: true, delivery: TopupDelivery|null, code?: 'PROVIDER_DECLINED'|'RECIPIENT_NOT_ELIGIBLE'|'RECIPIENT_INVALID'|'RECIPIENT_BARRED'|'OPERATOR_UNAVAILABLE'|'METER_DEBT_BLOCKED'|'OUT_OF_STOCK'|'EXPIRED_UNCONFIRMED'|'SANDBOX_FORCED_FAILURE'}
 * @phpstan-type WalletBalance array{balance: Money, currency: 'NGN', low_balance_threshold: Money|null, updated_at: Instant, sandbox?: true}
 * @phpstan-type WalletEntry array{seq: int, at: Instant, kind: 'top_up'|'purchase'|'refund'|'reversal'|'adjustment'|'sandbox_reset', reference: string|null, transaction_id: string|null, description: string, amount: Money, balance_after: Money}
 * @phpstan-type WalletFunded array{payment_id: string, amount: Money, fee: Money, credited: Money, balance_after: Money, currency: 'NGN', account_number: string|null, sender_name: string|null, sender_bank: string|null, session_id: string|null, bank_reference: string|null, narration: string|null, paid_at: Instant, credited_at: Instant, example?: true, sandbox?: true}
 * @phpstan-type WalletFundedEvent array{event: 'wallet.funded', mode: 'live'|'test', delivery_id: string, event_id: string, sent_at: Instant, data: WalletFunded}
 * @phpstan-type WalletLowBalanceEvent array{event: 'wallet.low_balance', mode: 'live'|'test', delivery_id: string, event_id: string, sent_at: Instant, data: LowBalance}
 * @phpstan-type WalletStatement array{opening_balance: Money, closing_balance: Money, entries: list<WalletEntry>, meta: PageMeta}
 * @phpstan-type WebhookAttempt array{id: int, event: EventName, delivery_id: string, endpoint_id: string, url: string, attempt: int, successful: bool, http_status: int|null, duration_ms: int, error: 'timeout'|'dns_error'|'connection_refused'|'connection_reset'|'tls_error'|'blocked_destination'|'protocol_error'|null, error_detail?: string, response_body: string, payload: WebhookEvent|null, reference: string|null, resendable: bool, created_at: Instant}
 * @phpstan-type WebhookDelivery array{delivery_id: string, endpoint_id: string, event: EventName, url: string|null, reference: string|null, status: DeliveryStatus, next_attempt_at: Instant|null, resendable: bool, attempts: list<WebhookAttempt>}
 * @phpstan-type WebhookEndpoint array{id: string, url: string, enabled: bool, events: list<'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|'*'>, notify: 'changes'|'all', mode: 'live'|'test'|'both', description: string|null, secret_hint: string|null, previous_secret_expires_at: Instant|null, disabled_reason: 'merchant'|'gone'|'failing'|null, waiting: int, next_attempt_at: Instant|null, paused_until: Instant|null, failing_since: Instant|null, disable_at: Instant|null, updated_at: Instant|null}
 * @phpstan-type WebhookEvent TransactionSuccessfulEvent|TransactionFailedEvent|BulkCompletedEvent|WalletFundedEvent|WalletLowBalanceEvent|CatalogueUpdatedEvent|WebhookTestEvent
 * @phpstan-type WebhookRecovery array{recovered: int, next_since: Instant|null}
 * @phpstan-type WebhookSettings array{id: string|null, url: string|null, enabled: bool, events: list<'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|'*'>, notify: 'changes'|'all', mode: 'live'|'test'|'both', description: string|null, secret_hint: string|null, previous_secret_expires_at: Instant|null, disabled_reason: 'merchant'|'gone'|'failing'|null, waiting: int, next_attempt_at: Instant|null, paused_until: Instant|null, failing_since: Instant|null, disable_at: Instant|null, updated_at: Instant|null}
 * @phpstan-type WebhookTest array{message: string, example?: true, sandbox?: true}
 * @phpstan-type WebhookTestEvent array{event: 'webhook.test', mode: 'live'|'test', delivery_id: string, event_id: string, sent_at: Instant, data: WebhookTest}
 */
abstract class Operations
{
    public function __construct(protected readonly Sender $sender)
    {
    }

    /**
     * Read the wallet's balance.
     *
     * @return WalletBalance
     */
    public function getWalletBalance(?CallOptions $options = null): array
    {
        return $this->sender->send('getWalletBalance', 'GET', '/wallet/balance', 'other', fields: ['balance'], options: $options);
    }

    /**
     * Reset the sandbox wallet.
     *
     * @return SandboxReset
     */
    public function resetSandbox(?CallOptions $options = null): array
    {
        return $this->sender->send('resetSandbox', 'POST', '/sandbox/reset', 'other', fields: ['balance'], options: $options);
    }

    /**
     * Read the wallet's statement.
     *
     * @param string|null $from From this instant on: ISO 8601 with offset, or a date.
     * @param string|null $to Up to the end of this second, or date: ISO 8601 with offset, or a date.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return WalletStatement
     */
    public function getWalletStatement(?string $from = null, ?string $to = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('getWalletStatement', 'GET', '/wallet/statement', 'other', query: array_filter(['from' => $from, 'to' => $to, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['entries', 'meta'], options: $options);
    }

    /**
     * Read the wallet's statement, item by item, page after page.
     *
     * @param string|null $from From this instant on: ISO 8601 with offset, or a date.
     * @param string|null $to Up to the end of this second, or date: ISO 8601 with offset, or a date.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return \Generator<int, WalletEntry>
     */
    public function eachWalletStatement(?string $from = null, ?string $to = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): \Generator
    {
        for ($more = []; $more !== null; ) {
            $page = $this->sender->send('getWalletStatement', 'GET', '/wallet/statement', 'other', query: $more + array_filter(['from' => $from, 'to' => $to, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['entries', 'meta'], options: $options);
            yield from array_values($page['entries']);
            $more = $page['meta']['current_page'] < $page['meta']['last_page'] ? ['page' => $page['meta']['current_page'] + 1] : null;
        }
    }

    /**
     * List your receiving accounts.
     *
     * @return FundingAccounts
     */
    public function listFundingAccounts(?CallOptions $options = null): array
    {
        return $this->sender->send('listFundingAccounts', 'GET', '/wallet/funding-accounts', 'other', fields: ['accounts'], options: $options);
    }

    /**
     * Request your receiving accounts.
     *
     * @return FundingAccounts
     */
    public function requestFundingAccounts(?CallOptions $options = null): array
    {
        return $this->sender->send('requestFundingAccounts', 'POST', '/wallet/funding-accounts', 'other', fields: ['accounts'], options: $options);
    }

    /**
     * List billers.
     *
     * @param 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin'|null $category Only these.
     * @param string|null $q Words of the biller's name, slug or network.
     * @return BillerList
     */
    public function listBillers(?string $category = null, ?string $q = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('listBillers', 'GET', '/billers', 'other', query: array_filter(['category' => $category, 'q' => $q], static fn ($value) => $value !== null), fields: ['billers'], options: $options);
    }

    /**
     * List a biller's products.
     *
     * @return ProductList
     */
    public function listProducts(string $slug, ?CallOptions $options = null): array
    {
        return $this->sender->send('listProducts', 'GET', '/billers/' . rawurlencode($slug) . '/products', 'other', fields: ['biller'], options: $options);
    }

    /**
     * List recharge card denominations.
     *
     * @param 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null $network MTN, GLO, 9MOBILE or AIRTEL, in any case.
     * @return DenominationList
     */
    public function listDenominations(?string $network = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('listDenominations', 'GET', '/recharge-pin/denominations', 'other', query: array_filter(['network' => $network], static fn ($value) => $value !== null), fields: ['denominations'], options: $options);
    }

    /**
     * Verify a meter.
     *
     * @param MeterNumberInput $meter_number
     * @param 'prepaid'|'postpaid' $meter_type The kind of meter; with `biller`, it selects the product.
     * @param ProductIdInput|null $product_id
     * @param BillerInput|null $biller
     * @return array{verified: true, biller_slug: string, meter_number: string, meter_type: 'prepaid'|'postpaid', customer_name: string, customer_address: string, tariff_class: string|null, outstanding_debt: string, can_vend: bool, min_amount: string|null, max_amount: string|null, verification_id: string, expires_at: Instant, sandbox?: true}
     */
    public function verifyMeter(string $meter_number, string $meter_type, int|string|null $product_id = null, ?string $biller = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('verifyMeter', 'POST', '/electricity/verify', 'verify', body: array_filter(['product_id' => $product_id, 'biller' => $biller, 'meter_number' => $meter_number, 'meter_type' => $meter_type], static fn ($value) => $value !== null), fields: ['verified'], options: $options);
    }

    /**
     * Verify a smartcard.
     *
     * @param BillerInput $biller
     * @param SmartcardNumberInput $smartcard_number
     * @return array{verified: true, biller_slug: string, smartcard_number: string, customer_name: string, account_status: 'active'|'expired'|'suspended'|'new', current_bouquet: string|null, current_product_id: int|null, due_date: string|null, renewal_amount: string|null, verification_id: string, expires_at: Instant, sandbox?: true}
     */
    public function verifySmartcard(string $biller, string $smartcard_number, ?CallOptions $options = null): array
    {
        return $this->sender->send('verifySmartcard', 'POST', '/cable/verify', 'verify', body: array_filter(['biller' => $biller, 'smartcard_number' => $smartcard_number], static fn ($value) => $value !== null), fields: ['verified'], options: $options);
    }

    /**
     * Verify a betting account.
     *
     * @param BillerInput $biller
     * @param string $customer_id The customer's id at the betting operator: 3 to 32 letters and digits.
     * @return array{verified: true, biller_slug: string, customer_id: string, customer_name: string, min_amount: string|null, max_amount: string|null, verification_id: string, expires_at: Instant, sandbox?: true}
     */
    public function verifyBettingCustomer(string $biller, string $customer_id, ?CallOptions $options = null): array
    {
        return $this->sender->send('verifyBettingCustomer', 'POST', '/betting/verify', 'verify', body: array_filter(['biller' => $biller, 'customer_id' => $customer_id], static fn ($value) => $value !== null), fields: ['verified'], options: $options);
    }

    /**
     * Verify an internet account.
     *
     * @param BillerInput $biller
     * @param string $account_number The customer's account at the provider: a number, an e-mail address or a user name.
     * @return array{verified: true, biller_slug: string, account_number: string, customer_name: string, verification_id: string, expires_at: Instant, sandbox?: true}
     */
    public function verifyInternetAccount(string $biller, string $account_number, ?CallOptions $options = null): array
    {
        return $this->sender->send('verifyInternetAccount', 'POST', '/internet/verify', 'verify', body: array_filter(['biller' => $biller, 'account_number' => $account_number], static fn ($value) => $value !== null), fields: ['verified'], options: $options);
    }

    /**
     * Buy mobile data.
     *
     * @param ProductIdInput $product_id
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param PhoneInput|null $phone
     * @param bool|null $ported false: the number was never ported, so refuse it when its prefix names another network.
     * @return DataTransaction
     */
    public function buyData(int|string $product_id, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, ?string $phone = null, ?bool $ported = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyData', 'POST', '/data/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'phone' => $phone, 'ported' => $ported], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy airtime.
     *
     * @param AmountInput $amount The airtime's value in naira.
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param ProductIdInput|null $product_id
     * @param NetworkInput|null $network MTN, GLO, 9MOBILE or AIRTEL, in any case.
     * @param PhoneInput|null $phone
     * @param bool|null $ported false: the number was never ported, so refuse it when its prefix names another network.
     * @return AirtimeTransaction
     */
    public function buyAirtime(string|float $amount, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $product_id = null, ?string $network = null, ?string $phone = null, ?bool $ported = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyAirtime', 'POST', '/airtime/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'network' => $network, 'phone' => $phone, 'amount' => $amount, 'ported' => $ported], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Vend electricity.
     *
     * @param AmountInput $amount What the customer pays, VAT included, in naira.
     * @param PhoneInput $phone A Nigerian mobile number in local or international form.
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param ProductIdInput|null $product_id
     * @param BillerInput|null $biller
     * @param 'prepaid'|'postpaid'|null $meter_type The kind of meter; with `biller`, it selects the product.
     * @param MeterNumberInput|null $meter_number The meter's number: 6 to 13 digits. Required, unless `beneficiary_id` is sent.
     * @param VerificationIdInput|null $verification_id
     * @return ElectricityTransaction
     */
    public function buyElectricity(string|float $amount, string $phone, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $product_id = null, ?string $biller = null, ?string $meter_type = null, ?string $meter_number = null, ?string $verification_id = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyElectricity', 'POST', '/electricity/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'biller' => $biller, 'meter_type' => $meter_type, 'meter_number' => $meter_number, 'amount' => $amount, 'phone' => $phone, 'verification_id' => $verification_id], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Pay a cable TV bouquet.
     *
     * @param PhoneInput $phone A Nigerian mobile number in local or international form.
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param ProductIdInput|null $product_id
     * @param BillerInput|null $biller
     * @param 'change'|'renew'|null $subscription_type renew, with `biller` and `amount`: keep the smartcard's bouquet. change: `product_id` says the new one.
     * @param AmountInput|null $amount With `renew`: the renewal amount of one period that verify answered, in naira.
     * @param SmartcardNumberInput|null $smartcard_number The smartcard or IUC number: 8 to 14 digits. Required, unless `beneficiary_id` is sent.
     * @param int|string|null $months How many periods of the bouquet, usually months: 1 to 12. Default: 1.
     * @param VerificationIdInput|null $verification_id
     * @return CableTransaction
     */
    public function buyCable(string $phone, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $product_id = null, ?string $biller = null, ?string $subscription_type = null, string|float|null $amount = null, ?string $smartcard_number = null, int|string|null $months = null, ?string $verification_id = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyCable', 'POST', '/cable/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'biller' => $biller, 'subscription_type' => $subscription_type, 'amount' => $amount, 'smartcard_number' => $smartcard_number, 'phone' => $phone, 'months' => $months, 'verification_id' => $verification_id], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy exam PINs.
     *
     * @param ProductIdInput $product_id
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param int|string|null $quantity How many PINs: 1 to 5. Default: 1.
     * @param PhoneInput|null $phone
     * @param string|null $profile_code The candidate's profile code: 10 digits. Required for JAMB.
     * @return EducationTransaction
     */
    public function buyEducation(int|string $product_id, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $quantity = null, ?string $phone = null, ?string $profile_code = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyEducation', 'POST', '/education/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'quantity' => $quantity, 'phone' => $phone, 'profile_code' => $profile_code], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy gift cards.
     *
     * @param ProductIdInput $product_id
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param int|string|null $quantity How many cards: 1 to 10. Default: 1.
     * @param AmountInput|null $amount Value of one card in its own currency: for products with a range.
     * @param EmailInput|null $recipient_email
     * @param PhoneInput|null $recipient_phone A Nigerian mobile number in local or international form.
     * @param PhoneInput|null $phone A Nigerian mobile number in local or international form.
     * @return GiftcardTransaction
     */
    public function buyGiftcard(int|string $product_id, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $quantity = null, string|float|null $amount = null, ?string $recipient_email = null, ?string $recipient_phone = null, ?string $phone = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyGiftcard', 'POST', '/giftcard/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'quantity' => $quantity, 'amount' => $amount, 'recipient_email' => $recipient_email, 'recipient_phone' => $recipient_phone, 'phone' => $phone], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy travel eSIMs.
     *
     * @param ProductIdInput $product_id
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param int|string|null $quantity How many eSIMs: 1 to 10. Default: 1.
     * @param EmailInput|null $email
     * @param PhoneInput|null $phone A Nigerian mobile number in local or international form.
     * @return EsimTransaction
     */
    public function buyEsim(int|string $product_id, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $quantity = null, ?string $email = null, ?string $phone = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyEsim', 'POST', '/esim/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'quantity' => $quantity, 'email' => $email, 'phone' => $phone], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Fund a betting wallet.
     *
     * @param AmountInput $amount What the betting wallet receives, in naira.
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param ProductIdInput|null $product_id
     * @param BillerInput|null $biller
     * @param string|null $customer_id The customer's id at the betting operator: 3 to 32 letters and digits. Required, unless `beneficiary_id` is sent.
     * @param VerificationIdInput|null $verification_id
     * @return BettingTransaction
     */
    public function fundBetting(string|float $amount, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $product_id = null, ?string $biller = null, ?string $customer_id = null, ?string $verification_id = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('fundBetting', 'POST', '/betting/fund', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'biller' => $biller, 'customer_id' => $customer_id, 'amount' => $amount, 'verification_id' => $verification_id], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy an internet bundle.
     *
     * @param ProductIdInput $product_id
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param string|null $account_number The customer's account at the provider: a number, an e-mail address or a user name. Required, unless `beneficiary_id` is sent.
     * @param PhoneInput|null $phone A Nigerian mobile number in local or international form.
     * @param AmountInput|null $amount For products with a variable amount, in naira.
     * @param VerificationIdInput|null $verification_id
     * @return InternetTransaction
     */
    public function buyInternet(int|string $product_id, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, ?string $account_number = null, ?string $phone = null, string|float|null $amount = null, ?string $verification_id = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyInternet', 'POST', '/internet/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'account_number' => $account_number, 'phone' => $phone, 'amount' => $amount, 'verification_id' => $verification_id], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy a voice plan.
     *
     * @param ProductIdInput $product_id
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param PhoneInput|null $phone
     * @return VoiceTransaction
     */
    public function buyVoice(int|string $product_id, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, ?string $phone = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyVoice', 'POST', '/voice/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'phone' => $phone], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Send a bulk SMS.
     *
     * @param string $sender_id Who the message comes from: 3 to 11 letters, digits and, between them, spaces.
     * @param string $message The text: 1 to 1,530 Unicode characters (code points), ten pages of GSM-7.
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param list<string>|string|null $recipients 1 to 500 phone numbers, as an array or separated by commas. Unreadable and repeated ones are reported and not charged. Required, unless `beneficiary_id` is sent.
     * @param 'standard'|'dnd'|null $route dnd also reaches numbers that opted out of marketing. Default: standard.
     * @return SmsTransaction
     */
    public function sendSms(string $sender_id, string $message, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, array|string|null $recipients = null, ?string $route = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('sendSms', 'POST', '/sms/send', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'sender_id' => $sender_id, 'message' => $message, 'recipients' => $recipients, 'route' => $route], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy recharge card PINs.
     *
     * @param int|string $quantity How many PINs: 1 to 100.
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param AmountInput|null $expected_price The total you expect; another one is refused with PRICE_CHANGED.
     * @param array<string, mixed>|null|null $metadata An object of yours up to 2 KB, echoed with the transaction. Ids of more than 15 digits are sent as strings.
     * @param string|null $beneficiary_id A saved number of yours: it fills the customer's number, which you then leave out.
     * @param ProductIdInput|null $product_id
     * @param NetworkInput|null $network MTN, GLO, 9MOBILE or AIRTEL, in any case.
     * @param AmountInput|null $denomination What each PIN loads, in naira; with `network`, it selects the product.
     * @param string|null $business_name The name to print on the cards.
     * @param PhoneInput|null $phone A Nigerian mobile number in local or international form.
     * @return RechargePinTransaction
     */
    public function buyRechargePins(int|string $quantity, ?string $reference = null, string|float|null $expected_price = null, ?array $metadata = null, ?string $beneficiary_id = null, int|string|null $product_id = null, ?string $network = null, string|float|null $denomination = null, ?string $business_name = null, ?string $phone = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyRechargePins', 'POST', '/recharge-pin/purchase', 'purchase', body: array_filter(['reference' => $reference, 'expected_price' => $expected_price, 'metadata' => $metadata, 'beneficiary_id' => $beneficiary_id, 'product_id' => $product_id, 'network' => $network, 'denomination' => $denomination, 'quantity' => $quantity, 'business_name' => $business_name, 'phone' => $phone], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy mobile data for many.
     *
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param list<array{product_id: ProductIdInput, phone: PhoneInput, ported?: bool, reference?: string}>|null $items The lines, 1 to 10,000.
     * @param ProductIdInput|null $product_id
     * @param bool|null $ported false: the number was never ported, so refuse it when its prefix names another network.
     * @param list<PhoneInput>|null $phones Instead of `items`: one product for all of these.
     * @return BulkOrder
     */
    public function buyDataInBulk(?string $reference = null, ?array $items = null, int|string|null $product_id = null, ?bool $ported = null, ?array $phones = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyDataInBulk', 'POST', '/data/bulk', 'purchase', body: array_filter(['reference' => $reference, 'items' => $items, 'product_id' => $product_id, 'ported' => $ported, 'phones' => $phones], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Buy airtime for many.
     *
     * @param string|null $reference Your name for it, and its idempotency key: sent again, it answers the original.
     * @param list<array{product_id?: ProductIdInput, network?: NetworkInput, phone: PhoneInput, amount: AmountInput, ported?: bool, reference?: string}>|null $items The lines, 1 to 10,000.
     * @param ProductIdInput|null $product_id
     * @param NetworkInput|null $network MTN, GLO, 9MOBILE or AIRTEL, in any case.
     * @param AmountInput|null $amount The airtime's value in naira.
     * @param bool|null $ported false: the number was never ported, so refuse it when its prefix names another network.
     * @param list<PhoneInput>|null $phones Instead of `items`: one product for all of these.
     * @return BulkOrder
     */
    public function buyAirtimeInBulk(?string $reference = null, ?array $items = null, int|string|null $product_id = null, ?string $network = null, string|float|null $amount = null, ?bool $ported = null, ?array $phones = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('buyAirtimeInBulk', 'POST', '/airtime/bulk', 'purchase', body: array_filter(['reference' => $reference, 'items' => $items, 'product_id' => $product_id, 'network' => $network, 'amount' => $amount, 'ported' => $ported, 'phones' => $phones], static fn ($value) => $value !== null), options: $options);
    }

    /**
     * Fetch a bulk order.
     *
     * @param 'successful'|'pending'|'failed'|null $status Only these.
     * @param int|string|null $page Counts from 1.
     * @param int|string|null $per_page 1 to 1000; 100 unless told.
     * @return BulkOrder
     */
    public function getBulkOrder(string $reference, ?string $status = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('getBulkOrder', 'GET', '/bulk/' . rawurlencode($reference), 'lookup', query: array_filter(['status' => $status, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), reference: $reference, options: $options);
    }

    /**
     * List transactions.
     *
     * @param 'successful'|'pending'|'failed'|null $status Only these.
     * @param 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin'|null $category Only these.
     * @param string|null $biller_slug The biller's slug.
     * @param 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null $network MTN, GLO, 9MOBILE or AIRTEL, in any case.
     * @param PhoneInput|null $phone A Nigerian mobile number in local or international form.
     * @param string|null $customer_ref The number that was bought for; a phone in any spelling.
     * @param string|null $reference Your reference, exactly.
     * @param string|null $transaction_id Our name for it, exactly.
     * @param string|null $bulk_reference The lines of one bulk order.
     * @param 'api'|'dashboard'|'bulk'|'legacy'|null $channel Only these.
     * @param string|null $from From this instant on: ISO 8601 with offset, or a date.
     * @param string|null $to Up to the end of this second, or date: ISO 8601 with offset, or a date.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return TransactionList
     */
    public function listTransactions(?string $status = null, ?string $category = null, ?string $biller_slug = null, ?string $network = null, ?string $phone = null, ?string $customer_ref = null, ?string $reference = null, ?string $transaction_id = null, ?string $bulk_reference = null, ?string $channel = null, ?string $from = null, ?string $to = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('listTransactions', 'GET', '/transactions', 'other', query: array_filter(['status' => $status, 'category' => $category, 'biller_slug' => $biller_slug, 'network' => $network, 'phone' => $phone, 'customer_ref' => $customer_ref, 'reference' => $reference, 'transaction_id' => $transaction_id, 'bulk_reference' => $bulk_reference, 'channel' => $channel, 'from' => $from, 'to' => $to, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['transactions', 'meta'], options: $options);
    }

    /**
     * List transactions, item by item, page after page.
     *
     * @param 'successful'|'pending'|'failed'|null $status Only these.
     * @param 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin'|null $category Only these.
     * @param string|null $biller_slug The biller's slug.
     * @param 'MTN'|'GLO'|'9MOBILE'|'AIRTEL'|null $network MTN, GLO, 9MOBILE or AIRTEL, in any case.
     * @param PhoneInput|null $phone A Nigerian mobile number in local or international form.
     * @param string|null $customer_ref The number that was bought for; a phone in any spelling.
     * @param string|null $reference Your reference, exactly.
     * @param string|null $transaction_id Our name for it, exactly.
     * @param string|null $bulk_reference The lines of one bulk order.
     * @param 'api'|'dashboard'|'bulk'|'legacy'|null $channel Only these.
     * @param string|null $from From this instant on: ISO 8601 with offset, or a date.
     * @param string|null $to Up to the end of this second, or date: ISO 8601 with offset, or a date.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return \Generator<int, ListedTransaction>
     */
    public function eachTransactions(?string $status = null, ?string $category = null, ?string $biller_slug = null, ?string $network = null, ?string $phone = null, ?string $customer_ref = null, ?string $reference = null, ?string $transaction_id = null, ?string $bulk_reference = null, ?string $channel = null, ?string $from = null, ?string $to = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): \Generator
    {
        for ($more = []; $more !== null; ) {
            $page = $this->sender->send('listTransactions', 'GET', '/transactions', 'other', query: $more + array_filter(['status' => $status, 'category' => $category, 'biller_slug' => $biller_slug, 'network' => $network, 'phone' => $phone, 'customer_ref' => $customer_ref, 'reference' => $reference, 'transaction_id' => $transaction_id, 'bulk_reference' => $bulk_reference, 'channel' => $channel, 'from' => $from, 'to' => $to, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['transactions', 'meta'], options: $options);
            yield from array_values($page['transactions']);
            $more = $page['meta']['current_page'] < $page['meta']['last_page'] ? ['page' => $page['meta']['current_page'] + 1] : null;
        }
    }

    /**
     * Requery a transaction.
     *
     * @return TransactionDetails
     */
    public function getTransaction(string $reference, ?CallOptions $options = null): array
    {
        return $this->sender->send('getTransaction', 'GET', '/transactions/' . rawurlencode($reference), 'lookup', reference: $reference, options: $options);
    }

    /**
     * Webhook settings.
     *
     * @return WebhookSettings
     */
    public function getWebhook(?CallOptions $options = null): array
    {
        return $this->sender->send('getWebhook', 'GET', '/webhook', 'other', fields: ['id'], options: $options);
    }

    /**
     * Set the webhook.
     *
     * @param string|null|null $url A public https address on port 443 or 8443, without credentials. null removes the webhook and ends its secret. Required as long as none is set.
     * @param bool|null $enabled false: nothing is sent, and what happens meanwhile is not made up for.
     * @param list<'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|'*'>|null $events Names of events, or `["*"]` for all of them.
     * @param 'changes'|'all'|null $notify `changes`: when something that was answered as pending ends. `all`: also what was final in its own response.
     * @param bool|null $rotate_secret true: make a new secret. The present one signs as well for `overlap_hours`.
     * @param int|string|null $overlap_hours With `rotate_secret`: for how long the present secret goes on signing beside the new one; 24 unless told, 0 ends it at once.
     * @return SavedWebhookSettings
     */
    public function saveWebhook(?string $url = null, ?bool $enabled = null, ?array $events = null, ?string $notify = null, ?bool $rotate_secret = null, int|string|null $overlap_hours = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('saveWebhook', 'PUT', '/webhook', 'other', body: array_filter(['url' => $url, 'enabled' => $enabled, 'events' => $events, 'notify' => $notify, 'rotate_secret' => $rotate_secret, 'overlap_hours' => $overlap_hours], static fn ($value) => $value !== null), fields: ['id'], options: $options);
    }

    /**
     * Send a test event.
     *
     * @param 'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|null $event Which event to send an example of; `webhook.test` unless told.
     * @param string|null $endpoint_id Where to; the first endpoint unless told.
     * @return OwedDelivery
     */
    public function sendTestEvent(?string $event = null, ?string $endpoint_id = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('sendTestEvent', 'POST', '/webhook/test', 'other', body: array_filter(['event' => $event, 'endpoint_id' => $endpoint_id], static fn ($value) => $value !== null), fields: ['delivery_id'], options: $options);
    }

    /**
     * List webhook endpoints.
     *
     * @return array{endpoints: list<WebhookEndpoint>}
     */
    public function listEndpoints(?CallOptions $options = null): array
    {
        return $this->sender->send('listEndpoints', 'GET', '/webhook/endpoints', 'other', fields: ['endpoints'], options: $options);
    }

    /**
     * Add a webhook endpoint.
     *
     * @param string $url A public https address on port 443 or 8443, without credentials.
     * @param bool|null $enabled false: nothing is sent, and what happens meanwhile is not made up for.
     * @param list<'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|'*'>|null $events Names of events, or `["*"]` for all of them.
     * @param 'changes'|'all'|null $notify `changes`: when something that was answered as pending ends. `all`: also what was final in its own response.
     * @param 'live'|'test'|'both'|null $mode Of which mode it hears; `both` unless told.
     * @param string|null|null $description Your own words for it.
     * @return SavedWebhookEndpoint
     */
    public function createEndpoint(string $url, ?bool $enabled = null, ?array $events = null, ?string $notify = null, ?string $mode = null, ?string $description = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('createEndpoint', 'POST', '/webhook/endpoints', 'other', body: array_filter(['url' => $url, 'enabled' => $enabled, 'events' => $events, 'notify' => $notify, 'mode' => $mode, 'description' => $description], static fn ($value) => $value !== null), fields: ['id'], options: $options);
    }

    /**
     * Read a webhook endpoint.
     *
     * @return WebhookEndpoint
     */
    public function getEndpoint(string $id, ?CallOptions $options = null): array
    {
        return $this->sender->send('getEndpoint', 'GET', '/webhook/endpoints/' . rawurlencode($id), 'other', fields: ['id'], options: $options);
    }

    /**
     * Change a webhook endpoint.
     *
     * @param string|null $url A public https address on port 443 or 8443, without credentials.
     * @param bool|null $enabled false: nothing is sent, and what happens meanwhile is not made up for.
     * @param list<'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|'*'>|null $events Names of events, or `["*"]` for all of them.
     * @param 'changes'|'all'|null $notify `changes`: when something that was answered as pending ends. `all`: also what was final in its own response.
     * @param 'live'|'test'|'both'|null $mode Of which mode it hears; `both` unless told.
     * @param string|null|null $description Your own words for it.
     * @param bool|null $rotate_secret true: make a new secret. The present one signs as well for `overlap_hours`.
     * @param int|string|null $overlap_hours With `rotate_secret`: for how long the present secret goes on signing beside the new one; 24 unless told, 0 ends it at once.
     * @return SavedWebhookEndpoint
     */
    public function changeEndpoint(string $id, ?string $url = null, ?bool $enabled = null, ?array $events = null, ?string $notify = null, ?string $mode = null, ?string $description = null, ?bool $rotate_secret = null, int|string|null $overlap_hours = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('changeEndpoint', 'PUT', '/webhook/endpoints/' . rawurlencode($id), 'other', body: array_filter(['url' => $url, 'enabled' => $enabled, 'events' => $events, 'notify' => $notify, 'mode' => $mode, 'description' => $description, 'rotate_secret' => $rotate_secret, 'overlap_hours' => $overlap_hours], static fn ($value) => $value !== null), fields: ['id'], options: $options);
    }

    /**
     * Remove a webhook endpoint.
     *
     * @return array{deleted: true, id: string}
     */
    public function deleteEndpoint(string $id, ?CallOptions $options = null): array
    {
        return $this->sender->send('deleteEndpoint', 'DELETE', '/webhook/endpoints/' . rawurlencode($id), 'other', fields: ['deleted'], options: $options);
    }

    /**
     * List webhook deliveries.
     *
     * @param 'success'|'failed'|null $status Only these.
     * @param 'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|null $event Only these.
     * @param string|null $reference Of the transaction or bulk order.
     * @param string|null $delivery_id Of one delivery.
     * @param string|null $endpoint_id Of one endpoint.
     * @param int|string|null $max_id Only attempts up to this one. Take the first page's first id along, and the pages don't move while new attempts come in.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return array{deliveries: list<WebhookAttempt>, meta: PageMeta}
     */
    public function listDeliveries(?string $status = null, ?string $event = null, ?string $reference = null, ?string $delivery_id = null, ?string $endpoint_id = null, int|string|null $max_id = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('listDeliveries', 'GET', '/webhook/deliveries', 'other', query: array_filter(['status' => $status, 'event' => $event, 'reference' => $reference, 'delivery_id' => $delivery_id, 'endpoint_id' => $endpoint_id, 'max_id' => $max_id, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['deliveries', 'meta'], options: $options);
    }

    /**
     * List webhook deliveries, item by item, page after page.
     *
     * @param 'success'|'failed'|null $status Only these.
     * @param 'transaction.successful'|'transaction.failed'|'bulk.completed'|'wallet.funded'|'wallet.low_balance'|'catalogue.updated'|'webhook.test'|null $event Only these.
     * @param string|null $reference Of the transaction or bulk order.
     * @param string|null $delivery_id Of one delivery.
     * @param string|null $endpoint_id Of one endpoint.
     * @param int|string|null $max_id Only attempts up to this one. Take the first page's first id along, and the pages don't move while new attempts come in.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return \Generator<int, WebhookAttempt>
     */
    public function eachDeliveries(?string $status = null, ?string $event = null, ?string $reference = null, ?string $delivery_id = null, ?string $endpoint_id = null, int|string|null $max_id = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): \Generator
    {
        for ($more = []; $more !== null; ) {
            $page = $this->sender->send('listDeliveries', 'GET', '/webhook/deliveries', 'other', query: $more + array_filter(['status' => $status, 'event' => $event, 'reference' => $reference, 'delivery_id' => $delivery_id, 'endpoint_id' => $endpoint_id, 'max_id' => $max_id, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['deliveries', 'meta'], options: $options);
            yield from array_values($page['deliveries']);
            $more = $page['meta']['current_page'] < $page['meta']['last_page'] ? ['page' => $page['meta']['current_page'] + 1] : null;
        }
    }

    /**
     * Read a delivery.
     *
     * @return WebhookDelivery
     */
    public function getDelivery(string $delivery_id, ?CallOptions $options = null): array
    {
        return $this->sender->send('getDelivery', 'GET', '/webhook/deliveries/' . rawurlencode($delivery_id), 'other', fields: ['delivery_id'], options: $options);
    }

    /**
     * Resend a delivery.
     *
     * @return OwedDelivery
     */
    public function resendDelivery(string $delivery_id, ?CallOptions $options = null): array
    {
        return $this->sender->send('resendDelivery', 'POST', '/webhook/deliveries/' . rawurlencode($delivery_id) . '/resend', 'other', fields: ['delivery_id'], options: $options);
    }

    /**
     * Resend all that failed since a time.
     *
     * @param string $since ISO 8601 with an offset, or YYYY-MM-DD: events that happened then or later.
     * @param string|null $endpoint_id Only what goes to this endpoint; to all unless told.
     * @return WebhookRecovery
     */
    public function recoverDeliveries(string $since, ?string $endpoint_id = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('recoverDeliveries', 'POST', '/webhook/recover', 'other', body: array_filter(['endpoint_id' => $endpoint_id, 'since' => $since], static fn ($value) => $value !== null), fields: ['recovered'], options: $options);
    }

    /**
     * List events.
     *
     * @param string|null $after An event's `id`: only what comes behind it. `newest`: the newest alone, to go on from there; ask again while `has_more` is true. Without it the list begins with the oldest.
     * @param 'transaction.successful'|'transaction.failed'|'bulk.completed'|null $event Only these.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return EventList
     */
    public function listEvents(?string $after = null, ?string $event = null, int|string|null $per_page = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('listEvents', 'GET', '/events', 'other', query: array_filter(['after' => $after, 'event' => $event, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['events', 'has_more'], options: $options);
    }

    /**
     * List events, item by item, page after page.
     *
     * @param string|null $after An event's `id`: only what comes behind it. `newest`: the newest alone, to go on from there; ask again while `has_more` is true. Without it the list begins with the oldest.
     * @param 'transaction.successful'|'transaction.failed'|'bulk.completed'|null $event Only these.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return \Generator<int, ListedEvent>
     */
    public function eachEvents(?string $after = null, ?string $event = null, int|string|null $per_page = null, ?CallOptions $options = null): \Generator
    {
        for ($more = []; $more !== null; ) {
            $page = $this->sender->send('listEvents', 'GET', '/events', 'other', query: $more + array_filter(['after' => $after, 'event' => $event, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['events', 'has_more'], options: $options);
            yield from array_values($page['events']);
            $more = $page['has_more'] && $page['events'] !== [] ? ['after' => end($page['events'])['id']] : null;
        }
    }

    /**
     * List beneficiaries.
     *
     * @param 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin'|null $category Only these.
     * @param string|null $q Words that its label, numbers, name, biller or network must contain.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return array{beneficiaries: list<Beneficiary>, meta: PageMeta}
     */
    public function listBeneficiaries(?string $category = null, ?string $q = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('listBeneficiaries', 'GET', '/beneficiaries', 'other', query: array_filter(['category' => $category, 'q' => $q, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['beneficiaries', 'meta'], options: $options);
    }

    /**
     * List beneficiaries, item by item, page after page.
     *
     * @param 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin'|null $category Only these.
     * @param string|null $q Words that its label, numbers, name, biller or network must contain.
     * @param int|string|null $page Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than 100,000 rows deep, else it is refused with `INVALID_PAGE`: narrow transactions with `from` and `to`, deliveries with `max_id`.
     * @param int|string|null $per_page 1 to 100; 20 unless told.
     * @return \Generator<int, Beneficiary>
     */
    public function eachBeneficiaries(?string $category = null, ?string $q = null, int|string|null $page = null, int|string|null $per_page = null, ?CallOptions $options = null): \Generator
    {
        for ($more = []; $more !== null; ) {
            $page = $this->sender->send('listBeneficiaries', 'GET', '/beneficiaries', 'other', query: $more + array_filter(['category' => $category, 'q' => $q, 'page' => $page, 'per_page' => $per_page], static fn ($value) => $value !== null), fields: ['beneficiaries', 'meta'], options: $options);
            yield from array_values($page['beneficiaries']);
            $more = $page['meta']['current_page'] < $page['meta']['last_page'] ? ['page' => $page['meta']['current_page'] + 1] : null;
        }
    }

    /**
     * Save a beneficiary.
     *
     * @param string $label Your own name for it.
     * @param 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin' $category What the number is bought for.
     * @param string $customer_ref The customer's number, as a purchase of the category takes it: a phone, meter or smartcard number, an account.
     * @param string|null|null $biller_slug A biller of the category. A purchase with another biller is then refused.
     * @param string|null|null $network MTN, GLO, 9MOBILE or AIRTEL; the biller's where it has one.
     * @param 'prepaid'|'postpaid'|null|null $meter_type For a meter: its kind.
     * @param string|null|null $customer_name Whom the number belongs to, as verify answered it.
     * @param string|null|null $phone Where the customer can be reached. It fills nothing.
     * @return Beneficiary
     */
    public function createBeneficiary(string $label, string $category, string $customer_ref, ?string $biller_slug = null, ?string $network = null, mixed $meter_type = null, ?string $customer_name = null, ?string $phone = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('createBeneficiary', 'POST', '/beneficiaries', 'other', body: array_filter(['label' => $label, 'category' => $category, 'customer_ref' => $customer_ref, 'biller_slug' => $biller_slug, 'network' => $network, 'meter_type' => $meter_type, 'customer_name' => $customer_name, 'phone' => $phone], static fn ($value) => $value !== null), fields: ['id'], options: $options);
    }

    /**
     * Change a beneficiary.
     *
     * @param string|null $label Your own name for it.
     * @param 'data'|'airtime'|'electricity'|'cable'|'education'|'giftcard'|'esim'|'betting'|'internet'|'voice'|'sms'|'recharge_pin'|null $category What the number is bought for.
     * @param string|null $customer_ref The customer's number, as a purchase of the category takes it: a phone, meter or smartcard number, an account.
     * @param string|null|null $biller_slug A biller of the category. A purchase with another biller is then refused.
     * @param string|null|null $network MTN, GLO, 9MOBILE or AIRTEL; the biller's where it has one.
     * @param 'prepaid'|'postpaid'|null|null $meter_type For a meter: its kind.
     * @param string|null|null $customer_name Whom the number belongs to, as verify answered it.
     * @param string|null|null $phone Where the customer can be reached. It fills nothing.
     * @return Beneficiary
     */
    public function updateBeneficiary(string $id, ?string $label = null, ?string $category = null, ?string $customer_ref = null, ?string $biller_slug = null, ?string $network = null, mixed $meter_type = null, ?string $customer_name = null, ?string $phone = null, ?CallOptions $options = null): array
    {
        return $this->sender->send('updateBeneficiary', 'PUT', '/beneficiaries/' . rawurlencode($id), 'other', body: array_filter(['label' => $label, 'category' => $category, 'customer_ref' => $customer_ref, 'biller_slug' => $biller_slug, 'network' => $network, 'meter_type' => $meter_type, 'customer_name' => $customer_name, 'phone' => $phone], static fn ($value) => $value !== null), fields: ['id'], options: $options);
    }

    /**
     * Delete a beneficiary.
     *
     * @return array{deleted: true, id: string}
     */
    public function deleteBeneficiary(string $id, ?CallOptions $options = null): array
    {
        return $this->sender->send('deleteBeneficiary', 'DELETE', '/beneficiaries/' . rawurlencode($id), 'other', fields: ['deleted'], options: $options);
    }
}
