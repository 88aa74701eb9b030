import { sealedColumn } from "../../platform/sealing/sealed-columns.ts";
import { credentialsIdentity } from "./administration.ts";

/** Where suppliers' credentials are. */
export const credentialColumns = [
  sealedColumn<{ readonly name: string }>({
    name: "supplier credentials",
    table: "suppliers",
    key: { name: "text" },
    column: "credentials",
    identity: ({ name }) => credentialsIdentity(name),
  }),
];
