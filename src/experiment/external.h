/* Families in programs of the user's own. */
#ifndef EXPERIMENT_EXTERNAL_H
#define EXPERIMENT_EXTERNAL_H

#include <stddef.h>

#include "experiment/features.h"
#include "external/prediction_file.h"
#include "external/worker.h"
#include "regret/experiment.h"

/* φ of every pair as files for an estimator that is another program (docs/formats.md). */

/* Links them from the folder `phi`, where they were written. */
int external_link_phi(const char *folder, const char *phi);

/* What the families of one's own in a plan need while it runs: the worker processes of commands, one for each thread
 * that asks at a time, and the predictions of files. Their problems and answers lie in a temporary folder. */

struct external; /* opaque */

/* Why a family of one's own has no fit. */
enum { EXTERNAL_DETAIL_SIZE = 256 };
struct external_failure {
    const char *word; /* what rows say, one of EXTERNAL_FAILURES; static; NULL: it has one */
    char detail[EXTERNAL_DETAIL_SIZE];
};

/* Refuses a plan with commands unless they are allowed. */
int external_check_allowed(const struct regret_run_plan *plan,
                           const struct regret_command_options *options, const char *path);

/* Reads predictions, and looks whether commands can be started; *out is NULL where the plan has neither. `options`
 * may be NULL where no command is allowed; what it points to must outlive *out. */
int external_open(struct external **out, const struct regret_run_plan *plan,
                  const struct regret_pool *pool, const struct regret_command_options *options);
/* Ends the workers and removes the folder. NULL is fine. */
void external_close(struct external *external);

/* Of the i-th family of one's own: a digest of its predictions, or of the files that its command names; "" where
 * there are none. */
const char *external_digest(const struct external *external, size_t i);
const struct prediction_file *external_predictions(const struct external *external, size_t i);

/* A worker and the folder of its problems, empty when it is borrowed. */
struct external_worker {
    struct worker *process;
    char *folder;
    struct external_worker *next; /* of those that nobody has borrowed */
};

/* An idle worker of the i-th family, or a new one; NULL, with the reason in *failure, where none can be started. Any
 * thread. */
int external_borrow(struct external_worker **out, struct external_failure *failure,
                    struct external *external, size_t i);
/* Gives it back; one that is not fit to be asked again (`spent`) is killed. */
int external_return(struct external *external, size_t i, struct external_worker *worker, int spent);
/* Asks it, within the time of the family. */
enum worker_answer external_ask(char *line, size_t size, struct external *external, size_t i,
                                const struct external_worker *worker, const char *question);
/* Seconds that all threads together have waited for answers; 0 of NULL. Any thread. */
double external_waited(struct external *external);
/* 1 where there are commands; 0 of NULL. */
int external_has_commands(const struct external *external);

/* The folder with φ of the feature set of that number; written when first wanted. Any thread. */
int external_features(const char **folder, struct external *external, size_t number,
                      const struct feature_set *features);

#endif
