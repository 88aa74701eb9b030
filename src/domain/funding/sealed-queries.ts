import { sealedColumn } from "../../platform/sealing/sealed-columns.ts";
import { providerIdentity } from "./providers.ts";

/** Where payment providers' credentials are. */
export const paymentProviderColumns = [
  sealedColumn<{ readonly name: string }>({
    name: "payment provider credentials",
    table: "payment_providers",
    key: { name: "text" },
    column: "credentials",
    identity: ({ name }) => providerIdentity(name),
  }),
];
