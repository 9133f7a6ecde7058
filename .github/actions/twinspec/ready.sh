#!/usr/bin/env bash
# What the other steps need: a folder of their own, the command that runs twinspec, the flags that name the documents, which
# checks can be asked, and the commit to compare with.
set -euo pipefail

refuse() {
  echo "::error title=twinspec::$1"
  exit 1
}

case "$ANNOTATE" in
  error) kinds='error' ;;
  warning) kinds='error|warning' ;;
  note) kinds='error|warning|notice' ;;
  *) refuse 'annotate must be error, warning or note' ;;
esac

room=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/twinspec-XXXXXX")
mkdir "$room/kept"
echo "$kinds" >"$room/annotate"

for flag in openapi openrpc arazzo allow-outside; do
  name=$(echo "$flag" | tr '[:lower:]-' '[:upper:]_')
  [ -z "${!name}" ] || printf '%s\n' "--$flag" "${!name}"
done >"$room/documents"

case "$VERSION" in
  installed)
    # What npx would find, a second sooner each time.
    folder=$PWD
    while [ ! -x "$folder/node_modules/.bin/twinspec" ] && [ "$folder" != / ]; do folder=$(dirname "$folder"); done
    words=("$folder/node_modules/.bin/twinspec")
    ;;
  checkout)
    sources=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
    [ -e "$sources/node_modules" ] || npm ci --prefix "$sources" --ignore-scripts --no-audit --no-fund >&2
    npm run --silent --prefix "$sources" transpile >&2
    words=(node "$sources/dist/src/cli/main.js")
    ;;
  *[!A-Za-z0-9.+-]* | -* | '') refuse 'version must be installed, checkout, or a version that npm knows, such as 1.2.0' ;;
  *) words=(npx --yes "twinspec@$VERSION") ;;
esac
printf '%s\n' "${words[@]}" >"$room/command"
"${words[@]}" --version >"$room/version" 2>"$room/said" || {
  sed 's/^/  /' "$room/said" >&2
  refuse "twinspec does not run (version: $VERSION): install it before this step (npm ci), or give the Action a version, such as 1.2.0"
}

checks='' left_out=''
leave_out() { left_out="$left_out${left_out:+; }$1"; }
for check in $(echo "$CHECKS" | tr ',' ' '); do
  case "$check" in
    lint | drift) checks="$checks $check" ;;
    diff)
      if base=$(bash "$GITHUB_ACTION_PATH/base.sh" 2>"$room/said"); then
        checks="$checks diff"
        echo "base=$base" >>"$GITHUB_OUTPUT"
      elif [ -z "$BASE$BASE_SHA" ]; then
        leave_out 'diff, since this is no pull request and no base was named'
      else
        checks="$checks diff"
        cp "$room/said" "$room/diff.refused"
      fi
      ;;
    conform)
      if [ -n "$CONFORM" ]; then checks="$checks conform"; else leave_out 'conform, since no server was named'; fi
      ;;
    *) refuse "there is no check called $(printf %q "$check"): there are diff, lint, drift and conform" ;;
  esac
done
[ -z "${COMPATIBILITY:-}" ] || checks="$checks compatibility"
[ -n "$checks$left_out" ] || refuse 'checks names none: there are diff, lint, drift and conform'
[ -z "$left_out" ] || echo "Left out: $left_out."
{
  echo "room=$room"
  echo "checks=$checks"
  echo "left-out=$left_out"
} >>"$GITHUB_OUTPUT"
