// Generated from docs/openapi.json by `npm run generate`.

import { after, numbered, type Pages } from "../pages.ts";
import type { CallOptions, Sender } from "../sender.ts";
import type * as api from "./types.ts";

/** Every operation of the merchant API, named as in its reference. */
export class Operations {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Read the wallet's balance. */
  getWalletBalance(options?: CallOptions): Promise<api.WalletBalance> {
    return this.sender.send({ operation: "getWalletBalance", method: "GET", path: "/wallet/balance", kind: "other", fields: ["balance"], options });
  }

  /** Reset the sandbox wallet. */
  resetSandbox(options?: CallOptions): Promise<api.SandboxReset> {
    return this.sender.send({ operation: "resetSandbox", method: "POST", path: "/sandbox/reset", kind: "other", fields: ["balance"], options });
  }

  /** Read the wallet's statement. */
  getWalletStatement(query: api.GetWalletStatementQuery = {}, options?: CallOptions): Pages<api.WalletStatement, api.WalletStatement["entries"][number]> {
    return numbered(
      (next) => this.sender.send<api.WalletStatement>({ operation: "getWalletStatement", method: "GET", path: "/wallet/statement", kind: "other", fields: ["entries","meta"], query: { ...query, ...next }, options }),
      (page) => page.entries,
    );
  }

  /** List your receiving accounts. */
  listFundingAccounts(options?: CallOptions): Promise<api.FundingAccounts> {
    return this.sender.send({ operation: "listFundingAccounts", method: "GET", path: "/wallet/funding-accounts", kind: "other", fields: ["accounts"], options });
  }

  /** Request your receiving accounts. */
  requestFundingAccounts(options?: CallOptions): Promise<api.FundingAccounts> {
    return this.sender.send({ operation: "requestFundingAccounts", method: "POST", path: "/wallet/funding-accounts", kind: "other", fields: ["accounts"], options });
  }

  /** List billers. */
  listBillers(query: api.ListBillersQuery = {}, options?: CallOptions): Promise<api.BillerList> {
    return this.sender.send({ operation: "listBillers", method: "GET", path: "/billers", kind: "other", fields: ["billers"], query, options });
  }

  /** List a biller's products. */
  listProducts(slug: string, options?: CallOptions): Promise<api.ProductList> {
    return this.sender.send({ operation: "listProducts", method: "GET", path: `/billers/${encodeURIComponent(slug)}/products`, kind: "other", fields: ["biller"], options });
  }

  /** List recharge card denominations. */
  listDenominations(query: api.ListDenominationsQuery = {}, options?: CallOptions): Promise<api.DenominationList> {
    return this.sender.send({ operation: "listDenominations", method: "GET", path: "/recharge-pin/denominations", kind: "other", fields: ["denominations"], query, options });
  }

  /** Verify a meter. */
  verifyMeter(body: api.VerifyMeterRequest, options?: CallOptions): Promise<api.VerifyMeterResult> {
    return this.sender.send({ operation: "verifyMeter", method: "POST", path: "/electricity/verify", kind: "verify", fields: ["verified"], body, options });
  }

  /** Verify a smartcard. */
  verifySmartcard(body: api.VerifySmartcardRequest, options?: CallOptions): Promise<api.VerifySmartcardResult> {
    return this.sender.send({ operation: "verifySmartcard", method: "POST", path: "/cable/verify", kind: "verify", fields: ["verified"], body, options });
  }

  /** Verify a betting account. */
  verifyBettingCustomer(body: api.VerifyBettingCustomerRequest, options?: CallOptions): Promise<api.VerifyBettingCustomerResult> {
    return this.sender.send({ operation: "verifyBettingCustomer", method: "POST", path: "/betting/verify", kind: "verify", fields: ["verified"], body, options });
  }

  /** Verify an internet account. */
  verifyInternetAccount(body: api.VerifyInternetAccountRequest, options?: CallOptions): Promise<api.VerifyInternetAccountResult> {
    return this.sender.send({ operation: "verifyInternetAccount", method: "POST", path: "/internet/verify", kind: "verify", fields: ["verified"], body, options });
  }

  /** Buy mobile data. */
  buyData(body: api.BuyDataRequest, options?: CallOptions): Promise<api.DataTransaction> {
    return this.sender.send({ operation: "buyData", method: "POST", path: "/data/purchase", kind: "purchase", body, options });
  }

  /** Buy airtime. */
  buyAirtime(body: api.BuyAirtimeRequest, options?: CallOptions): Promise<api.AirtimeTransaction> {
    return this.sender.send({ operation: "buyAirtime", method: "POST", path: "/airtime/purchase", kind: "purchase", body, options });
  }

  /** Vend electricity. */
  buyElectricity(body: api.BuyElectricityRequest, options?: CallOptions): Promise<api.ElectricityTransaction> {
    return this.sender.send({ operation: "buyElectricity", method: "POST", path: "/electricity/purchase", kind: "purchase", body, options });
  }

  /** Pay a cable TV bouquet. */
  buyCable(body: api.BuyCableRequest, options?: CallOptions): Promise<api.CableTransaction> {
    return this.sender.send({ operation: "buyCable", method: "POST", path: "/cable/purchase", kind: "purchase", body, options });
  }

  /** Buy exam PINs. */
  buyEducation(body: api.BuyEducationRequest, options?: CallOptions): Promise<api.EducationTransaction> {
    return this.sender.send({ operation: "buyEducation", method: "POST", path: "/education/purchase", kind: "purchase", body, options });
  }

  /** Buy gift cards. */
  buyGiftcard(body: api.BuyGiftcardRequest, options?: CallOptions): Promise<api.GiftcardTransaction> {
    return this.sender.send({ operation: "buyGiftcard", method: "POST", path: "/giftcard/purchase", kind: "purchase", body, options });
  }

  /** Buy travel eSIMs. */
  buyEsim(body: api.BuyEsimRequest, options?: CallOptions): Promise<api.EsimTransaction> {
    return this.sender.send({ operation: "buyEsim", method: "POST", path: "/esim/purchase", kind: "purchase", body, options });
  }

  /** Fund a betting wallet. */
  fundBetting(body: api.FundBettingRequest, options?: CallOptions): Promise<api.BettingTransaction> {
    return this.sender.send({ operation: "fundBetting", method: "POST", path: "/betting/fund", kind: "purchase", body, options });
  }

  /** Buy an internet bundle. */
  buyInternet(body: api.BuyInternetRequest, options?: CallOptions): Promise<api.InternetTransaction> {
    return this.sender.send({ operation: "buyInternet", method: "POST", path: "/internet/purchase", kind: "purchase", body, options });
  }

  /** Buy a voice plan. */
  buyVoice(body: api.BuyVoiceRequest, options?: CallOptions): Promise<api.VoiceTransaction> {
    return this.sender.send({ operation: "buyVoice", method: "POST", path: "/voice/purchase", kind: "purchase", body, options });
  }

  /** Send a bulk SMS. */
  sendSms(body: api.SendSmsRequest, options?: CallOptions): Promise<api.SmsTransaction> {
    return this.sender.send({ operation: "sendSms", method: "POST", path: "/sms/send", kind: "purchase", body, options });
  }

  /** Buy recharge card PINs. */
  buyRechargePins(body: api.BuyRechargePinsRequest, options?: CallOptions): Promise<api.RechargePinTransaction> {
    return this.sender.send({ operation: "buyRechargePins", method: "POST", path: "/recharge-pin/purchase", kind: "purchase", body, options });
  }

  /** Buy mobile data for many. */
  buyDataInBulk(body: api.BuyDataInBulkRequest = {}, options?: CallOptions): Promise<api.BulkOrder> {
    return this.sender.send({ operation: "buyDataInBulk", method: "POST", path: "/data/bulk", kind: "purchase", body, options });
  }

  /** Buy airtime for many. */
  buyAirtimeInBulk(body: api.BuyAirtimeInBulkRequest = {}, options?: CallOptions): Promise<api.BulkOrder> {
    return this.sender.send({ operation: "buyAirtimeInBulk", method: "POST", path: "/airtime/bulk", kind: "purchase", body, options });
  }

  /** Fetch a bulk order. */
  getBulkOrder(reference: string, query: api.GetBulkOrderQuery = {}, options?: CallOptions): Promise<api.BulkOrder> {
    return this.sender.send({ operation: "getBulkOrder", method: "GET", path: `/bulk/${encodeURIComponent(reference)}`, kind: "lookup", reference, query, options });
  }

  /** List transactions. */
  listTransactions(query: api.ListTransactionsQuery = {}, options?: CallOptions): Pages<api.TransactionList, api.TransactionList["transactions"][number]> {
    return numbered(
      (next) => this.sender.send<api.TransactionList>({ operation: "listTransactions", method: "GET", path: "/transactions", kind: "other", fields: ["transactions","meta"], query: { ...query, ...next }, options }),
      (page) => page.transactions,
    );
  }

  /** Requery a transaction. */
  getTransaction(reference: string, options?: CallOptions): Promise<api.TransactionDetails> {
    return this.sender.send({ operation: "getTransaction", method: "GET", path: `/transactions/${encodeURIComponent(reference)}`, kind: "lookup", reference, options });
  }

  /** Webhook settings. */
  getWebhook(options?: CallOptions): Promise<api.WebhookSettings> {
    return this.sender.send({ operation: "getWebhook", method: "GET", path: "/webhook", kind: "other", fields: ["id"], options });
  }

  /** Set the webhook. */
  saveWebhook(body: api.SaveWebhookRequest = {}, options?: CallOptions): Promise<api.SavedWebhookSettings> {
    return this.sender.send({ operation: "saveWebhook", method: "PUT", path: "/webhook", kind: "other", fields: ["id"], body, options });
  }

  /** Send a test event. */
  sendTestEvent(body: api.SendTestEventRequest = {}, options?: CallOptions): Promise<api.OwedDelivery> {
    return this.sender.send({ operation: "sendTestEvent", method: "POST", path: "/webhook/test", kind: "other", fields: ["delivery_id"], body, options });
  }

  /** List webhook endpoints. */
  listEndpoints(options?: CallOptions): Promise<api.ListEndpointsResult> {
    return this.sender.send({ operation: "listEndpoints", method: "GET", path: "/webhook/endpoints", kind: "other", fields: ["endpoints"], options });
  }

  /** Add a webhook endpoint. */
  createEndpoint(body: api.CreateEndpointRequest, options?: CallOptions): Promise<api.SavedWebhookEndpoint> {
    return this.sender.send({ operation: "createEndpoint", method: "POST", path: "/webhook/endpoints", kind: "other", fields: ["id"], body, options });
  }

  /** Read a webhook endpoint. */
  getEndpoint(id: string, options?: CallOptions): Promise<api.WebhookEndpoint> {
    return this.sender.send({ operation: "getEndpoint", method: "GET", path: `/webhook/endpoints/${encodeURIComponent(id)}`, kind: "other", fields: ["id"], options });
  }

  /** Change a webhook endpoint. */
  changeEndpoint(id: string, body: api.ChangeEndpointRequest = {}, options?: CallOptions): Promise<api.SavedWebhookEndpoint> {
    return this.sender.send({ operation: "changeEndpoint", method: "PUT", path: `/webhook/endpoints/${encodeURIComponent(id)}`, kind: "other", fields: ["id"], body, options });
  }

  /** Remove a webhook endpoint. */
  deleteEndpoint(id: string, options?: CallOptions): Promise<api.DeleteEndpointResult> {
    return this.sender.send({ operation: "deleteEndpoint", method: "DELETE", path: `/webhook/endpoints/${encodeURIComponent(id)}`, kind: "other", fields: ["deleted"], options });
  }

  /** List webhook deliveries. */
  listDeliveries(query: api.ListDeliveriesQuery = {}, options?: CallOptions): Pages<api.ListDeliveriesResult, api.ListDeliveriesResult["deliveries"][number]> {
    return numbered(
      (next) => this.sender.send<api.ListDeliveriesResult>({ operation: "listDeliveries", method: "GET", path: "/webhook/deliveries", kind: "other", fields: ["deliveries","meta"], query: { ...query, ...next }, options }),
      (page) => page.deliveries,
    );
  }

  /** Read a delivery. */
  getDelivery(delivery_id: string, options?: CallOptions): Promise<api.WebhookDelivery> {
    return this.sender.send({ operation: "getDelivery", method: "GET", path: `/webhook/deliveries/${encodeURIComponent(delivery_id)}`, kind: "other", fields: ["delivery_id"], options });
  }

  /** Resend a delivery. */
  resendDelivery(delivery_id: string, options?: CallOptions): Promise<api.OwedDelivery> {
    return this.sender.send({ operation: "resendDelivery", method: "POST", path: `/webhook/deliveries/${encodeURIComponent(delivery_id)}/resend`, kind: "other", fields: ["delivery_id"], options });
  }

  /** Resend all that failed since a time. */
  recoverDeliveries(body: api.RecoverDeliveriesRequest, options?: CallOptions): Promise<api.WebhookRecovery> {
    return this.sender.send({ operation: "recoverDeliveries", method: "POST", path: "/webhook/recover", kind: "other", fields: ["recovered"], body, options });
  }

  /** List events. */
  listEvents(query: api.ListEventsQuery = {}, options?: CallOptions): Pages<api.EventList, api.EventList["events"][number]> {
    return after(
      (next) => this.sender.send<api.EventList>({ operation: "listEvents", method: "GET", path: "/events", kind: "other", fields: ["events","has_more"], query: { ...query, ...next }, options }),
      (page) => page.events,
    );
  }

  /** List beneficiaries. */
  listBeneficiaries(query: api.ListBeneficiariesQuery = {}, options?: CallOptions): Pages<api.ListBeneficiariesResult, api.ListBeneficiariesResult["beneficiaries"][number]> {
    return numbered(
      (next) => this.sender.send<api.ListBeneficiariesResult>({ operation: "listBeneficiaries", method: "GET", path: "/beneficiaries", kind: "other", fields: ["beneficiaries","meta"], query: { ...query, ...next }, options }),
      (page) => page.beneficiaries,
    );
  }

  /** Save a beneficiary. */
  createBeneficiary(body: api.CreateBeneficiaryRequest, options?: CallOptions): Promise<api.Beneficiary> {
    return this.sender.send({ operation: "createBeneficiary", method: "POST", path: "/beneficiaries", kind: "other", fields: ["id"], body, options });
  }

  /** Change a beneficiary. */
  updateBeneficiary(id: string, body: api.UpdateBeneficiaryRequest = {}, options?: CallOptions): Promise<api.Beneficiary> {
    return this.sender.send({ operation: "updateBeneficiary", method: "PUT", path: `/beneficiaries/${encodeURIComponent(id)}`, kind: "other", fields: ["id"], body, options });
  }

  /** Delete a beneficiary. */
  deleteBeneficiary(id: string, options?: CallOptions): Promise<api.DeleteBeneficiaryResult> {
    return this.sender.send({ operation: "deleteBeneficiary", method: "DELETE", path: `/beneficiaries/${encodeURIComponent(id)}`, kind: "other", fields: ["deleted"], options });
  }
}
