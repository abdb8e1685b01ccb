/* The findings of the paper asked of runs: which hold, by seeds and corrected for their number.
 *
 * Offers: claims_read(), the findings as data; answers_ask() and answers_correct(), asked of a run; put_claims(), the
 * table of one run; regret_report_claims(), the page of several, and its figure.
 * Way: claim_file.c makes struct claim of each record of data/paper/claims.csv → claim_needs.c says what the run lacks
 * for it and takes the cells it speaks of → claim_ask.c hands it to its kind: contrast.c (an amount over cells),
 * rivals.c, means.c (ranks, wins) or costliest.c (what the costliest cost) → evidence.c reads the numbers by
 * seed, biases of values and choices of families among them, and makes parts of them → answers.c gathers, corrects and tabulates the verdicts → table_claims.c for a run, claims_page.c for several.
 * Uses: base/core, base/text, chart, estimate, report/cautions, report/paper, report/render, report/rows,
 * results/read, results/row, results/run, value.
 */
#ifndef REGRET_REPORT_CLAIMS_ROOM_H
#define REGRET_REPORT_CLAIMS_ROOM_H

#include "report/claims/answers.h"
#include "report/claims/claim_ask.h"
#include "report/claims/claims.h"

#endif
