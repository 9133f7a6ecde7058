# Read by the steps that ask twinspec something.
#   judge NAME COMMAND FLAG…   runs it, annotates what it finds, and keeps in $ROOM what it printed and its exit code. It ends
#                              with 0 whatever was found: the steps after it are to run too, and the last one fails the job.
set -euo pipefail

twinspec=()
while IFS= read -r word; do twinspec+=("$word"); done <"$ROOM/command"
documents=()
while IFS= read -r word; do documents+=("$word"); done <"$ROOM/documents"

judge() {
  local name=$1 code=0
  shift
  "${twinspec[@]}" "$@" ${documents[@]+"${documents[@]}"} >"$ROOM/$name.printed" 2>"$ROOM/$name.said" || code=$?
  # What generate says of the documents themselves, lint has said already.
  if [ "$name" = drift ]; then
    grep -E '^::error ' "$ROOM/drift.printed" >"$ROOM/drift.found" || true
  else
    grep -E '^::(error|warning|notice) ' "$ROOM/$name.printed" >"$ROOM/$name.found" || true
  fi
  { grep -E "^::($(cat "$ROOM/annotate")) " "$ROOM/$name.found" || true; } >"$ROOM/$name.shown"
  cat "$ROOM/$name.shown"
  say <"$ROOM/$name.said"
  # A fault of no line in particular would stand in the log alone.
  if [ "$code" -gt 1 ] && ! grep -q '^::error ' "$ROOM/$name.found"; then annotate_sentence "$name"; fi
  echo "$code" >"$ROOM/$name.code"
}

annotate_sentence() {
  echo "::error title=twinspec $1::$(tail -n 1 "$ROOM/$1.said" | sed 's/%/%25/g' | tr -d '\r')"
}

# Nothing that a document or a server put into a line is to be taken for a command of the workflow.
say() {
  local token
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$token"
  cat
  echo "::$token::"
}

# Where the command could not even be asked: the sentence stands in the place of what it would have said.
could_not() {
  echo "$2" >"$ROOM/$1.said"
  : >"$ROOM/$1.found"
  : >"$ROOM/$1.shown"
  echo 2 >"$ROOM/$1.code"
  annotate_sentence "$1"
}
