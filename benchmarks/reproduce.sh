#!/bin/sh
# Builds regret and runs the main job on the embedded pool. Run again, it goes on where an
# interrupted run stopped, and only shows the summary when all is done.
set -eu

usage() {
    cat <<'TEXT'
Usage: benchmarks/reproduce.sh [CONFIG] [options of 'regret run']

Builds regret (build/release), runs CONFIG (default configs/main.json), going on where an interrupted
run stopped, prints the table "summary" and ends with the path of the whole report.

  benchmarks/reproduce.sh
  benchmarks/reproduce.sh configs/smoke.json
  benchmarks/reproduce.sh --seeds 5 --set sweep.beta=[0,1] -o runs/few

'regret run --help' lists the options; the run folder is runs/NAME of the configuration without -o.
TEXT
}

root=$(cd "$(dirname "$0")/.." && pwd)
base=$root/
[ "$(pwd -P)" != "$(cd "$root" && pwd -P)" ] || base=

config=
run=
resume=--resume
count=$#
while [ "$count" -gt 0 ]; do # every word goes to the back, but for the configuration and the folder
    word=$1
    shift
    count=$((count - 1))
    case $word in
    -h | --help)
        usage
        exit 0
        ;;
    -o | --output)
        [ "$count" -gt 0 ] || {
            echo "reproduce.sh: $word wants a folder" >&2
            exit 2
        }
        run=$1
        shift
        count=$((count - 1))
        ;;
    -o?*) run=${word#-o} ;;
    --output=*) run=${word#--output=} ;;
    -s | --set | --seeds | -j | --threads | --shard)
        set -- "$@" "$word"
        if [ "$count" -gt 0 ]; then
            value=$1
            shift
            count=$((count - 1))
            set -- "$@" "$value"
        fi
        ;;
    --resume) ;;
    --force)
        resume=--force
        ;;
    -*) set -- "$@" "$word" ;;
    *)
        if [ -n "$config" ]; then
            echo "reproduce.sh: one argument too many: $word" >&2
            exit 2
        fi
        config=$word
        ;;
    esac
done
config=${config:-${base}configs/main.json}
run=${run:-${base}runs/$(basename "$config" .json)}

echo "Building (the log is build/release/build.log) ..." >&2
sh "$root/cmake/prepare.sh" release
regret=${base:-./}build/release/regret
"$regret" run "$config" -o "$run" "$resume" "$@" >/dev/null
"$regret" report "$run" --table summary
if [ -f "$run/report/report.md" ]; then
    echo
    echo "The whole report: $run/report/report.md, and report.html beside it for a browser"
fi
