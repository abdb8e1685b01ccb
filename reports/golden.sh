#!/bin/sh
# Makes the golden tables under reports/ anew: the whole report of every configuration, and the rows
# of its first two seeds (rows.csv; of the controlled world those with β = 1), which the tests
# compare. Data that is not there is left out.
# Usage: reports/golden.sh [NAME...]
#   REGRET_SHARED_DATA  the folder that holds summeval/ (default ../shared/data)
set -eu

cd "$(dirname "$0")/.."
sh cmake/prepare.sh release
regret=build/release/regret
shared=${REGRET_SHARED_DATA:-../shared/data}
work=runs/golden
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

golden() { # NAME [regret run options]
    name=$1
    shift
    $regret run "configs/$name.json" -o "$work/$name" --no-report "$@"
    $regret report "$work/$name" -o "$work/$name-report"
    part=
    [ "$name" != world ] || part="--set beta=1"
    # shellcheck disable=SC2086
    $regret run "configs/$name.json" -o "$work/$name-rows" --seeds 2 $part --quiet "$@" >/dev/null
    rm -rf "reports/$name"
    mkdir -p "reports/$name/tables"
    cp "$work/$name-report/report.md" "$work/$name-report/config.json" "reports/$name/"
    cp "$work/$name-report/tables/"*.csv "reports/$name/tables/"
    cp "$work/$name-rows/report/results.csv" "reports/$name/rows.csv"
}

[ $# -gt 0 ] || set -- main map24 values grounded world world-dr summeval
for name in "$@"; do
    case $name in
    summeval)
        if [ ! -r "$shared/summeval/summeval.json" ]; then
            echo "no $shared/summeval/summeval.json: reports/summeval is left as it is" >&2
            continue
        fi
        $regret import summeval "$shared/summeval/summeval.json" -o "$work/pool"
        golden summeval --set pool="$work/pool"
        ;;
    *) golden "$name" ;;
    esac
done
