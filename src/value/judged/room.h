/* A mean of few good labels, helped by many cheap ones: prediction-powered inference.
 *
 * Offers: regret_ppi_mean() (regret/ppi.h).
 * Way: labels and judgements are added to sums → ppi.c makes the mean of them, and its interval.
 * Uses: stats.
 */
#ifndef REGRET_VALUE_JUDGED_ROOM_H
#define REGRET_VALUE_JUDGED_ROOM_H

#include "regret/ppi.h"

#endif
