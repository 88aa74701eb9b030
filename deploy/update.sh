#!/usr/bin/env bash
# Starts the containers of compose.yaml, and updates them without a stop:
#   deploy/update.sh           to the release of this checkout, or with what was changed in .env
#   deploy/update.sh 0.2.0     to that one, also back to the one before
# The database is migrated while the old release sells; then one process after the other is replaced, each once the one
# before is ready. What fails ends this, and whatever is not replaced yet sells on.
set -euo pipefail
cd "$(dirname "$0")/.."
refuse() { echo "$*" >&2; exit 1; }

[[ "$(docker compose version --short 2> /dev/null)" =~ ^v?[2-9] ]] || refuse "Docker Compose 2.24 or newer is needed: docker compose version."
[ -f .env ] || refuse "There is no .env: copy deploy/compose.env.example, and fill it in."
exec 9< compose.yaml
flock --nonblock 9 || refuse "Another update runs."

# Compose would ignore a name that nobody reads.
known=$(grep -oE '\$\{[A-Z_0-9]+|^  [A-Z_]+:$|environment: [A-Z_]+' compose.yaml | grep -oE '[A-Z_0-9]+')
unknown=$(sed -nE 's/^ *(export +)?([A-Za-z_0-9]+) *=.*/\2/p' .env | grep -vxF "$known" | grep -v '^COMPOSE_' || true)
[ -z "$unknown" ] || refuse ".env has what compose.yaml does not read: $(echo $unknown). See deploy/compose.env.example."

setting() { sed -n "s/^$1=//p" .env | tail -n 1; }
before=$(setting VERSION)
[ -n "$before" ] || refuse "VERSION has to stand in .env: the release that runs."
checkout=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
export VERSION=${1:-$checkout}
image=$(setting IMAGE)
image=${image:-dispense}
if ! docker image inspect "$image:$VERSION" > /dev/null 2>&1; then
  case $image in
    */*) docker compose pull migrate ;;
    *)
      [[ "$VERSION" =~ ^"$checkout"(-|$) ]] || refuse "There is no image $image:$VERSION, and this checkout is $checkout: check that release out."
      docker compose build migrate
      ;;
  esac
fi

if [ -n "$(docker compose ps --quiet api-a api-b)" ]; then
  trap 'echo "The update ended there. What was not replaced sells on." >&2' ERR
  [ "$VERSION" != "$before" ] || echo "$VERSION runs already: only what was changed in .env is brought in."
  # A release that the database no longer fits refuses here, before anything is replaced.
  docker compose run --rm --no-deps migrate
  for service in api-a api-b worker console; do
    docker compose up --detach --wait --no-deps "$service"
  done
else
  docker compose up --detach --wait
fi
sed -i "s/^VERSION=.*/VERSION=$VERSION/" .env
docker compose exec -T proxy caddy reload --config /etc/caddy/Caddyfile --adapter caddyfile > /dev/null 2>&1 \
  || refuse "The proxy keeps its old configuration: docker compose exec proxy caddy validate --config /etc/caddy/Caddyfile"
echo "$VERSION sells.$([ "$VERSION" = "$before" ] || echo " Back: deploy/update.sh $before")"
