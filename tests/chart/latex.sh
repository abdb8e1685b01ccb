#!/bin/sh
# Compiles one document of every table of a report and of the attribute effects.
# Usage: latex.sh REGRET PROJECT    exit 77 where there is no pdflatex with booktabs
set -eu

regret=$1 project=$2
if ! command -v pdflatex >/dev/null 2>&1 || ! kpsewhich booktabs.sty >/dev/null 2>&1; then
    echo "skipped: no pdflatex with booktabs (texlive-latex-base, texlive-latex-recommended)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

cat >"$work/all.json" <<END
{"pool": "$project/data/pools/newswire", "seeds": 2, "n_obs": 300, "values.enabled": true,
 "sweep": {"reward.map": ["smooth", "sharpened"], "beta": [0, 1], "n_exp": [60, 100]}}
END
"$regret" run "$work/all.json" -o "$work/run" --quiet >/dev/null
"$regret" report "$work/run" --format tex >"$work/report.tex"

rows=$project/data/rate/rows.jsonl
mkdir "$work/rate-tables"
"$regret" rate estimate "$project/data/rate/unlabelled.jsonl" --predict-w text -f tex \
    >"$work/rate-tables/predicted.tex"
"$regret" rate estimate "$project/data/rate/rough.jsonl" -f tex >"$work/rate-tables/rough.tex"
for command in estimate contrast shift "check --classifier text" samples \
    "human --human sim-judge"; do
    # shellcheck disable=SC2086 # a command and its options
    set -- $command
    "$regret" rate "$1" "$rows" -f tex $(shift && echo "$@") >"$work/rate-tables/$1.tex"
done
"$regret" rate world --replicates 20 --rows 50 -f tex >"$work/rate-tables/world.tex"

cd "$work"
{
    cat <<'END'
\documentclass{article}
\usepackage[utf8]{inputenc}\usepackage[a3paper,margin=1cm]{geometry}
\usepackage{booktabs}
\begin{document}
END
    for file in report.tex rate-tables/*.tex; do
        printf '\\noindent\\input{%s}\\clearpage\n' "$file"
    done
    printf '\\end{document}\n'
} >all.tex
pdflatex -interaction=nonstopmode -halt-on-error all.tex >all.out 2>&1 || {
    grep -A5 '^!' all.out || tail -n 20 all.out
    exit 1
}
echo "compiled: $(grep "Output written on all" all.out)"
