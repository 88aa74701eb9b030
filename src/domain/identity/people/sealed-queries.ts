import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import type { PersonId } from "./person.ts";
import { totpIdentity } from "./totp-codes.ts";

/** Where the seeds of authenticator apps are sealed. */
export const totpSeedColumns = [
  sealedColumn<{ readonly id: PersonId }>({
    name: "TOTP seeds",
    table: "people",
    key: { id: "integer" },
    column: "totp_seed",
    identity: ({ id }) => totpIdentity(id),
  }),
];
