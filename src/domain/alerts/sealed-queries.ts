import { statement } from "../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../platform/sealing/sealed-places.ts";
import { webhookIdentity } from "./settings.ts";

interface Row {
  readonly id: number;
  readonly stored: string;
}

/** Where the URL of the alerts' webhook is sealed. */
export const alertPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "alert_settings",
    first: [0],
    keyOf: (row) => [row.id],
    rewrapped: rewrapFor(() => webhookIdentity),
    count: statement(
      "count_alert_webhooks_by_key",
      `select split_part(webhook, '.', 2) as "keyId", count(*) as rows
         from alert_settings
        where webhook is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_alert_webhooks",
      `select id, webhook as stored
         from alert_settings
        where webhook is not null
          and id > $1
        order by id
        limit $2`,
    ),
    update: statement(
      "update_sealed_alert_webhooks",
      `update alert_settings s
          set webhook = i.fresh
         from unnest($1::smallint[], $2::text[], $3::text[]) as i (id, stored, fresh)
        where s.id = i.id
          and s.webhook = i.stored`,
    ),
  }),
];
