#!/bin/sh
# Makes the golden tables under reports/ anew: the whole report of every configuration, and the rows
# of its first two seeds (rows.csv), which the tests compare. Those that have a table in the paper are held against it, the paper's findings against all of them
# together (claims.md, when all are made), and paper.md is made anew. Data that is not there is left out.
# Usage: reports/golden.sh [NAME...]
#   PYTHON              one with NumPy (default python3)
#   REGRET_SHARED_DATA  the folder that holds summeval/, alpacaeval/ and swebench/ (default ../shared/data)
set -eu

cd "$(dirname "$0")/.."
sh cmake/prepare.sh release
regret=build/release/regret
python=${PYTHON:-python3} # with NumPy
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
    mkdir -p "$work/rows" # records say the run's name
    $regret run "configs/$name.json" -o "$work/rows/$name" --quiet "$@" --seeds 2 >/dev/null
    rm -rf "reports/$name"
    mkdir -p "reports/$name/tables"
    cp "$work/$name-report/report.md" "$work/$name-report/config.json" "reports/$name/"
    cp "$work/$name-report/tables/"*.csv "reports/$name/tables/"
    mkdir -p "reports/$name/figures"
    for figure in regret regret-beta winners phase; do # not every run has all
        [ ! -e "$work/$name-report/figures/$figure.svg" ] ||
            cp "$work/$name-report/figures/$figure.svg" "reports/$name/figures/"
    done
    cp "$work/rows/$name/report/results.csv" "reports/$name/rows.csv"
    case $name in summeval | alpacaeval | values-row | world-grounded | world-dr | phase) return ;; esac # not in the paper
    $python benchmarks/paper.py against "$work/$name" >"reports/$name/against.md"
}

there() { # FILE: 0 when it can be read
    [ -r "$1" ] || {
        echo "no $1: reports/$name is left as it is" >&2
        return 1
    }
}

[ $# -gt 0 ] || set -- main main-hard map24 values values-row grounded patches patches-axes world world-grounded \
    world-dr phase summeval alpacaeval swebench
for name in "$@"; do
    case $name in
    summeval)
        there "$shared/summeval/summeval.json" || continue
        $regret import summeval "$shared/summeval/summeval.json" -o "$work/summeval-pool"
        golden summeval --set pool="$work/summeval-pool"
        ;;
    alpacaeval)
        there "$shared/alpacaeval/results/NullModel" || continue
        $regret import alpacaeval "$shared/alpacaeval/results" -o "$work/alpacaeval-pool"
        golden alpacaeval --set pool="$work/alpacaeval-pool" \
            --set title="AlpacaEval, a sample of 20 models and 240 instructions" --seeds 5
        ;;
    swebench)
        there "$shared/swebench/all_patches.csv" || continue
        $regret import swebench "$shared/swebench/all_patches.csv" \
            --issues "$shared/swebench/swebench_issues.jsonl" -o "$work/swebench-pool"
        golden swebench --set pool="$work/swebench-pool"
        ;;
    patches-axes) $regret run "configs/$name.json" -o "$work/$name" --no-report ;; # for its findings alone
    *) golden "$name" ;;
    esac
done

# The findings over the runs of the paper's views; of fewer than all of them the page would say less than it did.
claims() {
    runs=
    for name in main values grounded map24 world world-dr patches patches-axes swebench; do
        [ -d "$work/$name" ] || {
            echo "no run $name here: reports/claims.md is left as it is" >&2
            return 0
        }
        runs="$runs $work/$name"
    done
    # shellcheck disable=SC2086 # one word a run
    $python benchmarks/paper.py findings $runs >"$work/claims.md"
    mv "$work/claims.md" reports/claims.md
}
claims
sh reports/paper.sh
