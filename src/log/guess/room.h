/* What stands where in a log and a trial of one's own, guessed from names and contents: `regret init --obs --exp`.
 *
 * Offers: log_guess_make(), and evaluate.json and the words that follow from a guess.
 * Way: import/guess profiles each table → roles.c tells which column serves which role best, of a second table that of the
 * first's name, wide.c which columns of outputs are agents', covariates.c what else is known of a request before it is answered, unit.c what the trial assigned as one → write.c writes evaluate.json and says
 * why; try.c reads the log by it.
 * Uses: base/core, base/json, base/text, import/guess, import/profile, log/core, log/read.
 */
#ifndef REGRET_LOG_GUESS_ROOM_H
#define REGRET_LOG_GUESS_ROOM_H

#include "log/guess/guess.h"

#endif
