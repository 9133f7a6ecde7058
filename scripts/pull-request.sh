#!/usr/bin/env bash
# Plays two pull requests on a scratch clone, by the Action's steps as they are written, and prints what a reviewer would see: one
# breaks callers and forgot to generate, one harms nobody. Ends with 0 where the first is held up and the second is not.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export TMPDIR="$room" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
for who in AUTHOR COMMITTER; do
  export "GIT_${who}_NAME=A team" "GIT_${who}_EMAIL=team@example.com" "GIT_${who}_DATE=2030-01-01T00:00:00Z"
done

# What stands here is the base branch of a repository of its own.
origin="$room/origin"
mkdir "$origin"
tar --exclude=node_modules --exclude=./.git --exclude=./dist -cf - . | tar -xf - -C "$origin"
cd "$origin"
git init --quiet --initial-branch=main
git add --all
git commit --quiet --message 'The base branch'
main=$(git rev-parse HEAD)
ln -s "$top/node_modules" node_modules

changed() {
  git diff --quiet -- "$1" && { echo "$1 is not as this script knows it: nothing was changed" >&2; exit 2; }
  return 0
}
# What could be left out cannot any more: who does is refused.
ask_for_the_block() {
  awk '{ print } /^    - name: block$/ && !done { print "      required: true"; done = 1 }' spec/methods/eth/state.yaml >"$room/edited"
  cat "$room/edited" >spec/methods/eth/state.yaml
  changed spec/methods/eth/state.yaml
}
# A property that may come with an answer: nobody has to look at it.
tell_the_place() {
  awk '{ print } /enum: \[pending\]$/ { print "    place:\n      description: How many are before it.\n      type: integer\n      minimum: 0" }' \
    spec/schemas/status.yaml >"$room/edited"
  cat "$room/edited" >spec/schemas/status.yaml
  changed spec/schemas/status.yaml
}
open_pull_request() {
  local number=$1 title=$2
  git commit --quiet --all --message "$title"
  head=$(git rev-parse HEAD)
  git checkout --quiet --detach main
  git merge --quiet --no-ff --message "Merge $head into $main" "$head"
  git update-ref "refs/pull/$number/merge" HEAD
}
# As actions/checkout does: one commit, and nothing before it.
play() {
  local number=$1 title=$2 checkout="$room/checkout-$1"
  shift 2
  git init --quiet "$checkout"
  git -C "$checkout" remote add origin "file://$origin"
  git -C "$checkout" fetch --quiet --no-tags --depth=1 origin "refs/pull/$number/merge"
  git -C "$checkout" checkout --quiet --detach FETCH_HEAD
  ln -s "$top/node_modules" "$checkout/node_modules"
  echo "PULL REQUEST $number: $title"
  (cd "$top" && node --import tsx -C twinspec-source test/handover/pull-request/play.ts "$checkout" "$main" "$head" "$@")
}

git checkout --quiet -b block-by-name
ask_for_the_block
tell_the_place
open_pull_request 1 'A balance is asked for at a block'
first=0
play 1 'A balance is asked for at a block' 'conform-start=node dist/src/cli/main.js mock spec/openapi.yaml --port 0' 'conform-wait=300' \
  'conform-key=a-key-to-try' 'conform-flags=--stateless --rate 0 --max-examples 1 --only getZktTransaction' || first=$?

git checkout --quiet -b place-in-the-queue main
tell_the_place
npm run --silent transpile
node dist/src/cli/main.js generate 2>/dev/null
open_pull_request 2 'A place in the queue'
second=0
play 2 'A place in the queue' 'checks=diff, lint, drift' || second=$?

[ "$first" -eq 1 ] && [ "$second" -eq 0 ]
