#!/bin/sh
# Fuzzes: builds the preset `fuzz` and runs its targets, as many at once as there are processors.
# Usage: tests/fuzz/run.sh [SECONDS [TARGET...]]   60 seconds a target and all if not said
#   RUNS=N in the environment ends a target after N executions, too. With SECONDS 0 only the seeds are
#   run, once each: other compilers' sanitizers may pass what clang's do not.
# A crash, a broken property, a leak, 25 seconds or 2 GiB for one input fail; the input is then in
# build/fuzz/findings/. What was learnt stays in build/fuzz/corpus/ and is built upon next time.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"

# The longest input, in bytes: short ones say as much in less time. Longer seeds are cut here; the other
# presets feed them whole.
longest() {
    case $1 in
    csv) echo 120 ;;
    json | scan) echo 160 ;;
    diff | summeval) echo 460 ;;
    config | init | table) echo 500 ;;
    log) echo 600 ;;
    archive | pool | rate | votes) echo 700 ;;
    alpacaeval | swebench | lm_eval) echo 850 ;;
    flat | logs) echo 900 ;;
    results) echo 2400 ;;
    model) echo 5200 ;;
    esac
}

# No stacks of allocations are kept, and little of what was freed: unwinding and fresh pages would take
# more time than the targets. A finding is run again without these to see the stacks.
export ASAN_OPTIONS="malloc_context_size=0:quarantine_size_mb=8:thread_local_quarantine_size_kb=64:\
max_malloc_fill_size=64:check_printf=0:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

one_target() {
    target=$1 seconds=$2 seeds=$1
    [ "$target" != scan ] || seeds=json
    mkdir -p "build/fuzz/corpus/$target" build/fuzz/findings build/fuzz/logs
    # Scratch files belong into memory; a folder of our own goes away after a crash, too.
    scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/fuzz-XXXXXX")
    trap 'rm -rf "$scratch"' EXIT INT TERM
    log=build/fuzz/logs/$target.log
    grep "^$seeds " tests/fuzz/words | grep -oE '"([^"\\]|\\.)*"' >"build/fuzz/logs/$target.dict"
    status=0
    runs=${RUNS:--1}
    [ "$seconds" -gt 0 ] || runs=0
    TMPDIR=$scratch OPENBLAS_NUM_THREADS=1 "build/fuzz/tests/fuzz/fuzz-$target" \
        "build/fuzz/corpus/$target" "tests/fuzz/corpus/$seeds" \
        "-max_total_time=$seconds" "-runs=$runs" "-max_len=$(longest "$target")" \
        "-dict=build/fuzz/logs/$target.dict" "-artifact_prefix=build/fuzz/findings/$target-" \
        -entropic=0 -reload=0 -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 >"$log" 2>&1 ||
        status=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ "$status" -eq 0 ] && [ "${executions:-0}" -gt 0 ]; then
        echo "passed  $target: $executions executions"
    else
        echo "FAILED  $target: ${executions:-?} executions, exit $status; the end of $log:"
        tail -n 30 "$log"
    fi
}

if [ "${1:-}" = --one ]; then
    one_target "$2" "$3"
    exit 0
fi

works() {
    printf 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n);\n%s\n' \
        'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n > 0; }' |
        clang -x c - -fsanitize=fuzzer,address,undefined -o /dev/null >/dev/null 2>&1
}

install_clang() {
    command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] || return 0
    echo "Installing: clang and its runtimes" >&2
    apt-get update -q >&2 || return 0
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends clang >&2 ||
        return 0
    major=$(clang -dumpversion | cut -d. -f1)
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        "libclang-rt-$major-dev" >&2 || return 0
}

seconds=${1:-60}
[ $# -eq 0 ] || shift
targets=${*:-json scan csv diff config pool results table init log votes summeval alpacaeval swebench lm_eval logs flat archive model rate}

works || install_clang
if ! works; then
    echo "Skipped: fuzzing needs clang with libFuzzer (Debian: clang libclang-rt-14-dev), and there" \
        "is no root to install them."
    echo "0 passed, 0 failed"
    exit 0
fi
echo "Building (the log is build/fuzz/build.log) ..." >&2
sh cmake/prepare.sh fuzz
jobs=$(nproc 2>/dev/null || echo 2)
results=$(mktemp)
trap 'rm -f "$results"' EXIT
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $targets | xargs -P "$jobs" -I TARGET sh "$0" --one TARGET "$seconds" | tee "$results"
passed=$(grep -c '^passed ' "$results" || true)
failed=$(grep -c '^FAILED ' "$results" || true)
# shellcheck disable=SC2086 # a list of words
wanted=$(printf '%s\n' $targets | wc -l)
echo "$passed passed, $failed failed"
[ "$passed" -eq "$wanted" ] && [ "$failed" -eq 0 ]
