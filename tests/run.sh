#!/bin/sh
# Builds regret and runs every test.
# Usage: tests/run.sh [--preset dev|asan|tsan|coverage|release] [ctest options]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
preset=dev
if [ "${1:-}" = --preset ]; then
    preset=${2:?--preset wants dev, asan, tsan, coverage or release}
    shift 2
fi
echo "Building (the log is build/$preset/build.log) ..." >&2
sh "$root/cmake/prepare.sh" "$preset"
cd "$root"
# Criterion does not fail on a leak unless the sanitizer aborts.
ASAN_OPTIONS=${ASAN_OPTIONS:-abort_on_error=1:detect_leaks=1}
export ASAN_OPTIONS
exec ctest --preset "$preset" --parallel "$(nproc 2>/dev/null || echo 2)" "$@"
