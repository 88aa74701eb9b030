import { type Queryable, statement } from "../../../platform/database/database.ts";

const listServiceProcesses = statement(
  "list_service_processes",
  `select distinct coalesce(host(client_addr), 'this machine') as address
     from pg_stat_activity
    where datname = current_database() and application_name ~ '^dispense (start|ordinary|batched)'
    order by address`,
);

/** From where processes of the service are connected to this database now. */
export async function listProcessAddresses(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ address: string }>(listServiceProcesses);
  return rows.map(({ address }) => address);
}
