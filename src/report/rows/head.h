/* What a report says of a run besides its numbers: what was run, on what, by what. */
#ifndef REGRET_REPORT_HEAD_H
#define REGRET_REPORT_HEAD_H

#include "regret/report.h"

/* The configuration's title, else the pool's, else its name. Borrowed; not escaped. */
const char *head_title(const struct regret_run_facts *run);

/* Of generated data the first two are said, of a real task the third. */
extern const char head_synthetic[], head_not_real[], head_real[];

/* "not the pool's own: …" of scores that spread.* changed in some cells; nothing where none were. */
void head_changed_scores(struct regret_buffer *out, const struct regret_results *r);

/* What repeats the run from config.json. Static. */
const char *head_command(const struct regret_run_facts *run);

/* Pool, digest, grid, seeds, families, versions: a list of either format. */
void head_facts_markdown(struct regret_buffer *out, const struct regret_results *r);
void head_facts_html(struct regret_buffer *out, const struct regret_results *r);

#endif
