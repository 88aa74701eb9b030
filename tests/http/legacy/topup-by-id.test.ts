import { describeLegacyById } from "../../support/legacy-by-id.ts";

const mobileNumber = "08031234567";

describeLegacyById(
  { path: "/api/topup", usual: { network: 1, mobile_number: mobileNumber, amount: "100.5" } },
  { path: "/api/data", usual: { network: 1, mobile_number: mobileNumber, plan: 2 } },
  { path: "/airtime/purchase", body: { network: "MTN", phone: mobileNumber, amount: 100 } },
);
