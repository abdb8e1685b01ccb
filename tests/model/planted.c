#include "model/planted.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/status.h"
#include "regret/task.h"

enum { WORDS = 12, VOCABULARY = 150, TEXT = 16 * (WORDS + 1) };

static const char *const agents[] = {"ant", "bee",  "cat",  "dog", "eel",  "fox",
                                     "gnu", "hare", "ibis", "jay", "kite", "lynx"};

static double uniform(struct regret_rng *rng)
{
    return regret_rng_uniform(rng);
}

/* Twelve uniforms less six: near enough to a normal number. */
static double noise(struct regret_rng *rng)
{
    double total = -6.0;
    for (int i = 0; i < 12; i++) {
        total += uniform(rng);
    }
    return total;
}

static void write_text(char *to, struct regret_rng *rng, const char *word)
{
    size_t at = 0, place = (size_t)(uniform(rng) * WORDS);
    for (size_t w = 0; w < WORDS; w++) {
        at += (size_t)sprintf(to + at, "w%d ", (int)(uniform(rng) * VOCABULARY));
        at += w == place ? (size_t)sprintf(to + at, "%s ", word) : 0;
    }
}

static char size[] = "a_size", land[] = "land", web[] = "web", app[] = "app";
static const struct regret_column own_columns[] = {{size, REGRET_COLUMN_NUMBER},
                                                   {land, REGRET_COLUMN_WORD}};

static void put_own(struct regret_covariate own[2], size_t x, int first, uint64_t seed)
{
    struct regret_rng rng = regret_rng_at(seed + 1000, REGRET_RNG_TEST, x);
    own[0].number = x % 10 == 3 ? NAN : (first ? 61.0 : 1.0) + 59.0 * uniform(&rng);
    own[1].word = x % 3 == 0 ? web : app;
}

static void make_holes(double *row, size_t n_agents, double holes, struct regret_rng *rng)
{
    size_t kept = n_agents, first = (size_t)(uniform(rng) * (double)n_agents);
    for (size_t a = 0; a < n_agents; a++) {
        if (kept > 2 && uniform(rng) < holes) {
            row[(first + a) % n_agents] = NAN;
            kept--;
        }
    }
}

void planted_make(struct planted *p, enum planted_kind kind, size_t n, size_t n_agents,
                  double holes, uint64_t seed)
{
    p->n = n;
    p->n_agents = n_agents;
    p->text = calloc(n, sizeof *p->text);
    p->tag = calloc(n, sizeof *p->tag);
    p->agent = calloc(n_agents, sizeof *p->agent);
    p->target = calloc(n * n_agents, sizeof *p->target);
    p->best = calloc(n, sizeof *p->best);
    p->own = calloc(n, 2 * sizeof *p->own);
    p->covariate = calloc(n, sizeof *p->covariate);
    p->first_tag = NULL;
    p->n_columns = kind == PLANTED_COLUMN ? 2 : 0;
    for (size_t a = 0; a < n_agents; a++) {
        p->agent[a] = agents[a];
    }
    for (size_t x = 0; x < n; x++) {
        struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, x);
        int first = uniform(&rng) < 0.5, other = uniform(&rng) < 0.5;
        double hard = 0.08 * noise(&rng);
        p->text[x] = calloc(TEXT, 1);
        p->tag[x] = (kind == PLANTED_TAG ? first : other) ? "code" : "chat";
        write_text(p->text[x], &rng, kind == PLANTED_WORD && first ? "function" : "poem");
        p->best[x] =
            (kind == PLANTED_TAG || kind == PLANTED_WORD || kind == PLANTED_COLUMN) && !first;
        p->covariate[x] = &p->own[2 * x];
        put_own(&p->own[2 * x], x, first, seed);
        for (size_t a = 0; a < n_agents; a++) {
            double planted = kind == PLANTED_NONE  ? 0.0
                             : kind == PLANTED_ONE ? 0.25 * (a == 0)
                             : a == p->best[x]     ? 0.25
                             : a < 2               ? -0.2
                                                   : 0.0;
            p->target[x * n_agents + a] =
                fmin(fmax(0.5 + hard + planted + 0.08 * noise(&rng), 0.0), 1.0);
        }
        make_holes(p->target + x * n_agents, n_agents, holes, &rng);
    }
}

void planted_free(struct planted *p)
{
    for (size_t x = 0; x < p->n; x++) {
        free(p->text[x]);
    }
    free(p->text);
    free(p->tag);
    free(p->agent);
    free(p->target);
    free(p->best);
    free(p->own);
    free(p->covariate);
}

void planted_table(struct score_table *s, const struct planted *p, size_t n)
{
    static const char *const tags[] = {"code", "chat"};
    *s = (struct score_table){
        .n = n, .m = p->n_agents, .one = 1.0, .measure = "", .name = "planted"};
    s->y = calloc(n * s->m, sizeof *s->y);
    memcpy(s->y, p->target, n * s->m * sizeof *s->y);
    s->tag = calloc(n, sizeof *s->tag);
    s->text = calloc(n, sizeof *s->text);
    s->covariate = calloc(n, sizeof *s->covariate);
    s->column = own_columns;
    s->n_columns = p->n_columns;
    s->agent = calloc(s->m, sizeof *s->agent);
    for (size_t a = 0; a < s->m; a++) {
        s->agent[a] = strdup(p->agent[a]);
    }
    s->n_tags = 2;
    s->tag_name = calloc(2, sizeof *s->tag_name);
    s->tag_name[0] = strdup(p->first_tag != NULL ? p->first_tag : tags[0]);
    s->tag_name[1] = strdup(tags[1]);
    for (size_t x = 0; x < n; x++) {
        s->tag[x] = strcmp(p->tag[x], "chat") == 0;
        s->text[x] = p->text[x];
        s->covariate[x] = p->covariate[x];
    }
}

struct regret_model *planted_fit(const struct planted *p, size_t n, enum rule rule)
{
    const struct model_options options = {.rule = rule, .told = 1, .digest = "0123456789abcdef"};
    struct score_table s;
    struct regret_model *model = NULL;
    planted_table(&s, p, n);
    cr_assert_eq(regret_model_make(&model, &s, &options), 0, "%s", regret_error_message());
    score_table_free(&s);
    return model;
}
