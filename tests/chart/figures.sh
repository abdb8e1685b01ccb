#!/bin/sh
# Makes figures and holds their marks against their numbers.
# usage: figures.sh PLANTED REGRET SOURCE PYTHON
set -eu
rm -rf figures && mkdir figures && cd figures
"$1" planted
"$2" run "$3/configs/smoke.json" --quiet -o run >run.log 2>&1 || { cat run.log; exit 1; }
"$2" rate estimate "$3/data/rate/rows.jsonl" --bootstrap 50 --figures rate >rate.log 2>&1 || { cat rate.log; exit 1; }
"$4" "$3/tests/chart/check_figures.py" planted run/report/figures rate
