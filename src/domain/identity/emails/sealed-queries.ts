import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import { emailIdentity } from "./emails.ts";

/** Where emails are sealed: their links let people in. */
export const emailColumns = [
  sealedColumn({
    name: "emails",
    table: "emails",
    key: { id: "bigint" },
    column: "body",
    identity: () => emailIdentity,
  }),
];
