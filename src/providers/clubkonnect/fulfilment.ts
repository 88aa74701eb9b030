import { fundedAccount } from "../../categories/betting.ts";
import { paidBouquet } from "../../categories/cable.ts";
import { toppedUp } from "../../categories/fulfilment/fulfilment-fields.ts";
import { internetPlan } from "../../categories/internet.ts";
import type { VendRequest, VerifyRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { pinsIn } from "../delivered-pins.ts";
import type { Question, Unsendable, VerifyReading } from "../dialect.ts";
import { type Delivered, holdsGoods, pins, tokens } from "../fulfilments.ts";
import { listAt, type Reply, textAt } from "../reply.ts";
import { partsOf, scriptOf } from "./codes.ts";

/** Their name for the order. Of e-PINs some answers name only the single PINs: the first stands for all. */
export function orderIn(json: JsonObject): string | null {
  const named = textAt(json, "orderid") ?? textAt(json, "ORDER_ID");
  const order = named === "0" ? null : named;
  return order ?? textAt(listAt(json, "TXN_EPIN")[0], "transactionid");
}

export function fulfilmentIn(json: JsonObject, request: VendRequest): Delivered {
  switch (request.category) {
    case "airtime":
    case "data":
      return toppedUp;
    case "electricity":
      return tokens(json, request, { receipt: orderIn(json) ?? request.supplierReference });
    case "cable":
      return paidBouquet(request, {});
    case "betting":
      return fundedAccount(request, { customerName: null, reference: orderIn(json) ?? request.supplierReference });
    case "education":
    case "recharge_pin":
      return pins(request, pinsIn(json));
    case "internet":
      return request.attributes.delivers_pins === true || holdsGoods(json, request)
        ? pins(request, pinsIn(json))
        : internetPlan(request, null);
    default:
      return "unclear";
  }
}

export function askToVerify(request: VerifyRequest): Question | Unsendable {
  const [code] = partsOf(request.supplierCode);
  if (code === "") return { unsendable: "no route names a code" };
  const number = request.customerRef;
  switch (request.category) {
    case "electricity": {
      const MeterType = textAt(request.details, "meter_type") === "postpaid" ? "02" : "01";
      return scriptOf("APIVerifyElectricityV1", { ElectricCompany: code, MeterNo: number, MeterType });
    }
    case "cable":
      return scriptOf("APIVerifyCableTVV1", { CableTV: code, SmartCardNo: number });
    case "betting":
      return scriptOf("APIVerifyBettingV1", { BettingCompany: code, CustomerID: number });
    case "internet":
      if (code !== "smile-direct") return { unsendable: `it verifies no account of ${code}` };
      return scriptOf("APIVerifySmileV1", { MobileNetwork: code, MobileNumber: number });
    default:
      return { unsendable: `it verifies no ${request.category}` };
  }
}

/** A wrong number is answered with a word in the name's place, `INVALID_METERNO`. */
export function readVerification({ status, json }: Reply, request: VerifyRequest): VerifyReading {
  const name = textAt(json, "customer_name");
  if (status >= 400 || name === null || /CREDENTIAL|APIKEY|USERID/i.test(name)) return { kind: "unavailable" };
  if (/\b(INVALID|ERROR)|^n\/?a$/i.test(name)) return { kind: "unverifiable" };
  return { kind: "verified", findings: findingsOf(name, request) };
}

function findingsOf(customer_name: string, { category }: VerifyRequest): JsonObject {
  if (category === "cable") {
    const nothing = { current_bouquet: null, current_product_id: null, due_date: null, renewal_amount: null };
    return { customer_name, account_status: "active", ...nothing };
  }
  if (category !== "electricity") return { customer_name };
  // It knows of no debt and of no meter that may not buy: the disco says so when it comes to buying.
  return { customer_name, customer_address: "", tariff_class: null, outstanding_debt: "0.00", can_vend: true };
}
