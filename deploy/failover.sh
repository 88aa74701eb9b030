#!/usr/bin/env bash
# Makes the standby of --profile ha the database: for when `database` or its volume is lost, or has to be thought so. Whatever
# it has not streamed is lost. Afterwards the volume of before belongs to nobody: docs/operations/incidents.md, Failover.
set -euo pipefail
cd "$(dirname "$0")/.."
exec 9< .
flock --nonblock 9 || { echo "An update or another failover runs." >&2; exit 1; }
compose() { docker compose --profile ha "$@"; }
standby() { compose exec -T standby psql -U dispense_owner -d dispense --quiet --no-align --tuples-only --command "$1"; }

database=$(sed -n 's/^DATABASE_VOLUME=//p' .env)
standby=$(sed -n 's/^STANDBY_VOLUME=//p' .env)
[ -n "$database" ] && [ -n "$standby" ] || { echo "DATABASE_VOLUME and STANDBY_VOLUME have to stand in .env." >&2; exit 1; }
[ "$(standby 'select pg_is_in_recovery()')" = t ] || { echo "No standby answers: start it by docker compose --profile ha up --detach standby." >&2; exit 1; }
# Half of what follows would be worse than none.
trap '' INT TERM HUP
# Gone before the other one takes over: no sale may end up there.
compose kill database || true
compose rm --force database
standby 'select pg_promote()'
# It would wait for a standby that it has not.
standby 'alter system reset synchronous_standby_names'
compose rm --stop --force standby
sed -i -e "s/^DATABASE_VOLUME=.*/DATABASE_VOLUME=$standby/" -e "s/^STANDBY_VOLUME=.*/STANDBY_VOLUME=$database/" .env
compose up --detach --wait --no-deps database
echo "It sells from the volume $standby. Once $database is looked at and no longer needed, a new standby:"
echo "  docker compose --profile ha rm --stop --force standby && docker volume rm dispense_$database && docker compose --profile ha up --detach --wait standby"
