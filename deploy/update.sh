#!/usr/bin/env bash
# Starts the containers of compose.yaml, and updates them without a stop:
#   deploy/update.sh           to the release of this checkout, or with what was changed in .env
#   deploy/update.sh 0.2.0     to that one, also back to the one before
# The database is migrated while the old release sells; then one process after the other is replaced, each once the one
# before is ready. What fails ends this, and whatever is not replaced yet sells on.
set -euo pipefail
cd "$(dirname "$0")/.."
refuse() { echo "$*" >&2; exit 1; }
case ${1:-} in -*) sed -n '2,6s/^# //p' deploy/update.sh; exit 0 ;; esac

compose=$(docker compose version --short 2> /dev/null || true)
printf '2.24\n%s\n' "${compose#v}" | sort --version-sort --check=quiet \
  || refuse "Docker Compose 2.24 or newer is needed. docker compose version says: ${compose:-nothing}"
[ -f .env ] || refuse "There is no .env: copy deploy/compose.env.example, and fill it in."
# The folder, as git pull puts a new compose.yaml in the place of the old one.
exec 9< .
flock --nonblock 9 || refuse "Another update runs."

# Compose would ignore a name that nobody reads.
known=$(grep -oE '\$\{[A-Z_0-9]+|^  [A-Z_]+:$|environment: [A-Z_]+' compose.yaml | grep -oE '[A-Z_0-9]+')
unknown=$(sed -nE 's/^ *(export +)?([A-Za-z_0-9]+) *=.*/\2/p' .env | grep -vxF "$known" | grep -v '^COMPOSE_' || true)
[ -z "$unknown" ] || refuse ".env has what compose.yaml does not read: $(echo $unknown). See deploy/compose.env.example."

setting() { sed -nE "s/^$1=[\"']?([^\"']*)[\"']?$/\\1/p" .env | tail -n 1; }
# They stand in addresses, where other characters mean something.
for name in OWNER_PASSWORD SERVICE_PASSWORD; do
  [[ "$(setting $name)" =~ ^[A-Za-z0-9_.~+=-]+$ ]] || refuse "$name in .env is empty, or has what an address can't have, such as / or @: openssl rand -hex 24 makes one."
done
before=$(setting VERSION)
[ -n "$before" ] || refuse "VERSION has to stand in .env: the release that runs."
checkout=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
VERSION=${1:-$checkout}
export VERSION=${VERSION#v}
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

# Whether Compose would leave it as it is.
is_current() {
  local container wanted
  container=$(docker compose ps --all --quiet "$1")
  wanted="$(docker compose config --hash "$1" | cut -d ' ' -f 2) $(docker image inspect --format '{{.Id}}' "$image:$VERSION")"
  [ -n "$container" ] \
    && [ "$(docker inspect --format '{{index .Config.Labels "com.docker.compose.config-hash"}} {{.Image}}' "$container")" = "$wanted" ]
}

if [ -n "$(docker compose ps --quiet api-a api-b)" ]; then
  trap 'echo "The update ended there. What was not replaced sells on.$([ "$VERSION" = "$before" ] || echo " Back: deploy/update.sh $before")" >&2' ERR
  [ "$VERSION" != "$before" ] || echo "$VERSION runs already: only what was changed in .env is brought in."
  # A release that the database no longer fits refuses here, before anything is replaced.
  docker compose run --rm --no-deps migrate
  # What Compose replaces it replaces with what depends on it, so nothing but the service itself may be replaced here: neither
  # the database, nor migrate. And a container that was made with --no-deps is a changed one to Compose 2.26: the next plain
  # `docker compose up` would replace all at once.
  docker compose rm --force migrate > /dev/null
  for service in api-a api-b worker console; do
    is_current "$service" || docker compose rm --stop --force "$service"
    docker compose up --detach --wait --no-recreate "$service"
  done
  trap - ERR
  next=
else
  next=" While it has no admin: docker compose run --rm operator --as YOU staff first-link"
  docker compose up --detach --wait || {
    docker compose logs --no-log-prefix --tail 5 migrate >&2
    refuse "It did not start. Mend what is said above, and start it again. More: docker compose ps --all, docker compose logs SERVICE"
  }
fi
sed -i "s/^VERSION=.*/VERSION=$VERSION/" .env
docker compose exec -T proxy caddy reload --config /etc/caddy/Caddyfile --adapter caddyfile > /dev/null 2>&1 \
  || refuse "The proxy keeps its old configuration: docker compose exec proxy caddy validate --config /etc/caddy/Caddyfile"
# They see neither a file that git put in the place of another one, nor a new ALARM_WEBHOOK.
watching=$(docker compose config --services | grep -xE 'prometheus|alertmanager|blackbox' || true)
others="$VERSION sells, but what is beside it did not start: docker compose ps --all"
[ -z "$watching" ] || docker compose up --detach --no-deps --force-recreate $watching || refuse "$others"
# What else there is, where it is new or its own lines have changed. The database first and alone, or all would go with it.
docker compose up --detach --wait --no-deps database || refuse "$others"
docker compose up --detach || refuse "$others"
[ -z "$watching" ] || [ -n "$(setting ALARM_WEBHOOK)" ] || echo "Nobody hears an alarm: ALARM_WEBHOOK in .env is empty." >&2
[ "$VERSION" = "$before" ] || next=" Back: deploy/update.sh $before"
[ "$VERSION" = "$checkout" ] || next+=" Until you check it out as well, say $VERSION after a change of .env, too: deploy/update.sh alone goes to $checkout."
echo "$VERSION sells at https://$(setting DOMAIN).$next"
