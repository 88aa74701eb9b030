#!/bin/bash
# An empty volume beside backups is a volume that was lost: an empty database in its place would know no merchant. Who
# restores moves the backups away first. docs/operations/incidents.md, Restoring in containers.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ] && compgen -G '/backups/*.dump' > /dev/null; then
  echo "The database's volume is empty, and there are backups: restore the newest, or move the folder away." >&2
  exit 1
fi
exec docker-entrypoint.sh "$@"
