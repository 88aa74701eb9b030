#!/bin/bash
# A dump at the start and every night at two. One that fails ends this, and Docker starts it again: nothing old is deleted then.
set -euo pipefail
umask 077
trap 'exit 0' TERM
while true; do
  rm -f /backups/*.part
  file=/backups/dispense-$(date -u +%Y%m%dT%H%M%SZ).dump
  pg_dump --format=custom --file="$file.part"
  mv "$file.part" "$file"
  # By which the service tells how old it is: the alarm BackupOld.
  psql --quiet --command="insert into turns (name, free_at) values ('backup', now()) on conflict (name) do update set free_at = now()"
  echo "$file: $(stat --format=%s "$file") bytes"
  find /backups -name 'dispense-*.dump' -mtime "+$KEEP_DAYS" -delete
  sleep $(($(date -d 'tomorrow 02:00' +%s) - $(date +%s))) &
  wait $!
done
