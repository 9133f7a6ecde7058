#!/usr/bin/env bash
# A PostgreSQL to throw away, on a free port of the loopback.
#   run COMMAND…    runs it with DATABASE_URL set; where it is set already, that one is used
#   start FOLDER    starts one there and prints its DATABASE_URL; `stop FOLDER` ends it and removes the folder
#   crash FOLDER    ends it without a word to its clients; `again FOLDER` starts it where it was
#   install         gets PostgreSQL from Debian where this machine has none
# Exit code 3: there is no PostgreSQL here.
set -euo pipefail

main() {
  case "${1-}:$#" in
    install:1) find_binaries 2>/dev/null || install_postgres && find_binaries ;;
    start:2) find_binaries && start "$2" ;;
    stop:2) find_binaries && stop "$2" ;;
    crash:2) find_binaries && control "$2" stop -m immediate ;;
    again:2) find_binaries && control "$2" start ;;
    run:1) usage ;;
    run:*) shift && run "$@" ;;
    *) usage ;;
  esac
}

usage() {
  echo 'scripts/postgres.sh: run COMMAND… | start FOLDER | stop FOLDER | crash FOLDER | again FOLDER | install' >&2
  exit 2
}

# Debian keeps them out of PATH.
find_binaries() {
  local folder
  for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -Vr) \
    "$(dirname "$(readlink -f "$(command -v pg_ctl || echo /none/pg_ctl)")")"; do
    [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ] || continue
    bin=$folder
    return 0
  done
  echo 'scripts/postgres.sh: there is no PostgreSQL here: install it, or set DATABASE_URL' >&2
  return 3
}

install_postgres() {
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 3
  {
    apt-get update -q && apt_install postgresql-common &&
      # The package would make a cluster of its own, and start it.
      sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf &&
      apt_install postgresql
  } >&2 </dev/null || return 3
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$1"
}

start() {
  local folder made port
  mkdir -p "$1"
  folder=$(readlink -f "$1")
  chmod 755 "$folder"
  [ "$(id -u)" != 0 ] || chown postgres "$folder"
  made=$(as_user "$bin/initdb" -D "$folder/data" -U twinspec -A trust -E UTF8 --no-locale --no-sync 2>&1) || {
    echo "$made" >&2
    return 1
  }
  # A port that is free now may be taken a moment later: then another one.
  for _ in 1 2 3 4 5; do
    port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
    settings >"$folder/data/postgresql.auto.conf"
    if control "$folder" start; then
      echo "postgres://twinspec@127.0.0.1:$port/postgres"
      return 0
    fi
  done
  cat "$folder/data/server.log" >&2
  return 1
}

settings() {
  echo "port = $port"
  echo "listen_addresses = '127.0.0.1'"
  echo "unix_socket_directories = ''"
  echo 'max_connections = 200'
}

stop() {
  local folder
  folder=$(readlink -f "$1")
  [ ! -e "$folder/data/postmaster.pid" ] || control "$folder" stop -m immediate || true
  [ ! -e "$folder/data/PG_VERSION" ] || rm -rf "$folder"
}

control() {
  local folder
  folder=$(readlink -f "$1")
  shift
  as_user "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/server.log" -w -t 30 -s "$@" >&2
}

# PostgreSQL refuses to run as root.
as_user() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

run() {
  [ -z "${DATABASE_URL-}" ] || exec "$@"
  find_binaries || return
  cluster=$(mktemp -d "${TMPDIR:-/tmp}/twinspec-postgres-XXXXXX")
  trap 'stop "$cluster"' EXIT
  DATABASE_URL=$(start "$cluster") || return
  export DATABASE_URL
  "$@"
}

main "$@"
