import { fundedAccount } from "../../categories/betting.ts";
import { paidBouquet } from "../../categories/cable.ts";
import { toppedUp } from "../../categories/fulfilment/fulfilment-fields.ts";
import { internetPlan } from "../../categories/internet.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { pinsIn } from "../delivered-pins.ts";
import { type Delivered, holdsGoods, pins, tokens } from "../fulfilments.ts";
import { listAt, textAt } from "../reply.ts";

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
