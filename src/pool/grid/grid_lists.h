/* What the agents, contexts and tags of a grid are called, as lists of JSON. */
#ifndef REGRET_POOL_GRID_LISTS_H
#define REGRET_POOL_GRID_LISTS_H

#include "regret/buffer.h"
#include "regret/pool.h"

/* By their ids, which files and programs go by, or by the names that people gave them. */
enum grid_naming { GRID_BY_ID, GRID_BY_NAME };

void grid_json_agents(struct regret_buffer *t, const struct regret_grid *g,
                      enum grid_naming naming);
void grid_json_contexts(struct regret_buffer *t, const struct regret_grid *g,
                        enum grid_naming naming);
/* The ids of n contexts of the grid. */
void grid_json_some_contexts(struct regret_buffer *t, const struct regret_grid *g,
                             const size_t *context, size_t n);
/* ,"first_pair":[…] of the cells, and behind them the number of pairs, where draws differ; else nothing. */
void grid_json_first(struct regret_buffer *t, const struct regret_grid *g);
void grid_json_tags(struct regret_buffer *t, const struct regret_grid *g);
/* The tag of each context. */
void grid_json_context_tags(struct regret_buffer *t, const struct regret_grid *g);
/* What is known of the contexts besides: [{name, values}], numbers or words; null where not known. */
void grid_json_columns(struct regret_buffer *t, const struct regret_grid *g);
/* What an answer of each agent costs. */
void grid_json_costs(struct regret_buffer *t, const struct regret_grid *g);

#endif
