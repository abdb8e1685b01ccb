#!/usr/bin/env python3
"""Holds runs against what the paper prints, as Markdown on standard output. Needs Python 3 and NumPy.

usage: paper.py against RUN [WHAT]     the run's numbers beside published ones. WHAT: paper (default: its tables that
                                       the run has the shape of), T4,T5,... (those), or FILE.csv of one's own
       paper.py findings RUN...        the findings of the paper, each asked of the runs that have its shape

RUN is a folder that `regret run` wrote, or one with results.csv or rows.csv beside config.json, as under reports/. A
CSV file has no lists by context and agent: findings about them say that they lack those. What the paper prints, its
findings and their grammar are data/paper (README.md); docs/paper.md says how both pages are read.

Intervals are of 2,000 resamples of the seeds, the ones that `regret report` draws (Philox, purpose 11), so that all
numbers of a page are those of its tables to the last printed digit.
"""
import sys

from paper_against import against_page
from paper_findings import findings_page
from paper_runs import Run


def main(arguments):
    if arguments[:1] == ["against"] and len(arguments) in (2, 3):
        page = against_page(Run(arguments[1]), arguments[2] if len(arguments) == 3 else "paper")
    elif arguments[:1] == ["findings"] and len(arguments) > 1:
        page = findings_page([Run(folder) for folder in arguments[1:]])
    else:
        sys.exit(__doc__)
    sys.stdout.write(page.text())


if __name__ == "__main__":
    main(sys.argv[1:])
