import { statement } from "../../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../../platform/sealing/sealed-places.ts";
import { letterIdentity } from "./letters.ts";

interface Row {
  readonly id: bigint;
  readonly stored: string;
}

/** Where letters are sealed: their links let people in. */
export const letterPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "letters",
    first: [0],
    keyOf: (row) => [row.id],
    rewrapped: rewrapFor(() => letterIdentity),
    count: statement(
      "count_letters_by_key",
      `select split_part(body, '.', 2) as "keyId", count(*) as rows
         from letters
        group by 1`,
    ),
    list: statement(
      "list_sealed_letters",
      `select id, body as stored
         from letters
        where id > $1
        order by id
        limit $2`,
    ),
    update: statement(
      "update_sealed_letters",
      `update letters l
          set body = i.fresh
         from unnest($1::bigint[], $2::text[], $3::text[]) as i (id, stored, fresh)
        where l.id = i.id
          and l.body = i.stored`,
    ),
  }),
];
