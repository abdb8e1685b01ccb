#!/bin/sh
# Runs the commands of a section of docs/guide.md as they stand, runs with fewer seeds, and looks for what it says of them.
# Usage: check_tutorial.sh PROJECT REGRET WORK HEADING FOLDER      (FOLDER: where its commands write)
set -eu

project=$1
program=$2
work=$3
heading=$4
folder=$5
rm -rf "$work"
mkdir -p "$work/docs/examples"
cp -r "$project/docs/examples/tutorial" "$work/docs/examples/"
cd "$work"
awk -v heading="## $heading" '/^## / { inside = $0 == heading } inside' "$project/docs/guide.md" >page

regret() {
    "$program" "$@"
}

# The commands are the indented lines that begin with a word of these.
grep -E '^    (cp|sed|regret) ' page |
    sed 's/^    //; s/^regret run .*/& --seeds 8/' >commands
[ "$(wc -l <commands)" -ge 7 ] || {
    echo "docs/guide.md, \"$heading\", has only these commands:" >&2
    cat commands >&2
    exit 1
}
# shellcheck disable=SC1091 # made above
. ./commands >out 2>err || {
    echo "a command failed" >&2
    cat err >&2
    exit 1
}

said() {
    grep -qF "$1" out err || {
        echo "no command said: $1" >&2
        tail -n 30 out err >&2
        exit 1
    }
}
sed -n '/^    [0-9]* rows: /,/^$/p' page | sed 's/^    //; /^$/d' >guess
[ -s guess ] || {
    echo "docs/guide.md, \"$heading\", does not show what init says" >&2
    exit 1
}
while IFS= read -r line; do
    said "$line"
done <guess
said "(SYNTHETIC data)"
numbers() { # of a text, in one line, as the guide and the program both write them
    tr -s ' \n' '  ' | sed 's/\([^0-9]\)0\./\1./g; s/+//g'
}
cat out err | numbers >told
numbers <page | grep -oE '[-.0-9]+ \[[-.0-9]+, [-.0-9]+\]' >printed || true
while IFS= read -r interval; do
    grep -qF -e "$interval" told || {
        echo "docs/guide.md, \"$heading\", has $interval, and no command says so" >&2
        exit 1
    }
done <printed
for file in "$folder/pool/pool.json" "$folder/run/report/report.html"; do
    [ -s "$file" ] || {
        echo "no $file" >&2
        exit 1
    }
done
