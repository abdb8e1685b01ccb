/* Entries while they are made: a test has its verdict only once all of them are known. */
#ifndef REGRET_EVALUATE_DIAGNOSE_FINDINGS_H
#define REGRET_EVALUATE_DIAGNOSE_FINDINGS_H

#include <stddef.h>

#include "evaluate/clusters/clusters.h"
#include "regret/buffer.h"
#include "regret/diagnose.h"

struct finding {
    const char *name, *what;
    double value, low, high;
    double p;                               /* of a test, not adjusted; NaN of what is none */
    enum regret_diagnostic_verdict verdict; /* of what is no test */
    enum regret_diagnostic_verdict most;    /* that a test can come to */
    struct regret_buffer fine;              /* what is told where the verdict is fine … */
    struct regret_buffer found;             /* … and where it is not; empty: the same */
};

enum { MAX_FINDINGS = 40 };
struct findings {
    size_t n;
    struct finding at[MAX_FINDINGS];
};

/* A new one, without value and p, fine. There is always room: questions are fewer. */
struct finding *findings_add(struct findings *f, const char *name, const char *what);

/* 1 where there is one of that name. */
int findings_have(const struct findings *f, const char *name);

/* Adjusts, decides, orders, and takes the sentences. */
int findings_conclude(struct regret_diagnostics **out, struct findings *f);
void findings_free(struct findings *f);

/* What a question is asked of. */
struct asked {
    const struct regret_log *log;
    const struct cluster_order *order;
    const struct regret_diagnose_options *options;
    size_t threads;
    int has[REGRET_LOG_SOURCES]; /* 1: rows */
};
typedef int question(struct findings *f, const struct asked *a);

question ask_scales, ask_gaps, ask_support, ask_shares, ask_balance, ask_drift, ask_contexts,
    ask_copies, ask_same_rows, ask_confounding, ask_outcomes;

/* Names of agents and tags, safe to print. */
void say_agent(struct regret_buffer *text, const struct regret_log *log, size_t agent);
void say_tag(struct regret_buffer *text, const struct regret_log *log, size_t tag);
/* A difference of outcomes and its bounds, as they were given. */
void set_gap(struct finding *f, const struct regret_log *log, double value, double low,
             double high);
/* "word, words" */
const char *say_plural(size_t n);

#endif
