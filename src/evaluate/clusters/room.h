/* Sums over rows with variances over clusters: what was sampled as one (a user, a session, a context) counts as one.
 *
 * Offers: struct cluster_order, scores_gather() (variances and covariances of many cells), shares_gather() (the same of
 * shares), joint_test() (the largest of many |z|, and their squares); differences of means between the sources, by agent and
 * tag; slopes over time.
 * Way: clusters.c orders rows of both sources by cluster → scores.c and shares.c add up a cluster at a time what
 * differences.c (over the sums of cells.c) and slopes.c (over times.c) make of a row → joint.c draws from the covariance.
 * Uses: base/core, log/core, stats.
 */
#ifndef REGRET_EVALUATE_CLUSTERS_ROOM_H
#define REGRET_EVALUATE_CLUSTERS_ROOM_H

#include "evaluate/clusters/cells.h"
#include "evaluate/clusters/clusters.h"
#include "evaluate/clusters/differences.h"
#include "evaluate/clusters/joint.h"
#include "evaluate/clusters/scores.h"
#include "evaluate/clusters/shares.h"
#include "evaluate/clusters/slopes.h"
#include "evaluate/clusters/times.h"

#endif
