/* What a log settles: slates, propensities, units. */
#ifndef LOG_SETTLE_H
#define LOG_SETTLE_H

#include <stddef.h>
#include <stdint.h>

#include "log/doubts.h"
#include "regret/evaluate.h"

struct cJSON;
struct log_reading;

/* The least probability: rows weigh by one over it and its square. */
#define LOG_LEAST_CHANCE 1e-100

struct log_slate {
    size_t n;      /* agents on offer */
    double chance; /* of the agent asked about; NaN: the slate has no probabilities */
    uint64_t
        key; /* the same of slates with the same agents and probabilities, in whatever order … */
    uint64_t offer;                       /* … and with the same agents */
    uint64_t name[REGRET_LOG_MAX_AGENTS]; /* [n] hashes of their names */
};

/* Reads a slate: a list of JSON, an object of JSON with the probability of each, or a text: one of these, or a|b|c (where
 * there is no bar, with semicolons; where there is none of these, with commas). LOG_LOSS_NONE where `agent` is in it;
 * LOG_LOSS_SLATE, _AGENT, _SUM or of a chance otherwise. `value` is not NULL for JSON that is no text. */
int log_slate_read(struct log_slate *out, enum log_loss *why, const char *text,
                   const struct cJSON *value, const char *agent);

/* The number of what a slate offers, a new one where it is new. */
int log_offer_enter(uint32_t *out, struct log_reading *r, const struct log_slate *slate);

#endif
