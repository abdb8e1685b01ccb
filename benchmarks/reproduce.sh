#!/bin/sh
# Builds regret and runs the main job on the embedded pool. Run again, it goes on where an
# interrupted run stopped, and only shows the report when all is done.
# Usage: benchmarks/reproduce.sh [CONFIG] [regret run options]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
echo "Building (the log is build/release/build.log) ..." >&2
sh "$root/cmake/prepare.sh" release
cd "$root"

config=configs/main.json
case ${1:-} in
*.json)
    config=$1
    shift
    ;;
esac
run=runs/$(basename "$config" .json)
build/release/regret run "$config" -o "$run" --resume "$@" >/dev/null
build/release/regret report "$run" --table summary
echo
echo "The whole report: $run/report/report.md, and report.html beside it for a browser"
