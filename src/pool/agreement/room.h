/* How well raters agree: Krippendorff's α and intraclass correlations of several ratings of the same things.
 *
 * Offers: regret_krippendorff_alpha(), regret_agreement_measure(), regret_ratings_of_pool() (regret/agreement.h).
 * Way: ratings.c takes components of a pool as raters of its outputs → agreement.c measures, draws contexts again and
 * measures those.
 * Uses: base/core, pool/files.
 */
#ifndef REGRET_POOL_AGREEMENT_ROOM_H
#define REGRET_POOL_AGREEMENT_ROOM_H

#include "regret/agreement.h"

#endif
