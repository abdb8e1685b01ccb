#!/bin/sh
# Prints the files below the given folders that were changed in the day before the commit, or since; deleted ones not. What nobody touched for a day has been held whole before. Fails where git cannot tell: in an export, a shallow clone.
# Usage: tests/changed.sh FOLDER...
set -eu

cd "$(dirname "$0")/.."
[ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ] || exit 1
day=$(($(git log -1 --format=%ct) - 86400))
{
    git log --since="$day" --format= --name-only --diff-filter=d -- "$@"
    git diff HEAD --name-only --diff-filter=d -- "$@"
} | sort -u
