#!/bin/sh
# Starts the golden test and tells it which rows and runs to look at. It prints both, so that they can be repeated.
# Usage: golden.sh TEST SOURCE-FOLDER
#   REGRET_SAMPLE        what settles the sample (tests/run.sh: the commit)
#   REGRET_FULL_GOLDEN   runs whose every seed is computed and every table compared, with commas between them; 1: all,
#                        0: none
#   REGRET_GOLDEN_ROWS   runs of which all committed rows are computed
# If neither is said, they are those whose numbers under reports/ were changed in the three and a half hours before the commit, or since: a
# sample that agrees speaks for a change of the program, but not for numbers that are new themselves. Of those that take
# long, together ten minutes, all rows, if these changed; their tables are for REGRET_FULL_GOLDEN, and the words say so. A configuration that
# changed and numbers that did not are a change of the program.
set -eu

test=$1
cd "$2"
slow=" main world world-grounded world-dr summeval alpacaeval swebench patches phase main-hard values values-row grounded "

changed() { # PATTERN: names of runs of which a file was changed, a line each
    REGRET_CHANGED_SECONDS=12600 sh tests/changed.sh reports | sed -n "s,^reports/\([^/]*\)/\($1\)\$,\1,p" | sort -u
}

full=${REGRET_FULL_GOLDEN:-} rows=${REGRET_GOLDEN_ROWS:-}
if [ -z "$full$rows" ]; then
    new_rows=" $(changed 'rows\.csv' | tr '\n' ' ')"
    for name in $(changed 'rows\.csv\|tables/.*'); do
        case $slow in
        *" $name "*)
            case $new_rows in *" $name "*) ;; *) continue ;; esac # new tables of old rows
            rows=${rows:+$rows,}$name
            echo "The rows of reports/$name changed; its tables are compared with REGRET_FULL_GOLDEN=$name"
            ;;
        *) full=${full:+$full,}$name ;;
        esac
    done
fi
echo "REGRET_SAMPLE=${REGRET_SAMPLE:-} REGRET_FULL_GOLDEN=$full REGRET_GOLDEN_ROWS=$rows"
export REGRET_FULL_GOLDEN="$full" REGRET_GOLDEN_ROWS="$rows"
exec "$test" --jobs 1
