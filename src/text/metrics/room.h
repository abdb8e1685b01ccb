/* A text scored against a reference, each metric as its standard implementation has it, with that one's own tokens.
 *
 * Offers: regret_metric_score(), regret_metric_name(), regret_pass_at_k() (regret/metrics.h).
 * Way: units.c cuts a text into the hashed units of a metric (mteval.c: BLEU's signs, stem.c: ROUGE's stems) → overlap.c
 * counts what two texts share → metrics.c makes each score of that.
 * Uses: base/core, base/text.
 */
#ifndef REGRET_TEXT_METRICS_ROOM_H
#define REGRET_TEXT_METRICS_ROOM_H

#include "regret/metrics.h"

#endif
