#!/bin/sh
# Runs clang-tidy over the sources that were changed in the three and a half hours before the commit (changed.sh; of more than 12 over as many), and over an eighth of
# those that were in the day before it, or include a header that was, which the commit settles (REGRET_SAMPLE): an earlier commit
# held them. REGRET_FULL=1: over all, as `cmake --build build/dev --target tidy` does. The dev build must be there: what a
# source includes is taken from its record.
# Usage: tests/lint.sh
set -eu

cd "$(dirname "$0")/.."
if [ "${REGRET_FULL:-}" = 1 ] || ! changed=$(sh tests/changed.sh src include .clang-tidy) ||
    printf '%s\n' "$changed" | grep -q clang-tidy; then
    exec cmake --build build/dev --target tidy
fi
# Paths in the record may be absolute or begin at the folder of the build; the record may be of an older tree.
reading() { # CHANGED: the sources that are among these or include one
    find build/dev/src -name '*.c.o.d' -exec cat {} + | awk -v changed="$1" '
        BEGIN { n = split(changed, names, "\n"); for (i = 1; i <= n; i++) touched[names[i]] = 1 }
        /^[^ ]*:/ { source = "" }
        {
            for (i = 1; i <= NF; i++) {
                sub(/^.*\/src\//, "src/", $i)
                sub(/^.*\/include\/regret\//, "include/regret/", $i)
                if ($i ~ /\.c$/ && source == "") source = $i
                if ($i in touched) chosen[source] = 1
            }
        }
        END { for (file in chosen) if (file ~ /^src\//) print file }' | sort -u
}
there() { # a source may have had another name for a while
    while read -r file; do [ ! -e "$file" ] || echo "$file"; done
}
sample=${REGRET_SAMPLE:-$(git rev-parse --short=10 HEAD)}
numbered() {
    while read -r file; do
        printf '%s %s\n' "$(printf '%s%s' "$file" "$sample" | cksum | cut -d ' ' -f 1)" "$file"
    done
}
files=$({
    reading "$changed" | numbered | awk '$1 % 8 == 0 { print $2 }' | head -n 4
    REGRET_CHANGED_SECONDS=12600 sh tests/changed.sh src | grep '\.c$' | numbered | sort -n | head -n 12 | cut -d ' ' -f 2
} | there | sort -u)
[ -n "$files" ] || { echo "No source was changed."; exit 0; }
echo "$(printf '%s\n' "$files" | wc -l) sources"
printf '%s\n' "$files" | xargs -P "$(nproc 2>/dev/null || echo 2)" -n 8 clang-tidy-14 --quiet -p build/dev
