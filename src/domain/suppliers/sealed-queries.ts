import { statement } from "../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../platform/sealing/sealed-places.ts";
import { credentialsIdentity } from "./administration.ts";

interface Row {
  readonly name: string;
  readonly stored: string;
}

/** Where suppliers' credentials are. */
export const credentialPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "supplier credentials",
    first: [""],
    keyOf: (row) => [row.name],
    rewrapped: rewrapFor((row: Row) => credentialsIdentity(row.name)),
    count: statement(
      "count_credentials_by_key",
      `select split_part(credentials, '.', 2) as "keyId", count(*) as rows
         from suppliers
        where credentials is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_credentials",
      `select name, credentials as stored
         from suppliers
        where name > $1 and credentials is not null
        order by name
        limit $2`,
    ),
    update: statement(
      "update_sealed_credentials",
      `update suppliers s
          set credentials = i.fresh
         from unnest($1::text[], $2::text[], $3::text[]) as i (name, stored, fresh)
        where s.name = i.name and s.credentials = i.stored`,
    ),
  }),
];
