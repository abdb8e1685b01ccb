#include "task/world/world.h"

#include <math.h>
#include <stdio.h>

#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_controlled_world, regret_controlled_world_free)

static int check_shapes(const struct regret_world_source *s, const struct regret_world_options *o)
{
    const size_t most = UINT32_MAX;
    if (s->n_contexts == 0 || s->n_agents == 0 || s->n_draws == 0 ||
        s->n_contexts > most / s->n_agents || s->n_contexts * s->n_agents > most / s->n_draws) {
        return regret_fail(REGRET_E_INPUT,
                           "a world of %zu contexts, %zu agents and %zu draws cannot be made; use "
                           "at least 1 of each and at most %zu pairs",
                           s->n_contexts, s->n_agents, s->n_draws, most);
    }
    size_t cells = s->n_contexts * s->n_agents;
    size_t pairs = s->first != NULL ? s->first[cells] : cells * s->n_draws;
    if (s->phi->rows != pairs) {
        return regret_fail(REGRET_E_INPUT,
                           "the world's features have %zu rows; %zu contexts, %zu agents and %zu "
                           "draws want %zu",
                           s->phi->rows, s->n_contexts, s->n_agents, s->n_draws, pairs);
    }
    const struct regret_csr *shared = s->context_phi;
    if (shared != NULL && (shared->rows != s->n_contexts || shared->cols != s->phi->cols)) {
        return regret_fail(REGRET_E_INPUT,
                           "the world's context features are %zu x %zu; its %zu contexts and %zu "
                           "features want %zu x %zu",
                           shared->rows, shared->cols, s->n_contexts, s->phi->cols, s->n_contexts,
                           s->phi->cols);
    }
    if (s->embedding_rank == 0 &&
        (o->context_sd > 0.0 || o->context_sharpness > 0.0 || o->user_context > 0.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "world.context_sd = %g, world.context_sharpness = %g and "
                           "world.user_context = %g want a context embedding; set "
                           "world.context_rank above 0, or these to 0",
                           o->context_sd, o->context_sharpness, o->user_context);
    }
    return REGRET_OK;
}

/* The tables that a task reads: means, targets, names. */
static int tabulate(struct regret_controlled_world *w)
{
    const struct regret_world_options *o = &w->options;
    TRY(REGRET_NEW(&w->mean, o->n_segments * w->pairs));
    TRY(REGRET_NEW(&w->pair_mean, w->pairs));
    TRY(REGRET_NEW(&w->target, w->n_contexts * w->n_agents));
    for (size_t p = 0; p < w->pairs; p++) {
        size_t cell = world_cell(w, p);
        for (size_t u = 0; u < o->n_segments; u++) {
            double s = w->score[p] + o->latent_effect * w->latent[u], mean = 1.0 / (1.0 + exp(-s));
            w->mean[u * w->pairs + p] = mean;
            double chance = regret_world_target_chance(w, cell / w->n_agents, u);
            w->pair_mean[p] += chance * mean;
            w->target[cell] += chance * regret_world_draw_chance(w, p, u) * mean;
        }
    }
    for (size_t u = 0; u < o->n_segments; u++) {
        snprintf(w->segment_digits[u], sizeof w->segment_digits[u], "%u", (unsigned)u);
        w->segment[u] = w->segment_digits[u];
    }
    return REGRET_OK;
}

int regret_controlled_world_create(struct regret_controlled_world **out,
                                   const struct regret_world_source *source,
                                   const struct regret_world_options *options)
{
    FREED_BY(regret_controlled_world_free_at) struct regret_controlled_world *w = NULL;
    TRY(regret_world_options_check(options, source->n_agents));
    TRY(check_shapes(source, options));
    TRY(REGRET_NEW(&w, 1));
    w->options = *options;
    w->n_contexts = source->n_contexts;
    w->n_agents = source->n_agents;
    w->n_draws = source->n_draws;
    w->first = source->first;
    w->pairs = source->phi->rows;
    TRY(world_hide(w, source));
    TRY(world_score(w, source));
    TRY(world_policies(w, source));
    TRY(tabulate(w));
    TRY(world_labels(&w->labels, w));
    *out = w;
    w = NULL;
    return REGRET_OK;
}

void regret_controlled_world_free(struct regret_controlled_world *w)
{
    if (w != NULL) {
        regret_free(w->hidden);
        regret_free(w->output);
        regret_free(w->score);
        regret_free(w->context_score);
        regret_free(w->latent);
        regret_free(w->segment_law);
        regret_free(w->target_law);
        regret_free(w->context_policy);
        regret_free(w->user_policy);
        regret_free(w->draw_law);
        regret_free(w->mean);
        regret_free(w->pair_mean);
        regret_free(w->target);
        regret_free(w->labels);
        regret_free(w);
    }
}

double regret_world_mean(const struct regret_controlled_world *w, size_t pair, size_t segment)
{
    return w->mean[segment * w->pairs + pair];
}

double regret_world_target_chance(const struct regret_controlled_world *w, size_t context,
                                  size_t segment)
{
    return w->target_law != NULL ? w->target_law[context * w->options.n_segments + segment]
                                 : regret_world_segment_chance(w, context, segment);
}

double regret_world_draw_chance(const struct regret_controlled_world *w, size_t pair,
                                size_t segment)
{
    size_t cell = world_cell(w, pair);
    return w->draw_law != NULL ? w->draw_law[segment * w->pairs + pair]
                               : 1.0 / (double)(world_first(w, cell + 1) - world_first(w, cell));
}

double regret_world_choice_chance(const struct regret_controlled_world *w, size_t context,
                                  size_t segment, size_t agent, double beta)
{
    return (1.0 - beta) * w->context_policy[context * w->n_agents + agent] +
           beta * w->user_policy[segment * w->n_agents + agent];
}
