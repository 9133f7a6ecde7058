#!/usr/bin/env bash
# Says what came of all checks: the summary of the job, the text of a comment, the outputs, and one sentence.
set -euo pipefail

kept="$ROOM/kept"
MOST_SHOWN=10
MOST_BYTES=60000

# How many of a kind stand in files of ours.
number() {
  local kind=$1
  shift
  { cat "$@" 2>/dev/null || true; } | grep -c "^::$kind " || true
}
# What stands in a cell of a table, and is nothing but text there.
cell() { tr -d '\n' | sed -e 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/|/\&#124;/g; s/`/\&#96;/g; s/\[/\&#91;/g; s/@/\&#64;/g; s/\*/\&#42;/g; s/_/\&#95;/g'; }

errors=0 warnings=0 notes=0 failed='' unable='' rows=''
for check in $CHECKS; do
  found="$ROOM/$check.found"
  e=$(number error "$found") w=$(number warning "$found") n=$(number notice "$found")
  errors=$((errors + e)) warnings=$((warnings + w)) notes=$((notes + n))
  code=$(cat "$ROOM/$check.code" 2>/dev/null || echo none)
  said=$(cat "$ROOM/$check.said" 2>/dev/null | tail -n 1 | cell) || true
  case "$code" in
    0) mark='✅' said=${said:-nothing that has to be mended} ;;
    1) mark='❌' said=${said:-look at the errors} failed="$failed${failed:+, }$check" ;;
    none) mark='❌' said='did not come to its end' unable="$unable${unable:+, }$check" ;;
    *) mark='❌' unable="$unable${unable:+, }$check" ;;
  esac
  rows="$rows| $mark $check | $e | $w | $n | $said |
"
done

breaking='' bump='' heading='nothing was compared'
if [ "$(cat "$ROOM/diff.code" 2>/dev/null)" = 2 ]; then
  heading='the changes could not be told'
elif [ -e "$kept/changelog.md" ]; then
  breaking=false bump=none heading='nobody is broken'
  [ "$(number error "$ROOM/diff.found")" -eq 0 ] || { breaking=true heading='this breaks callers or readers'; }
  asked=$(sed -n 's/^This requires a \*\*\([a-z]*\)\*\* version\.$/\1/p' "$kept/changelog.md" | tail -n 1)
  [ -z "$asked" ] || bump=$asked
fi

{
  echo "<!-- twinspec: $TITLE -->"
  echo "## $TITLE: $heading"
  echo
  echo '| | errors | warnings | notes | |'
  echo '| --- | --: | --: | --: | --- |'
  printf '%s\n' "$rows"
  if [ -s "$kept/changelog.md" ]; then sed 's/^##/###/' "$kept/changelog.md"; fi
  if [ -s "$kept/compatibility.md" ]; then printf '\n### Clients of older versions\n\n'; cat "$kept/compatibility.md"; fi
} >"$ROOM/comment"

# A comment holds 65 536 characters.
{
  if [ "$(wc -c <"$ROOM/comment")" -le "$MOST_BYTES" ]; then
    cat "$ROOM/comment"
  else
    head -c "$MOST_BYTES" "$ROOM/comment" | sed '$d'
    echo
    echo "… and more than a comment holds: the whole of it is in the artefact${ARTIFACT:+ $ARTIFACT}."
  fi
} >"$kept/comment.md"

# What GitHub does not show beside the lines.
{
  for kind in error warning notice; do
    found=$(number "$kind" "$ROOM"/*.found)
    shown=$(number "$kind" "$ROOM"/*.shown)
    [ "$shown" -le "$MOST_SHOWN" ] || shown=$MOST_SHOWN
    [ "$found" -le "$shown" ] || echo "$((found - shown)) of $found ${kind}s"
  done
} | paste -sd, - | sed 's/,/, /g' >"$ROOM/unshown"

{
  cat "$kept/comment.md"
  echo
  [ -z "$LEFT_OUT" ] || printf 'Left out: %s.\n\n' "$LEFT_OUT"
  [ ! -s "$ROOM/unshown" ] || printf 'Not shown beside their lines: %s. They stand below.\n\n' "$(cat "$ROOM/unshown")"
  echo '<details><summary>All findings</summary>'
  echo
  echo '```'
  for check in $CHECKS; do
    [ ! -e "$ROOM/$check.found" ] || sed -E \
      -e 's/^::(error|warning|notice) (file=([^,]*),line=([0-9]+),col=([0-9]+),)?title=([^:]*)::(.*)$/\3:\4:\5 \1 \7 \6/' \
      -e 's/^::: /– /' -e 's/%0A/ · /g' -e 's/%0D//g' -e 's/%3A/:/g' -e 's/%2C/,/g' -e 's/%25/%/g' "$ROOM/$check.found"
  done | head -c 500000 || true
  echo '```'
  echo
  echo '</details>'
} >"$kept/summary.md"
cat "$kept/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"

report=''
[ ! -e "$kept/conform.html" ] || report="$kept/conform.html"
verdict="$TITLE: $errors errors, $warnings warnings, $notes notes"
[ -z "$failed" ] || verdict="$verdict; found wanting by $failed"
[ -z "$unable" ] || verdict="$verdict; could not be asked: $unable"
end=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
{
  echo "verdict=$verdict"
  if [ -n "$failed$unable" ]; then echo 'failed=true'; else echo 'failed=false'; fi
  echo "breaking=$breaking"
  echo "bump=$bump"
  echo "errors=$errors"
  echo "warnings=$warnings"
  echo "notes=$notes"
  echo "changelog-path=$kept/comment.md"
  echo "report-path=$report"
  echo "changelog<<$end"
  cat "$kept/comment.md"
  echo "$end"
} >>"$GITHUB_OUTPUT"
