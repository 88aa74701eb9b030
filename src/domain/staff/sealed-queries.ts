import { statement } from "../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../platform/sealing/sealed-places.ts";
import { hashOf, identityOf } from "./change-kinds.ts";
import type { WholeChange } from "./change-queries.ts";

interface Row extends Pick<WholeChange, "id" | "kind" | "fields" | "lines" | "facts"> {
  readonly stored: string;
}

/** Where changes keep what of them is secret, until they are over. */
export const changePlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "changes",
    first: [0],
    keyOf: (row) => [row.id],
    // Each may have lines of some megabytes.
    windowSize: 5,
    rewrapped: rewrapFor((row: Row) => identityOf(hashOf(row))),
    count: statement(
      "count_change_secrets_by_key",
      `select split_part(sealed, '.', 2) as "keyId", count(*) as rows
         from changes
        where sealed is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_change_secrets",
      `select id, kind, fields, lines, facts, sealed as stored
         from changes
        where sealed is not null
          and id > $1
        order by id
        limit $2`,
    ),
    update: statement(
      "update_sealed_change_secrets",
      `update changes c
          set sealed = i.fresh
         from unnest($1::integer[], $2::text[], $3::text[]) as i (id, stored, fresh)
        where c.id = i.id
          and c.sealed = i.stored`,
    ),
  }),
];
