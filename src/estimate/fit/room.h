/* What the fits of one problem share: folds, ridge fits with every fold left out, the plain penalties, candidates
 * and the choice among them, and what a fit costs.
 *
 * Offers: struct regret_problem, regret_session, regret_estimate and regret_folds (regret/estimate.h); folded_*,
 * candidates_*, hyper_* for families; struct fit_work.
 * Way: folds.c parts the rows → session.c makes what is shared when first wanted, with penalties of plain_rho.c →
 * folded.c and folded_losses.c fit with folds left out (basis.c expands a proxy for them) → candidates.c records
 * the choice, hyper.c looks options up → family.c returns the estimate, refit.c makes it anew without each fold,
 * by fold_fits.c with the solver of the whole where that is iterative;
 * work.c counts what that takes.
 * Uses: base/core, linalg/design, linalg/iterative, linalg/ridge, linalg/spectrum, task/draw.
 */
#ifndef REGRET_ESTIMATE_FIT_ROOM_H
#define REGRET_ESTIMATE_FIT_ROOM_H

#include "estimate/fit/session.h"
#include "estimate/fit/work.h"
#include "regret/estimate.h"

#endif
