import { sealedColumn } from "../../platform/sealing/sealed-columns.ts";
import { hashOf, identityOf } from "./change-kinds.ts";
import type { WholeChange } from "./change-queries.ts";

/** Where changes keep what of them is secret, until they are over. */
export const changeSecretColumns = [
  sealedColumn<Pick<WholeChange, "id" | "kind" | "fields" | "lines" | "facts">>({
    name: "changes",
    table: "changes",
    // Each may have lines of some megabytes.
    windowSize: 5,
    key: { id: "integer" },
    column: "sealed",
    reads: ["kind", "fields", "lines", "facts"],
    identity: (row) => identityOf(hashOf(row)),
  }),
];
