import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import { fingerprintKeyIdentity, voucherIdentity } from "./voucher-format.ts";

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
    table: "voucher_import_rows",
    key: { import_id: "integer", line: "integer" },
    column: "sealed",
    reads: ["product_id", "fingerprint"],
    identity,
  }),
  sealedColumn({
    name: "voucher fingerprint key",
    table: "voucher_keys",
    key: { name: "text" },
    column: "sealed",
    identity: () => fingerprintKeyIdentity,
  }),
];
