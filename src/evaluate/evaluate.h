/* A log or a trial from its configuration to its answer. */
#ifndef EVALUATE_EVALUATE_H
#define EVALUATE_EVALUATE_H

#include "regret/evaluate.h"
#include "value/deciding.h"

/* The verdict, the agent of each recommendation, the size of a trial that would tell, and the sentences (protocol §13). */
int answer_decide(struct regret_evaluation *e, const struct regret_log *log);

/* Of a verdict that cannot tell the best guess, with a sentence. */
int answer_guess(struct regret_evaluation *e, const struct regret_log *log);

/* Puts what the evaluation itself asks (calibration, whether families agree) among the diagnostics, the gravest first;
 * makes the list where there is none. */
int answer_add_checks(struct regret_evaluation *e, const struct regret_log *log);

/* The same of another evaluation of the log, with other folds: does it name the same agent, of about the same value? */
int answer_add_seed(struct regret_evaluation *e, const struct regret_evaluation *again,
                    const struct regret_log *log);

/* 1 where a diagnostic that says no is about the randomisation that values rest on, or about rows that are no rows of their own. */
int answer_trial_is_void(const struct regret_evaluation *e);

/* As given (log/log.h), with errors that are not negative and bounds in their order, all within what outcomes can be. */
struct regret_valued value_as_given(const struct regret_log *log, const struct regret_valued *v);
struct regret_valued difference_as_given(const struct regret_log *log,
                                         const struct regret_valued *v);
/* Simultaneous bounds of an agent's difference; of nothing else than low and high. */
struct regret_valued bounds_as_given(const struct regret_log *log,
                                     const struct regret_agent_value *agent);

/* By which own columns and tags the choice by request goes; of other verdicts by none. */
int answer_deciding(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log, deciding_writer *write);

/* The tables of the folder, as CSV. */
void table_agents(struct regret_buffer *out, const struct regret_evaluation *e,
                  const struct regret_log *log);
void table_tags(struct regret_buffer *out, const struct regret_evaluation *e,
                const struct regret_log *log);
void table_policies(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log);
void table_recommendations(struct regret_buffer *out, const struct regret_evaluation *e,
                           const struct regret_log *log);
void table_diagnostics(struct regret_buffer *out, const struct regret_evaluation *e);
void table_rows(struct regret_buffer *out, const struct regret_evaluation *e,
                const struct regret_log *log);

struct regret_model;
/* The model of new requests, on DR's pseudo-outcomes of the rows that values rest on; NULL in *out, with the reason in the thread's
 * message, where none can be fitted. */
int answer_model(struct regret_model **out, const struct regret_evaluation *e,
                 const struct regret_log *log, const struct regret_evaluate_options *options);

#endif
