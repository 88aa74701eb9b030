import { findBackupAgeSeconds, isArchiveFailing, listSlots } from "../../domain/maintenance/archive-queries.ts";
import type { Database } from "../../platform/database/database.ts";
import { gauges } from "../../platform/telemetry/metrics.ts";
import type { Job, Reporting } from "../watch.ts";

const metrics = [
  ...gauges(["slot"], {
    dispense_replication_slot_wal_bytes: "How much of its write-ahead log the database's server keeps for a slot.",
    dispense_replication_slot_lost: "1 where the server has thrown away what a slot needs, else 0.",
  }),
  ...gauges([], {
    dispense_archive_failing: "1 while the last try to archive the write-ahead log failed, else 0.",
    dispense_backup_age_seconds: "How long ago the last backup was finished, as whoever made it has noted.",
  }),
];

/** What would fill the database's disk, or be missing at a restore. */
export const archiveWatch: Job<Reporting & { readonly database: Database }> = {
  name: "archive",
  everyMs: 15_000,
  metrics,
  open:
    ({ database, metrics }) =>
    async () => {
      for (const { slot, bytes, isLost } of await listSlots(database)) {
        metrics.set("dispense_replication_slot_wal_bytes", bytes, { slot });
        metrics.set("dispense_replication_slot_lost", isLost ? 1 : 0, { slot });
      }
      metrics.set("dispense_archive_failing", (await isArchiveFailing(database)) ? 1 : 0);
      metrics.set("dispense_backup_age_seconds", await findBackupAgeSeconds(database));
    },
};
