import type { MerchantId } from "../../../kernel/ids.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import { violatedConstraint } from "../../../platform/database/database-errors.ts";
import type { PersonId } from "../../identity/people/person.ts";

/** A person, in one of the businesses that the person works for. */
export interface ViewOwner {
  readonly merchantId: MerchantId;
  readonly personId: PersonId;
}

/** A list with its filters, by the name that a person gave it. */
export interface SavedView {
  /** The list's page below the mode. */
  readonly list: string;
  readonly name: string;
  /** The filters as the list's address has them. */
  readonly query: string;
}

/** As many as the table has places for. */
export const savedViewsMax = 20;
export const viewNameMax = 60;
export const viewQueryMax = 1_000;

const list = statement(
  "list_saved_views",
  `select v.list, v.name, v.query
     from saved_views v
    where v.merchant_id = $1
      and v.person_id = $2
    order by lower(v.name), v.list`,
);

export function listSavedViews(db: Queryable, { merchantId, personId }: ViewOwner): Promise<SavedView[]> {
  return db.query<SavedView>(list, [merchantId, personId]);
}

const insert = statement(
  "insert_saved_view",
  `insert into saved_views (merchant_id, person_id, position, list, name, query)
   select $1, $2, coalesce(same.position, free.position), $3, $4, $5
     from (
            select min(place.position) as position
              from generate_series(1, 20) as place (position)
             where not exists (
                     select 1
                       from saved_views v
                      where v.merchant_id = $1 and v.person_id = $2 and v.position = place.position
                   )
          ) free
     left join saved_views same
       on same.merchant_id = $1 and same.person_id = $2 and same.list = $3 and same.name = $4
    where coalesce(same.position, free.position) is not null
       on conflict on constraint saved_views_once_a_name do update
          set query = excluded.query
   returning 1`,
);

/** Keeps a view, in place of the list's own of that name. False where the person has as many as there may be. */
export async function insertSavedView(db: Queryable, owner: ViewOwner, view: SavedView): Promise<boolean> {
  const values = [owner.merchantId, owner.personId, view.list, view.name, view.query];
  try {
    return (await db.query(insert, values)).length === 1;
  } catch (error) {
    // Another tab took the place meanwhile: there is a next one.
    if (violatedConstraint(error) !== "saved_views_pkey") throw error;
    return (await db.query(insert, values)).length === 1;
  }
}

const remove = statement(
  "delete_saved_view",
  "delete from saved_views where merchant_id = $1 and person_id = $2 and list = $3 and name = $4",
);

export async function deleteSavedView(
  db: Queryable,
  { merchantId, personId }: ViewOwner,
  view: Pick<SavedView, "list" | "name">,
): Promise<void> {
  await db.query(remove, [merchantId, personId, view.list, view.name]);
}
