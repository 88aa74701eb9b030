import type { VerifyRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { decimalOf, firstText, textAt } from "../reply.ts";

/** What merchant-verify found out, as the category's `verify.findings`; null where the owner is missing. */
export function findingsIn(content: JsonObject, request: VerifyRequest): JsonObject | null {
  const name = firstText(content, ["Customer_Name", "customer_name", "name"]);
  if (name === null) return null;
  switch (request.category) {
    case "electricity":
      return {
        customer_name: name,
        customer_address: textAt(content, "Address") ?? "",
        tariff_class: firstText(content, ["Customer_Account_Type", "Tariff"])?.slice(0, 40) ?? null,
        outstanding_debt: decimalOf(firstText(content, ["Customer_Arrears", "Outstanding", "Arrears"])) ?? "0.00",
        can_vend: !/^(no|false|0)$/i.test(textAt(content, "Can_Vend") ?? "yes"),
      };
    case "cable":
      return cableFindings(content, request, name);
    case "betting":
    case "internet":
      return { customer_name: name };
    default:
      return null;
  }
}

const accountStatuses: ReadonlyMap<string, string> = new Map([
  ["active", "active"],
  ["open", "active"],
  ["expired", "expired"],
  ["inactive", "expired"],
  ["suspended", "suspended"],
]);

function cableFindings(content: JsonObject, request: VerifyRequest, name: string): JsonObject {
  const bouquet = firstText(content, ["Current_Bouquet", "current_bouquet"]);
  const renewal = decimalOf(firstText(content, ["Renewal_Amount", "renewal_amount"]));
  const due = /^(\d{4}-\d{2}-\d{2})/.exec(firstText(content, ["Due_Date", "due_date"]) ?? "")?.[1] ?? null;
  const status = accountStatuses.get(textAt(content, "Status")?.toLowerCase() ?? "");
  return {
    customer_name: name,
    account_status: status ?? (bouquet === null ? "new" : "active"),
    current_bouquet: bouquet,
    current_product_id: bouquet === null ? null : productNamed(bouquet, request),
    due_date: due,
    renewal_amount: renewal === "0.00" ? null : renewal,
  };
}

/** The offered product that bears the bouquet's name, spelt as each side spells it; null where none does. */
function productNamed(bouquet: string, { products }: VerifyRequest): number | null {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9+]/g, "");
  const expected = plain(bouquet);
  const found = products.find(
    ({ plan, productName }) => plain(productName) === expected || (plan !== null && expected.endsWith(plain(plan))),
  );
  return found?.productId ?? null;
}
