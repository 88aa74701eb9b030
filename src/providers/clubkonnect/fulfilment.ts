import type { JsonObject } from "../../kernel/json.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import { pinsIn } from "../delivered-pins.ts";
import { betting, cable, type Delivered, electricity, holdsGoods, internet, pins, topup } from "../fulfilments.ts";
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
      return topup;
    case "electricity":
      return electricity(json, request, { receipt: orderIn(json) ?? request.supplierReference });
    case "cable":
      return cable(request, { customerName: null, bouquet: null });
    case "betting":
      return betting(request, { customerName: null, reference: orderIn(json) ?? request.supplierReference });
    case "education":
    case "recharge_pin":
      return pins(request, pinsIn(json));
    case "internet":
      return request.attributes.delivers_pins === true || holdsGoods(json, request)
        ? pins(request, pinsIn(json))
        : internet(request, null);
    default:
      return "unclear";
  }
}
