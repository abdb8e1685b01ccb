/* Who was on offer, in one cell. */
#ifndef REGRET_LOG_READ_SLATE_H
#define REGRET_LOG_READ_SLATE_H

#include <stddef.h>

#include "log/read/losses.h"

struct cJSON;

/* How far probabilities that should sum to one may be from it: they are written with a few figures. */
#define LOG_SUM_SLACK 0.02

/* The least probability: rows weigh by one over it and its square. */
#define LOG_LEAST_CHANCE 1e-100

struct log_slate {
    size_t n;      /* agents on offer */
    double chance; /* of the agent asked about; NaN: the slate has no probabilities */
    uint64_t key; /* the same of slates with the same agents and probabilities, in whatever order */
};

/* Reads a slate: a list of JSON, an object of JSON with the probability of each, or a text: one of these, or a|b|c (where
 * there is no bar, with semicolons; where there is none of these, with commas). LOG_LOSS_NONE where `agent` is in it;
 * LOG_LOSS_SLATE, _AGENT, _SUM or of a chance otherwise. `value` is not NULL for JSON that is no text. */
int log_slate_read(struct log_slate *out, enum log_loss *why, const char *text,
                   const struct cJSON *value, const char *agent);

#endif
