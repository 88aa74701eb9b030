#!/bin/bash
# Once, when the database is made: the role that serves, which owns nothing. Migrations give it its rights.
set -euo pipefail
psql --set=ON_ERROR_STOP=1 --set=password="$SERVICE_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role dispense_service login password :'password';
SQL
# The standby of --profile ha connects as the owner.
echo "host replication $POSTGRES_USER samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
