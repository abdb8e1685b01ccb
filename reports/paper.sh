#!/bin/sh
# Makes reports/paper.md: the findings of the paper over our runs, and its tables beside ours, from what
# reports/golden.sh put into reports/claims.md and reports/NAME/against.md. To standard output with -.
# Usage: reports/paper.sh [-]
set -eu

cd "$(dirname "$0")"
runs="main values grounded map24 world patches swebench"

# The headline rows of a page: "| T4 rank | …", the row of all runs' numbers left out.
headline() { # NAME
    awk -v run="$1" '
        /^\*\*/ { inside = $0 == "**Headline**" }
        inside && /^\| / && !/^\| (Table|all) / { sub(/^\| /, "| " run " | "); print }
    ' "$1/against.md"
}

headlines() {
    for run in $runs; do
        headline "$run"
    done
}

# Those with a verdict, as a list: "main T6 regret, map24 T13 lead".
verdict() { # VERDICT...
    for verdict; do
        headlines | awk -F ' *[|] *' -v verdict="$verdict" '$13 == verdict { print $2 " " $3 }'
    done | awk '{ list = list (NR > 1 ? ", " : "") $0 } END { print (NR > 0 ? list : "none") }'
}

# Says which runs their parts are not the whole of.
incomplete() {
    for run in $runs; do
        sed -n "s/^\\* INCOMPLETE: \\([0-9]* of [0-9]* replicates\\).*/**Run \`$run\` is incomplete here:** \\1; \`sh reports\\/golden.sh $run\` makes it whole./p" \
            "$run/against.md"
    done | awk '{ print ""; print }'
}

# The page of `benchmarks/paper.py findings` as a section. Without one (golden.sh makes it of all runs in one go), nothing.
findings() {
    [ -r claims.md ] || return 0
    cat <<'TEXT'
## The findings

What the paper concludes, finding by finding, each asked of the runs that have the shape of its part of the paper.
[How to read it](../docs/paper.md#how-are-the-papers-findings-tested). *Partly*: so many parts of it; *not separable*: smaller than *Detectable*, or
unlucky.

TEXT
    sed '1,2d' claims.md
    echo
}

# What benchmarks/fit_levels.py made of other draws of the pool.
draws() {
    cat <<'TEXT'
## On five draws of the pool

The pool of `main`, `values`, `grounded` and `map24` is one draw of its generator (seed 1). Here are five, each with its own articles, summaries and
scores, with the committed numbers; none was chosen. `main` has 15 seeds on each, the others 6 (`benchmarks/fit_levels.py check`,
[the embedded pools](../docs/paper.md#what-are-the-embedded-pools)). Levels of T6 were fitted, all else was not.

TEXT
    cat levels/check.md
    echo
}

page() {
    cat <<'TEXT'
# The paper's tables beside ours

Every number of the paper that its text still holds (`data/paper`), with the same statistic of our runs beside it.
[How to read it](../docs/paper.md), and how each of our columns maps to the paper's. Made by `sh reports/paper.sh`
from `benchmarks/paper.py against RUN` of each run; nothing here is edited by hand.

## What these runs are

* **None of them is on the paper's data.** `main`, `values`, `grounded` and `map24` are on the embedded pool
  `newswire-fitted`, which is **synthetic**: a program wrote its articles, its summaries and its scores. `patches` is
  **synthetic** likewise. `world` is a simulation over generated texts, **synthetic** too; the paper's simulation has
  real articles. `swebench` is real patches and tests, but another sample than the paper's: 287 issues
  × 5 systems.
* **What was fitted**: numbers of the pool and of its task, to T6 (the regrets of four families under both maps, the R² of proxy and
  rubric) and to the DM RMSE of T7 ([the embedded pools](../docs/paper.md#what-are-the-embedded-pools) has the targets, what came out, and how much depends on the draw of the
  pool). These fifteen numbers are no finding of ours. T4 is not independent of them: four of its six families have their levels
  in T6. In `world` the larger n_exp was chosen so that the row of T12 in which `exp-only` wins has a counterpart
  ([controlled world](../docs/paper.md#what-if-the-truth-is-known)). Nothing else was fitted. The same sweep on the hard pool `newswire`, where levels are far from the paper's, is
  `reports/main-hard`.
* The budgets behind the paper's columns, its weights and its segments are lost in the text or never printed; ours are
  choices (`docs/protocol.md`, [C]). Cells are matched by their place in the sweep: the smaller log with the smaller
  log. T5 and T6 of the paper cannot both be means over the same cells (the mean of T5's four EXP-Only is .0137, T6 has .0147).
* Of F3, F4 and F5 no number survives in the text, so nothing stands beside `world-dr` and the figures of coding.

## What replicates

One row a table and statistic. *Same winner or sign* counts groups of families (one for each setting of the table's
columns), cells of a winner map, or signs of DR − DM; *clearly* are those of them that 30 seeds (coding and world: 10) tell from
the second; *not separable* where another wins here but the run cannot tell the two apart.

| Run | Table and statistic | Compared | Same winner or sign | Clearly | Not separable | Differs | Pairs in order | Families | Spearman | Kendall | Verdict |
|---|---|---|---|---|---|---|---|---:|---:|---:|---|
TEXT
    headlines
    incomplete
    cat <<TEXT

**Does not replicate:** $(verdict 'does not replicate').

**Cannot be told, for want of seeds or held-out contexts:** $(verdict 'not separable').

**Partly:** $(verdict 'partly').

**The same order, winners or signs:** $(verdict 'same order' 'same winners' 'same signs').

TEXT
    draws
    findings
    for run in $runs; do
        printf '## Run %s (configs/%s.json)\n\n' "$run" "$run"
        sed 's/^## /### /' "$run/against.md"
        echo
    done | sed '$d'
}

if [ "${1:-}" = - ]; then
    page
else
    page >paper.md.partial
    mv paper.md.partial paper.md
fi
