#!/bin/sh
# Applies every diff of docs/extending.md to a copy of the tree, puts the importer of docs/guide.md there, builds the program there, and sees each
# part at work: the family, the table and the finding in a report and in results.csv, and the importer. A
# program that knows none of them must report that run alike.
# usage: check_extending.sh SOURCE OBJECTS WORK PROGRAM [CMAKE OPTION...]     OBJECTS: the folder of the program's build
set -eu

source=$1
objects=$2
work=$3
program=$4
shift 4

fail() {
    echo "$1" >&2
    exit 1
}

# expect FILE PATTERN: a line of the file has it.
expect() {
    grep -q -e "$2" "$1" || fail "$1 has no line with: $2"
}

command -v patch >/dev/null || {
    echo "skipped: no patch here"
    exit 0
}

rm -rf "$work"
mkdir -p "$work/tree/data"
(cd "$source" && cp -Rp CMakeLists.txt LICENSE benchmarks cmake configs include src "$work/tree" && cp -Rp data/import data/paper data/report data/synth "$work/tree/data")
awk '/^```diff$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/extending.md" \
    >"$work/examples.diff"

# Only what the diffs touch is compiled: objects come from the program's build, with what they depend on, and are made older
# than the diffs. Where that does not fit the whole is compiled.
build=$work/tree/build/dev
cmake -S "$work/tree" -B "$build" -DREGRET_TESTS=OFF -DREGRET_BENCHMARKS=OFF "$@" >"$work/configure.log" 2>&1 ||
    fail "$(cat "$work/configure.log")"
(cd "$objects" && find src -name '*.o' -o -name '*.o.d') >"$work/objects"
(cd "$objects" && tar -cf - -T "$work/objects") | tar -xf - -C "$build"
find "$build/src" -name '*.o.d' -exec sed -i "s|$objects/|@objects/|g; s|$source/|$work/tree/|g; s|@objects/|$build/|g" {} +
(cd "$build" && find src -name build.make | while read -r rules; do
    make -s -f "$rules" "$(dirname "$rules")/depend" 2>/dev/null || true # reads what objects depend on
done) >/dev/null
sleep 1
find "$build/src" -name '*.o' -exec touch {} +
sleep 1
(cd "$work/tree" && patch -p1 --no-backup-if-mismatch <"$work/examples.diff") >"$work/patch.log" ||
    fail "the diffs of docs/extending.md do not apply: $(cat "$work/patch.log")"
awk '/^```sql$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/guide.md" >"$work/tree/data/import/votes.sql"
cmake --build "$build" --parallel 2 --target regret_cli >"$work/build.log" 2>&1 ||
    fail "$(tail -n 40 "$work/build.log")"
if command -v python3 >/dev/null; then
    python3 "$work/tree/data/paper/check.py" >"$work/paper.log" 2>&1 || fail "$(cat "$work/paper.log")"
fi
sed -n 's|^+++ b/\(src/.*\.c\)$|\1|p' "$work/examples.diff" | while read -r file; do
    ! grep -F "$file" "$work/build.log" | grep 'warning:' >&2 || exit 1
done || fail "the examples compile with warnings"

cd "$work"
extended=$build/regret
cat >config.json <<'END'
{"pool": "synth:newswire", "synth": {"articles": 20}, "contexts.hard": 0, "seeds": 2,
 "features.buckets": 1024, "proxy.kind": "tfidf-svd",
 "families": ["exp-only", "obs-only", "cvci", "pooled"], "pooled.lambda": 0.25,
 "sweep": {"reward.map": ["smooth", "sharpened"], "beta": [0, 1], "n_obs": [150, 200], "n_exp": [40, 60]}}
END
"$extended" run config.json -o run -q >run.log 2>&1 || fail "$(cat run.log)"

# The family: its key, its rows, its column, its place in the tables and in run.json.
"$extended" config >keys
expect keys '^pooled\.lambda  *OBS pooling weight$'
expect run/report/results.csv '^0,0,family,pooled,smooth,0,150,40,.*,0\.25,'
expect run/report/report.md '^| pooled | '
expect run/run.json '"family":"pooled",.*"key":"pooled\.lambda"'
# The table.
expect run/report/report.md '^\* \[surface\](tables/surface\.csv): How well the families predict'
expect run/report/report.html '<section id="surface">'
"$extended" report run --table surface --format md >surface.md
expect surface.md '^| pooled | '
# The finding.
if python3 -c 'import numpy' 2>/dev/null; then
    python3 "$work/tree/benchmarks/paper.py" findings run >findings.md
    expect findings.md 'exp-only puts the agents in better order as n_exp grows'
fi
# A program without them.
for table in summary beta budget tuning; do
    "$extended" report run --table "$table" >with.md
    "$program" report run --table "$table" >without.md
    cmp with.md without.md || fail "another program reports $table otherwise"
done
# The importer, by its name, by what it recognises, and as a script of one's own in a program that does not know it.
cat >votes.jsonl <<'END'
{"id": "q1", "topic": "t", "prompt": "Why?", "model": "a", "answer": "Because.", "up": 1, "down": 3}
{"id": "q1", "topic": "t", "prompt": "Why?", "model": "b", "answer": "I do not know.", "up": 3, "down": 1}
{"id": "q1", "topic": "t", "prompt": "Why?", "model": "b", "answer": "Ask.", "up": 0, "down": 0}
END
"$extended" import votes votes.jsonl -o answers 2>import.log || fail "$(cat import.log)"
expect import.log 'answers holds 1 contexts, 2 agents, 2 outputs out of 2 answers'
expect import.log '1 answers without a vote'
expect answers/outputs.jsonl '"votes": 0.75'
"$extended" import votes.jsonl -o recognised 2>import.log || fail "$(cat import.log)"
cmp answers/outputs.jsonl recognised/outputs.jsonl || fail "what is recognised is read otherwise"
"$program" import "$work/tree/data/import/votes.sql" votes.jsonl -o own 2>import.log || fail "$(cat import.log)"
cmp answers/outputs.jsonl own/outputs.jsonl || fail "a script of one's own reads otherwise"
"$extended" pool validate answers >pool.log 2>&1 || fail "$(cat pool.log)"
cd /
rm -rf "$work"
