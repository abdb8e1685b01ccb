#!/bin/sh
# The program under valgrind's memcheck: no invalid access, no use of what was never set, no memory
# that is definitely or possibly lost. It sees what the address sanitizer does not: reads of
# uninitialised memory, and all of this in OpenBLAS and cJSON, too.
# Usage: memcheck.sh VALGRIND REGRET SOURCE
set -eu

valgrind=${1:?usage: memcheck.sh VALGRIND REGRET SOURCE}
regret=${2:?usage: memcheck.sh VALGRIND REGRET SOURCE}
source=${3:?usage: memcheck.sh VALGRIND REGRET SOURCE}
command -v "$valgrind" >/dev/null 2>&1 || {
    echo "skipped: no $valgrind here" >&2
    exit 77
}
folder=$(mktemp -d /tmp/regret-memcheck-XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Or else main() starts the program over to set it, and out of valgrind's sight.
OPENBLAS_NUM_THREADS=1
export OPENBLAS_NUM_THREADS

# 99 is valgrind's own: an error of the program has another code, and fails just the same.
# No suppressions: OpenBLAS 0.3.21 is clean (its threads' memory is still reachable at the end).
check() {
    code=0
    "$valgrind" --error-exitcode=99 --leak-check=full \
        --errors-for-leak-kinds=definite,possible --show-leak-kinds=definite,possible \
        --log-file=log "$regret" "$@" >out 2>err || code=$?
    if [ $code -ne 0 ] || ! grep -q 'ERROR SUMMARY: 0 errors' log; then
        echo "regret $* ended with $code" >&2
        cat err log >&2
        exit 1
    fi
    echo "clean: regret $*" | cut -c 1-100
}

check run "$source/configs/smoke.json" -o run -j 2 -q --set seeds=1 --set n_obs=60 --set n_exp=30 \
    --set contexts.hard=12 --set features.buckets=128 --set sweep.beta=[1] \
    --set cv.folds=2 --set values.folds=2
check report run -o report
check compare run run
check cell "$source/configs/smoke.json" --set n_obs=40 --set n_exp=20 --set contexts.hard=12 \
    --set features.buckets=64 --set cv.folds=2 --set values.folds=2 -o cell
check rate estimate "$source/data/rate/rows.jsonl" --bootstrap 20 -t 2 --figures figures
check rate contrast "$source/data/rate/rows.jsonl" --between models,attributes,naive --figures figures
check rate samples "$source/data/rate/rows.jsonl"
check rate human "$source/data/rate/rows.jsonl" --human sim-base
check rate shift "$source/data/rate/rows.jsonl"
check rate typos "$source/data/rate/texts.jsonl" --export 20
check pool validate "$source/data/pools/newswire"
check pool synth newswire --articles 3 -o pool
check pool synth newswire-ceiling --articles 3 -o near
check pool stats pool
