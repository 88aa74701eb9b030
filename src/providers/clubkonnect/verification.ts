import type { VerifyRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Question, Unsendable, VerifyReading } from "../dialect.ts";
import { type Reply, textAt } from "../reply.ts";
import { partsOf, scriptOf } from "./codes.ts";

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
