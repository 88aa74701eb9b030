#!/bin/bash
# A standby of `database`: copied from it once, then kept up by streaming. docs/operations/run.md, A standby in containers.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  owner='host=database user=dispense_owner dbname=dispense'
  # The slot of the standby before this one, or of a copy that was broken off.
  psql "$owner" -c "select pg_drop_replication_slot('standby') from pg_replication_slots where slot_name = 'standby' and not active"
  # Half a copy never gets the name by which it would be started.
  rm -rf "$PGDATA" "$PGDATA.copy"
  mkdir -p "$PGDATA.copy"
  pg_basebackup --pgdata="$PGDATA.copy" --write-recovery-conf --wal-method=stream --slot=standby --create-slot --checkpoint=fast \
    --dbname="$owner application_name=standby"
  chmod 700 "$PGDATA.copy"
  mv "$PGDATA.copy" "$PGDATA"
fi
# The database of before a failover would not stream from the one of now, but be a second one beside it.
if [ ! -f "$PGDATA/standby.signal" ]; then
  echo "This volume (STANDBY_VOLUME of .env) is of a database, not of a standby. Once nobody needs it any more: docs/operations/run.md, A standby in containers." >&2
  exit 1
fi
exec "$@"
