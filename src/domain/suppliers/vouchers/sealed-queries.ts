import { statement } from "../../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../../platform/sealing/sealed-places.ts";
import type { ImportId } from "./import-queries.ts";
import { fingerprintKeyIdentity, importIdentity, voucherIdentity } from "./voucher-format.ts";

interface VoucherRow {
  readonly productId: number;
  readonly number: bigint;
  readonly fingerprint: Buffer;
  readonly stored: string;
}

interface ImportRow {
  readonly id: ImportId;
  readonly stored: string;
}

interface KeyRow {
  readonly name: string;
  readonly stored: string;
}

/** Where the stock of PINs and codes is, what was uploaded to it, and the key of its fingerprints. */
export const voucherPlaces: readonly SealedPlace[] = [
  sealedPlace<VoucherRow>({
    name: "vouchers",
    first: [-1, -1],
    keyOf: (row) => [row.productId, row.number],
    rewrapped: rewrapFor((row: VoucherRow) => voucherIdentity(row.productId, row.fingerprint)),
    count: statement(
      "count_vouchers_by_key",
      `select split_part(sealed, '.', 2) as "keyId", count(*) as rows
         from vouchers
        group by 1`,
    ),
    list: statement(
      "list_sealed_vouchers",
      `select product_id as "productId", number, fingerprint, sealed as stored
         from vouchers
        where (product_id, number) > ($1, $2)
        order by product_id, number
        limit $3`,
    ),
    update: statement(
      "update_sealed_vouchers",
      `update vouchers v
          set sealed = i.fresh
         from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[]) as i (product_id, number, stored, fresh)
        where v.product_id = i.product_id and v.number = i.number and v.sealed = i.stored`,
    ),
  }),
  sealedPlace<ImportRow>({
    name: "voucher imports",
    first: [-1],
    keyOf: (row) => [row.id],
    // Each is a file of some megabytes.
    windowSize: 5,
    rewrapped: rewrapFor((row: ImportRow) => importIdentity(row.id)),
    count: statement(
      "count_voucher_imports_by_key",
      `select split_part(sealed, '.', 2) as "keyId", count(*) as rows
         from voucher_imports
        where sealed is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_voucher_imports",
      `select id, sealed as stored
         from voucher_imports
        where sealed is not null
          and id > $1
        order by id
        limit $2`,
    ),
    update: statement(
      "update_sealed_voucher_imports",
      `update voucher_imports v
          set sealed = i.fresh
         from unnest($1::integer[], $2::text[], $3::text[]) as i (id, stored, fresh)
        where v.id = i.id and v.sealed = i.stored`,
    ),
  }),
  sealedPlace<KeyRow>({
    name: "voucher fingerprint key",
    first: [""],
    keyOf: (row) => [row.name],
    rewrapped: rewrapFor(() => fingerprintKeyIdentity),
    count: statement(
      "count_voucher_keys_by_key",
      `select split_part(sealed, '.', 2) as "keyId", count(*) as rows
         from voucher_keys
        group by 1`,
    ),
    list: statement(
      "list_sealed_voucher_keys",
      `select name, sealed as stored
         from voucher_keys
        where name > $1
        order by name
        limit $2`,
    ),
    update: statement(
      "update_sealed_voucher_keys",
      `update voucher_keys k
          set sealed = i.fresh
         from unnest($1::text[], $2::text[], $3::text[]) as i (name, stored, fresh)
        where k.name = i.name and k.sealed = i.stored`,
    ),
  }),
];
