import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import type { ImportId } from "./import-queries.ts";
import { fingerprintKeyIdentity, importIdentity, voucherIdentity } from "./voucher-format.ts";

interface Row {
  readonly product_id: number;
  readonly fingerprint: Buffer;
}

const identity = (row: Row) => voucherIdentity(row.product_id, row.fingerprint);

/** Where the stock of PINs and codes is, what was uploaded to it, and the key of its fingerprints. */
export const voucherColumns = [
  sealedColumn({
    name: "vouchers",
    table: "vouchers",
    key: { product_id: "integer", number: "bigint" },
    column: "sealed",
    reads: ["fingerprint"],
    identity,
  }),
  sealedColumn({
    name: "voucher imports",
    table: "voucher_imports",
    key: { id: "integer" },
    column: "sealed",
    // Each is a file of some megabytes.
    windowSize: 5,
    identity: (row: { readonly id: ImportId }) => importIdentity(row.id),
  }),
  sealedColumn({
    name: "voucher fingerprint key",
    table: "voucher_keys",
    key: { name: "text" },
    column: "sealed",
    identity: () => fingerprintKeyIdentity,
  }),
];
