#!/usr/bin/env bash
# Starts the server where there is a command for it, waits for it, judges it, and ends it whatever comes of that.
. "$GITHUB_ACTION_PATH/judge.sh"

server=''
log="$ROOM/server.log"

# All that the command started, in a process group of its own.
end_server() {
  [ -n "$server" ] || return 0
  kill -TERM -- "-$server" 2>/dev/null || return 0
  for _ in $(seq 150); do
    kill -0 -- "-$server" 2>/dev/null || return 0
    sleep 0.2
  done
  kill -KILL -- "-$server" 2>/dev/null || true
}
trap end_server EXIT

answers() {
  node -e 'fetch(process.argv[1], { redirect: "manual", signal: AbortSignal.timeout(2000) }).then(() => process.exit(0), () => process.exit(1))' "$1"
}

# The first address in what it printed, without colours and what ends a sentence.
printed_address() {
  sed $'s/\033\\[[0-9;]*m//g' "$log" | grep -Eo 'https?://[^[:space:]"<>]+' | sed -n '1{s/[.,;:)]*$//;p;}' || true
}

if [ -n "$START" ]; then
  set -m
  env -u TWINSPEC_KEY bash -c "$START" >"$log" 2>&1 </dev/null &
  server=$!
  set +m
  deadline=$((SECONDS + WAIT))
  while :; do
    address=${SERVER_URL:-$(printed_address)}
    [ -n "$address" ] && answers "$address" && break
    if ! kill -0 "$server" 2>/dev/null; then
      could_not conform 'the command that starts the server has ended before the server answered'
    elif [ "$SECONDS" -ge "$deadline" ]; then
      [ -n "$address" ] && failing="did not answer at $address" || failing='printed no address'
      could_not conform "the server $failing within $WAIT seconds"
    else
      sleep 0.2
      continue
    fi
    tail -n 20 "$log" | say
    exit 0
  done
  SERVER_URL=$address
fi

flags=()
read -r -d '' -a flags <<<"$FLAGS" || true
judge conform conform "$SERVER_URL" --fail-on "$FAIL_ON" --format github --html "$ROOM/kept/conform.html" \
  ${BASELINE:+--baseline "$BASELINE"} ${flags[@]+"${flags[@]}"}
