/* The penalties ρ_E and ρ_O of ridge on the raw features, one of several candidates or as given. Each is
 * chosen on the rows that its own family sees and no others: ρ_E by causal cross-validation over EXP,
 * ρ_O, since obs-only never sees EXP and OBS agents choose themselves, by leaving out contexts of OBS.
 * Every family on φ then has the same two, so that cvci at λ = 0 and 1 stays exp-only and obs-only. */
#ifndef REGRET_ESTIMATE_PLAIN_RHO_H
#define REGRET_ESTIMATE_PLAIN_RHO_H

#include "estimate/fit/session.h"

/* Chosen of the session's rows, or, where the session keeps what was chosen before, that. The choice
 * belongs to the session. */
int session_rho(const struct plain_rho **out, struct regret_session *session, enum plain_rho_of of);
/* Puts the choice into the estimate of its family. */
int plain_rho_report(struct regret_estimate *estimate, const struct plain_rho *chosen);
void plain_rho_clear(struct plain_rho *chosen);

#endif
