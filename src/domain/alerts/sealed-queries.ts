import { sealedColumn } from "../../platform/sealing/sealed-columns.ts";
import { webhookIdentity } from "./settings.ts";

/** Where the URL of the alerts' webhook is sealed. */
export const alertColumns = [
  sealedColumn({
    name: "alert_settings",
    table: "alert_settings",
    key: { id: "smallint" },
    column: "webhook",
    identity: () => webhookIdentity,
  }),
];
