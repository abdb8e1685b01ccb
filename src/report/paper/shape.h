/* Which runs a table or a view of the paper is about, as data: a task, and the shape of a run as words. */
#ifndef REGRET_REPORT_SHAPE_H
#define REGRET_REPORT_SHAPE_H

#include "report/paper/sheet.h"
#include "report/rows/slice.h"

/* The words of a shape, of which a run has them all:
 *   KEY=N, KEY>1    it has so many values of the key
 *   families        it ranks at least three of the paper's six: a sweep of fewer is not about their order
 *   variant:FAMILY  a family of it is compared with that one only
 *   values          it has estimates of agents' values
 *   stressed        every cell is in the regime of F5 (report/rows/regime.h) */
enum { SHAPE_WORDS = 8 };
struct shape {
    const char *name;
    const char *task; /* "summaries", "world" or "coding" */
    const char *words[SHAPE_WORDS];
    size_t n;
};

/* The shape of record i of a sheet with the columns task and shape; its name is the first field. The
 * words are borrowed from the sheet, which is changed. */
int shape_read(struct shape *out, struct sheet *sheet, size_t i);

/* 1 when the run of all these cells is of the task; when it has the shape, too. The task is told by the reward
 * maps: those of the controlled world and of coding are their own. */
int shape_is_about(const struct shape *s, const struct regret_results *r);
int shape_fits(const struct shape *s, const struct slice *all);

/* 1 when it says that the key has several values. */
int shape_sweeps(const struct shape *s, const char *key);

#endif
