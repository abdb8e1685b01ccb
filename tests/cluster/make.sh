#!/bin/sh
# A run by the file for GNU make: one shard fails, the same command goes on with it and with nothing else, and what is merged
# is the files of the run made at once.
# Usage: tests/cluster/make.sh REGRET SOURCE; exit code 77: skipped
# shellcheck disable=SC2016 # words as they stand
set -eu

regret=$1
source=$2
command -v make >/dev/null 2>&1 || { echo "skipped: no GNU make"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# A name with what the shell and make would read.
cat >'a $(run) it'\''s.json' <<END
{"pool": "$source/data/pools/newswire-fitted", "contexts.hard": 12, "families": ["exp-only", "obs-only"],
  "values.enabled": false, "n_obs": 100, "n_exp": 50, "seeds": 3, "sweep": {"beta": [0, 0.5]}}
END
cat >fails.sh <<END
#!/bin/sh
echo "\$*" >>'$work/asked'
case "\$*" in *"--shard 2/3"*) [ -e '$work/mended' ] || exit 4 ;; esac
exec '$regret' "\$@"
END
chmod +x fails.sh

"$regret" cost 'a $(run) it'\''s.json' --set 'title=a $HOME "b"' --shards 3 --threads 1 --format make >run.mk
if make -s -k -j 2 -f run.mk REGRET=./fails.sh RUN=whole >make.log 2>&1; then
    fail "make did not see the shard that failed"
fi
[ ! -e whole/run.json ] || fail "a run was merged without its second shard"
rm asked
touch mended
make -s -k -j 2 -f run.mk REGRET=./fails.sh RUN=whole >make.log 2>&1 || fail "$(cat make.log)"
grep -q -- '--shard 2/3' asked || fail "the shard that failed was not computed again"
if grep -q -- '--shard [13]/3' asked; then
    fail "a shard that was there was computed again"
fi
[ -e whole/report/report.html ] || fail "no report"
"$regret" run 'a $(run) it'\''s.json' --set 'title=a $HOME "b"' --threads 1 -q -o once >/dev/null 2>&1
cat once/results*.jsonl >a
cat whole/results*.jsonl >b
cmp a b || fail "what is merged is not the run"
grep -qF 'a $HOME \"b\"' whole/run.json || fail "the title did not arrive as it is"
rm asked
make -s -f run.mk REGRET=./fails.sh RUN=whole
[ ! -e asked ] || fail "a finished run was begun again"
if "$regret" cost 'a $(run) it'\''s.json' --set 'title=a
b' --format make >bad.mk 2>error; then
    fail "a line break in a recipe"
fi
grep -q 'no line break' error || fail "$(cat error)"
