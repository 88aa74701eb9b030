#!/bin/bash
# A standby of `database`: copied from it once, then kept up by streaming. It is for a person to promote; see
# docs/operations/incidents.md, Failover. Make commits wait for it, once it runs:
#   docker compose exec database psql -U dispense_owner dispense \
#     -c "alter system set synchronous_standby_names = 'standby'" -c 'select pg_reload_conf()'
set -euo pipefail
export PGDATA=/var/lib/postgresql/standby
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA"
  pg_basebackup --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream --slot=standby --create-slot \
    --dbname='host=database user=dispense_owner application_name=standby'
  chmod 700 "$PGDATA"
fi
exec postgres
