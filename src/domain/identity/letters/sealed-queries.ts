import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import { letterIdentity } from "./letters.ts";

/** Where letters are sealed: their links let people in. */
export const letterColumns = [
  sealedColumn({
    name: "letters",
    table: "letters",
    key: { id: "bigint" },
    column: "body",
    identity: () => letterIdentity,
  }),
];
