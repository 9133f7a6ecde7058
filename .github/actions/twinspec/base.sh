#!/usr/bin/env bash
# Prints the commit to compare with, which is fetched where a shallow checkout left it behind; or says why there is none.
set -euo pipefail

is_here() { git rev-parse --verify --quiet "$1^{commit}" >/dev/null; }

# A checkout of one commit has no others: neither branches nor parents.
fetched() {
  local name=$1
  is_here "$name" && git rev-parse "$name^{commit}" && return
  is_here "origin/$name" && git rev-parse "origin/$name^{commit}" && return
  git fetch --quiet --no-tags --depth=1 origin "$name" 2>/dev/null && git rev-parse 'FETCH_HEAD^{commit}'
}

git rev-parse --git-dir >/dev/null 2>&1 || { echo 'this is no git repository: check it out first (actions/checkout)' >&2; exit 1; }

if [ -n "$BASE" ]; then
  wanted=$BASE
else
  wanted=$BASE_SHA
  # GitHub checks out the merge of a pull request, whose first parent is exactly what it would be merged into.
  parents=$(git cat-file commit HEAD | sed -n '/^$/q; s/^parent //p')
  if [ "$(echo "$parents" | wc -l)" -eq 2 ] && [ "$(echo "$parents" | tail -n 1)" = "$HEAD_SHA" ]; then
    wanted=$(echo "$parents" | head -n 1)
  fi
fi
case "$wanted" in '' | -*) echo 'there is no base to compare with' >&2; exit 1 ;; esac

commit=$(fetched "$wanted") || {
  echo "git neither knows $wanted nor could fetch it: give actions/checkout fetch-depth: 0, and leave its credentials in place" >&2
  exit 1
}
# Where the branch itself is checked out, what others did to the base meanwhile is none of its changes.
shared=$(git merge-base HEAD "$commit" 2>/dev/null) || shared=$commit
git rev-parse --short=10 "$shared"
