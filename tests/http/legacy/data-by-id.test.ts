import { describeLegacyById } from "../../support/legacy-by-id.ts";

const mobileNumber = "08031234567";

describeLegacyById(
  { path: "/api/data", usual: { network: 1, mobile_number: mobileNumber, plan: "1002" }, findsOther: true },
  { path: "/api/topup", usual: { network: 1, mobile_number: mobileNumber, amount: 100 } },
  { path: "/data/purchase", body: { product_id: 1002, phone: mobileNumber } },
);
