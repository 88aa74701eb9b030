import { statement } from "../../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../../platform/sealing/sealed-places.ts";
import type { PersonId } from "./person.ts";
import { totpIdentity } from "./totp-codes.ts";

interface Row {
  readonly id: PersonId;
  readonly stored: string;
}

/** Where the seeds of authenticator apps are sealed. */
export const totpSeedPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "TOTP seeds",
    first: [0],
    keyOf: (row) => [row.id],
    rewrapped: rewrapFor(({ id }) => totpIdentity(id)),
    count: statement(
      "count_totp_seeds_by_key",
      `select split_part(totp_seed, '.', 2) as "keyId", count(*) as rows
         from people
        where totp_seed is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_totp_seeds",
      `select id, totp_seed as stored
         from people
        where id > $1
          and totp_seed is not null
        order by id
        limit $2`,
    ),
    update: statement(
      "update_sealed_totp_seeds",
      `update people p
          set totp_seed = i.fresh
         from unnest($1::integer[], $2::text[], $3::text[]) as i (id, stored, fresh)
        where p.id = i.id
          and p.totp_seed = i.stored`,
    ),
  }),
];
