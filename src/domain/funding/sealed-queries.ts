import { sealedColumn } from "../../platform/sealing/sealed-columns.ts";
import { providerIdentity } from "./providers.ts";
import { slipIdentity } from "./statements/announcements.ts";

/** Where payment providers' credentials and the slips of transfers are. */
export const fundingColumns = [
  sealedColumn<{ readonly name: string }>({
    name: "payment provider credentials",
    table: "payment_providers",
    key: { name: "text" },
    column: "credentials",
    identity: ({ name }) => providerIdentity(name),
  }),
  sealedColumn<{ readonly transfer_number: number }>({
    name: "slips of transfers",
    table: "transfer_slips",
    key: { transfer_number: "integer" },
    column: "sealed",
    // Each is a file of up to some megabytes.
    windowSize: 5,
    identity: ({ transfer_number }) => slipIdentity(transfer_number),
  }),
];
