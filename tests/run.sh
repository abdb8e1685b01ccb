#!/bin/sh
# Builds regret and runs every test. In CI (CI=true) a test that is skipped without a reason in
# tests/skips.txt is a failure.
# Usage: tests/run.sh [--preset dev|asan|tsan|coverage|release] [ctest options]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
preset=dev
if [ "${1:-}" = --preset ]; then
    preset=${2:?--preset wants dev, asan, tsan, coverage or release}
    shift 2
fi
echo "Building (the log is build/$preset/build.log) ..." >&2
# What the tests compare with or run under: NumPy, pandas, SciPy, scikit-learn, the formatter, valgrind, git, patch,
# Chromium with a font, and a reader of man pages.
sh "$root/cmake/prepare.sh" "$preset" python3-numpy python3-pandas python3-scipy python3-sklearn clang-format-14 \
    valgrind git patch chromium poppler-utils fonts-liberation mandoc
cd "$root"
# Criterion does not fail on a leak unless the sanitizer aborts.
ASAN_OPTIONS=${ASAN_OPTIONS:-abort_on_error=1:detect_leaks=1}
# Criterion counts a skipped test as passed and names it only when it is verbose.
CRITERION_VERBOSITY_LEVEL=${CRITERION_VERBOSITY_LEVEL:-1}
# Golden rows and injected faults are sampled; which ones, the commit settles.
REGRET_SAMPLE=${REGRET_SAMPLE:-$(git rev-parse --short=10 HEAD 2>/dev/null || echo none)}
echo "The samples of this commit: REGRET_SAMPLE=$REGRET_SAMPLE" >&2
export ASAN_OPTIONS CRITERION_VERBOSITY_LEVEL REGRET_SAMPLE
# One more than there are processors: some tests wait, for a pipe into which nobody writes or for a browser.
ctest --preset "$preset" --parallel "$(($(nproc 2>/dev/null || echo 2) + 1))" --output-junit tests.xml "$@"

# "NAME: WHY" of every test that was skipped: by Criterion within a program, or the whole program.
skipped() {
    sed -n 's/^\[SKIP\] *//p' "build/$preset/Testing/Temporary/LastTest.log" |
        grep -v ': Test is disabled$' || true
    sed -n 's/.*<testcase name="\([^"]*\)".* status="notrun".*/\1: see its output/p' \
        "build/$preset/tests.xml"
}

unexplained=
skips=$(skipped)
if [ -n "$skips" ]; then
    echo "Skipped:" >&2
    while IFS= read -r line; do
        reason=$(sed -n "s/^${line%%: *}  *//p" tests/skips.txt)
        echo "  ${line%%: *} (${reason:-NO REASON in tests/skips.txt; ${line#*: }})" >&2
        [ -n "$reason" ] || unexplained=1
    done <<END
$skips
END
fi
if [ "${CI:-}" = true ] && [ -n "$unexplained" ]; then
    echo "In CI every test runs that can." >&2
    exit 1
fi
