#!/usr/bin/env bash
# Plays the team that was handed the package: an empty folder, the tarball, the first snippet of its README, and `npm start`.
# Ends with 0 where the answer came within a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

room=$(mktemp -d)
service=''
trap '[ -z "$service" ] || { kill "$service" && wait "$service"; } 2>/dev/null || true; rm -rf "$room"' EXIT

echo 'We pack, and start the service:'
npm run --silent twinspec -- pack --name @acme/zkt --out "$room/package"
tarball=$(cd "$room/package" && npm pack --silent --pack-destination "$room")
node scripts/start.mjs --port 0 >"$room/banner" 2>"$room/log" &
service=$!
for _ in $(seq 600); do
  address=$(grep -o -m1 'http://127\.0\.0\.1:[0-9]*' "$room/banner" || true)
  [ -z "$address" ] || break
  kill -0 "$service" 2>/dev/null || { cat "$room/log" >&2; exit 1; }
  sleep 0.1
done
[ -n "$address" ] || { echo 'The service did not start within a minute.' >&2; exit 1; }

echo "They install it, and paste the first snippet of its README ($address):"
mkdir "$room/app"
cd "$room/app"
seconds=$SECONDS
npm install --no-audit --no-fund --loglevel error "$room/$tarball"
awk '/^```ts$/ { inside = 1; next } inside && /^```$/ { exit } inside' node_modules/@acme/zkt/README.md >call.mjs
cat call.mjs
answer=$(RPC_SERVER="$address/zgt/try-it-out" node call.mjs)
seconds=$((SECONDS - seconds))
echo "It printed $answer after $seconds s."
[ "$answer" = 0x133edcb ] && [ "$seconds" -lt 60 ]
