#include "value/strength.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "pool/votes.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "stats/limits.h"

/* The strengths of the largest penalised likelihood. */

FREED_POINTER(struct regret_bradley_terry, regret_bradley_terry_free)

static void fill(struct regret_bradley_terry *fit, const struct compared *c, const double *theta)
{
    for (size_t a = 0; a < fit->n_agents; a++) {
        fit->agents[a] = (struct regret_strength){
            .beta = NAN, .se = NAN, .value = NAN, .value_se = NAN, .low = NAN, .high = NAN};
    }
    for (size_t i = 0; i < c->m; i++) {
        struct regret_strength *s = &fit->agents[c->agent[i]];
        s->votes = c->votes[i];
        s->wins = c->wins[i];
        s->beta = theta[i];
        s->value = strength_value(theta, c->m, i);
        fit->votes += 0.5 * c->votes[i];
    }
    fit->n_clusters = c->n_clusters;
}

static int check_options(const struct regret_bradley_terry_options *o)
{
    return o->ridge >= 0.0 && isfinite(o->ridge) && o->level > 0.0 && o->level < 1.0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "the ridge of strengths must be 0 or more and finite, "
                                             "and the level of their intervals between 0 and 1");
}

static void compared_free(struct compared *c)
{
    regret_free(c->cell != c->vote ? c->cell : NULL);
    regret_free(c->vote);
    regret_free(c->agent);
    regret_free(c->votes);
    regret_free(c->wins);
    regret_free(c->centre);
    *c = (struct compared){0};
}

enum { NAMED_PARTS = 4, NAMED_AGENTS = 6 };

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

void parts_begin(uint32_t *part, size_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        part[i] = i;
    }
}

void parts_join(uint32_t *part, uint32_t a, uint32_t b)
{
    a = root_of(part, a);
    b = root_of(part, b);
    part[a > b ? a : b] = a < b ? a : b;
}

size_t parts_end(uint32_t *part, size_t n)
{
    size_t parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        part[i] = root_of(part, i);
        parts += part[i] == i;
    }
    return parts;
}

static void name_part(struct regret_buffer *out, const uint32_t *part, size_t n,
                      const char *const *names, uint32_t which)
{
    size_t named = 0, left = 0;
    for (uint32_t i = which; i < n; i++) {
        if (part[i] != which) {
            continue;
        }
        if (named == NAMED_AGENTS) {
            left++;
            continue;
        }
        regret_buffer_append(out, named++ == 0 ? "{" : ", ");
        regret_buffer_append_safe(out, names[i], 40);
    }
    if (left > 0) {
        regret_buffer_printf(out, " and %zu more", left);
    }
    regret_buffer_append(out, "}");
}

void parts_name(struct regret_buffer *out, const uint32_t *part, size_t n, const char *const *names)
{
    size_t parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (part[i] == i && parts++ < NAMED_PARTS) {
            regret_buffer_append(out, parts > 1 ? ", " : "");
            name_part(out, part, n, names, i);
        }
    }
    regret_buffer_append(out, parts > NAMED_PARTS ? " and others" : "");
}

void chains_mark(unsigned char *won, size_t n, const struct regret_vote *vote, size_t n_votes)
{
    for (size_t v = 0; v < n_votes; v++) {
        won[vote[v].a * n + vote[v].b] |= vote[v].share > 0.0;
        won[vote[v].b * n + vote[v].a] |= vote[v].share < 1.0;
    }
}

size_t chains_reach(unsigned char *seen, uint32_t *queue, const unsigned char *won, size_t n,
                    size_t from, int backwards)
{
    size_t reached = 1;
    memset(seen, 0, n);
    seen[from] = 1;
    queue[0] = (uint32_t)from;
    for (size_t i = 0; i < reached; i++) {
        for (size_t b = 0; b < n; b++) {
            size_t at = backwards ? b * n + queue[i] : queue[i] * n + b;
            if (won[at] && !seen[b]) {
                seen[b] = 1;
                queue[reached++] = (uint32_t)b;
            }
        }
    }
    return reached;
}

int chains_join(int *joined, uint32_t *outside, const unsigned char *won, size_t n)
{
    FREED unsigned char *seen = NULL;
    uint32_t first = 0;
    FREED uint32_t *queue = NULL;
    TRY(REGRET_NEW(&seen, n));
    TRY(REGRET_NEW(&queue, n));
    *joined = chains_reach(seen, queue, won, n, 0, 0) == n &&
              chains_reach(seen, queue, won, n, 0, 1) == n;
    while (!*joined && seen[first]) {
        first++;
    }
    if (outside != NULL) {
        *outside = first;
    }
    return REGRET_OK;
}

/* Which agents votes compare, and whether they can be put on one scale. */

enum {
    PRESET_SLATE = 4,    /* router.slate, which no pool of fewer agents has */
    LONGEST_REMEDY = 500 /* bytes; a message has room for no more */
};

static int by_cluster(const void *left, const void *right)
{
    const struct regret_vote *a = left, *b = right;
    return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

/* ---------------------------------------------------------------- without a ridge */

/* A maximum exists where every group of agents has lost to one of the others (Ford 1957; Hunter's assumption 1). */
static int check_maximum(const struct compared *c, const char *const *names)
{
    FREED unsigned char *won = NULL;
    uint32_t outside = 0;
    int joined = 0;
    TRY(REGRET_NEW(&won, c->m * c->m));
    chains_mark(won, c->m, c->vote, c->n);
    int rc = chains_join(&joined, &outside, won, c->m);
    TRY(rc);
    return joined
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "without a ridge \"%.60s\" and others have no finite strength: some "
                             "agents have won, or lost, all votes against the rest; give a ridge "
                             "above 0",
                             names[c->agent[outside]]);
}

/* ---------------------------------------------------------------- choice */

/* Copies the votes that are asked for and numbers their agents. */
static int choose(struct compared *c, const struct regret_votes *votes, uint32_t kind)
{
    uint32_t *number = NULL; /* of each agent, from 1 */
    TRY(REGRET_NEW(&number, votes->n_agents));
    for (size_t v = 0; v < votes->n; v++) {
        if (kind == REGRET_VOTES_ALL || votes->vote[v].kind == kind) {
            c->vote[c->n++] = votes->vote[v];
            number[votes->vote[v].a] = number[votes->vote[v].b] = 1;
        }
    }
    for (uint32_t a = 0; a < votes->n_agents; a++) {
        if (number[a] != 0) {
            c->agent[c->m++] = a;
            number[a] = (uint32_t)c->m;
        }
    }
    for (size_t v = 0; v < c->n; v++) {
        struct regret_vote *vote = &c->vote[v];
        vote->a = number[vote->a] - 1;
        vote->b = number[vote->b] - 1;
        c->votes[vote->a] += vote->votes;
        c->votes[vote->b] += vote->votes;
        c->wins[vote->a] += vote->votes * vote->share;
        c->wins[vote->b] += vote->votes * (1.0 - vote->share);
    }
    regret_free(number);
    return REGRET_OK;
}

/* Appends the command that keeps the largest part, by its agents or, where they are most, by the others. */
static void put_remedy(struct regret_buffer *out, const uint32_t *part, size_t m,
                       const char *const *names)
{
    uint32_t largest = 0;
    size_t most = 0;
    for (uint32_t which = 0; which < m; which++) {
        size_t n = 0;
        for (size_t i = 0; i < m; i++) {
            n += part[i] == which;
        }
        largest = n > most ? which : largest;
        most = n > most ? n : most;
    }
    int drops = 2 * most > m;
    regret_buffer_append(out, "regret pool select POOL");
    for (size_t i = 0; i < m; i++) {
        if ((part[i] == largest) != drops) {
            regret_buffer_append(out, drops ? " --not-agent " : " --agent ");
            shell_word(out, names[i]);
        }
    }
    if (out->length > LONGEST_REMEDY) {
        regret_buffer_free(out);
        regret_buffer_append(out, "regret pool select POOL --agent NAME --agent NAME");
    }
    regret_buffer_append(out, " -o PART");
    if (most < PRESET_SLATE) {
        regret_buffer_printf(out, ", to be run with --set router.slate=%zu", most);
    }
}

static int refuse_parts(const struct compared *c, const char *const *names, const uint32_t *part,
                        size_t parts)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer remedy = REGRET_BUFFER_INIT;
    FREED const char **compared = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&compared, c->m));
    for (size_t i = 0; i < c->m; i++) {
        compared[i] = names[c->agent[i]];
    }
    parts_name(&list, part, c->m, compared);
    TRY(regret_buffer_status(&list));
    put_remedy(&remedy, part, c->m, compared);
    TRY(regret_buffer_status(&remedy));
    return regret_fail(REGRET_E_INPUT,
                       "the votes fall into %zu parts that no vote joins: %s; "
                       "values can be compared within a part alone: add votes "
                       "between them, or take one (%s)",
                       parts, regret_buffer_get(&list), regret_buffer_get(&remedy));
}

/* Agents on one scale. */
static int check_scale(const struct compared *c, const char *const *names, double ridge)
{
    FREED uint32_t *part = NULL;
    TRY(REGRET_NEW(&part, c->m));
    parts_begin(part, c->m);
    for (size_t v = 0; v < c->n; v++) {
        parts_join(part, c->vote[v].a, c->vote[v].b);
    }
    size_t parts = parts_end(part, c->m);
    TRY(parts == 1 ? REGRET_OK : refuse_parts(c, names, part, parts));
    return ridge > 0.0 ? REGRET_OK : check_maximum(c, names);
}

static int by_cell(const void *left, const void *right)
{
    const struct regret_vote *x = left, *y = right;
    return x->a != y->a   ? (x->a > y->a) - (x->a < y->a)
           : x->b != y->b ? (x->b > y->b) - (x->b < y->b)
                          : (x->first > y->first) - (x->first < y->first);
}

/* Votes of the same two in the same order together; γ where there are two agents that met in both. */
static int make_cells(struct compared *c)
{
    TRY(REGRET_NEW(&c->cell, c->n));
    for (size_t v = 0; v < c->n; v++) {
        struct regret_vote x = c->vote[v];
        if (x.a > x.b) {
            x = (struct regret_vote){
                .a = x.b, .b = x.a, .votes = x.votes, .share = 1.0 - x.share, .first = -x.first};
        }
        c->cell[v] = x;
    }
    qsort(c->cell, c->n, sizeof *c->cell, by_cell);
    for (size_t v = 0; v < c->n; v++) {
        struct regret_vote *last = c->n_cells > 0 ? &c->cell[c->n_cells - 1] : NULL;
        const struct regret_vote x = c->cell[v];
        int is_pair = last != NULL && last->a == x.a && last->b == x.b;
        c->position |= is_pair && last->first == -1 && x.first == 1;
        c->position |= is_pair && last->first == 0 && x.first == 1 && c->n_cells > 1 &&
                       last[-1].a == x.a && last[-1].b == x.b && last[-1].first == -1;
        if (is_pair && last->first == x.first) {
            last->share = (last->share * last->votes + x.share * x.votes) / (last->votes + x.votes);
            last->votes += x.votes;
        } else {
            c->cell[c->n_cells++] = x;
        }
    }
    return REGRET_OK;
}

/* Chooses the votes of options->kind. REGRET_E_INPUT: there are none, or their agents fall into parts; without a ridge
 * also where a group of them has won all, or lost all, against the others. `names` NULL: nothing is asked of
 * them. Free even on failure. */
static int compared_make(struct compared *out, const struct regret_votes *votes,
                         const char *const *names,
                         const struct regret_bradley_terry_options *options)
{
    *out = (struct compared){0};
    TRY(REGRET_NEW(&out->vote, votes->n));
    TRY(REGRET_NEW(&out->agent, votes->n_agents));
    TRY(REGRET_NEW(&out->votes, votes->n_agents));
    TRY(REGRET_NEW(&out->wins, votes->n_agents));
    TRY(REGRET_NEW(&out->centre, votes->n_agents));
    TRY(choose(out, votes, options->kind));
    if (out->n == 0 && names != NULL) {
        return regret_fail(REGRET_E_INPUT, "there are no votes");
    }
    qsort(out->vote, out->n, sizeof *out->vote, by_cluster);
    for (size_t v = 0; v < out->n; v++) {
        out->n_clusters += v == 0 || out->vote[v].cluster != out->vote[v - 1].cluster;
    }
    int is_known = 0;
    for (size_t v = 0; v < out->n; v++) {
        is_known |= out->vote[v].first != 0;
    }
    if (names == NULL && !is_known) {
        out->cell = out->vote;
        out->n_cells = out->n;
        return REGRET_OK;
    }
    TRY(make_cells(out));
    return names != NULL ? check_scale(out, names, options->ridge) : REGRET_OK;
}

int regret_bradley_terry_fit(struct regret_bradley_terry **out, const struct regret_votes *votes,
                             const char *const *names,
                             const struct regret_bradley_terry_options *options)
{
    const struct regret_bradley_terry_options defaults = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    const struct regret_bradley_terry_options *o = options != NULL ? options : &defaults;
    FREED_BY(regret_bradley_terry_free_at) struct regret_bradley_terry *fit = NULL;
    FREED_BY(compared_free) struct compared c = {0};
    FREED double *theta = NULL, *room = NULL;
    TRY(check_options(o));
    TRY(compared_make(&c, votes, names, o));
    TRY(REGRET_NEW(&fit, 1));
    fit->n_agents = votes->n_agents;
    TRY(REGRET_NEW(&fit->agents, votes->n_agents));
    TRY(REGRET_NEW(&fit->moved, votes->n_agents));
    TRY(REGRET_NEW(&theta, c.m + 1));
    TRY(REGRET_NEW(&room, (c.m + 1) * (c.m + 5)));
    TRY(strength_maximise(theta, &c, o->ridge, NULL, room));
    fill(fit, &c, theta);
    TRY(strength_uncertainty(fit, &c, theta, o));
    *out = fit;
    fit = NULL;
    return REGRET_OK;
}

int strength_drawn_to(double *theta, const struct regret_votes *votes, const double *centre,
                      const struct regret_bradley_terry_options *options)
{
    FREED_BY(compared_free) struct compared c = {0};
    FREED double *own = NULL, *room = NULL;
    TRY(check_options(options));
    TRY(compared_make(&c, votes, NULL, options));
    TRY(REGRET_NEW(&own, c.m + 1));
    TRY(REGRET_NEW(&room, (c.m + 1) * (c.m + 5)));
    for (size_t a = 0; a < votes->n_agents; a++) {
        theta[a] = centre != NULL ? centre[a] : NAN;
    }
    for (size_t i = 0; i < c.m && centre != NULL; i++) {
        c.centre[i] = own[i] = centre[c.agent[i]]; /* no step changes the sum of θ */
    }
    TRY(c.m > 0 ? strength_maximise(own, &c, options->ridge, NULL, room) : REGRET_OK);
    for (size_t i = 0; i < c.m; i++) {
        theta[c.agent[i]] = own[i];
    }
    return REGRET_OK;
}

void regret_bradley_terry_free(struct regret_bradley_terry *fit)
{
    if (fit != NULL) {
        regret_free(fit->agents);
        regret_free(fit->moved);
        regret_free(fit);
    }
}

int chains_apart(size_t *pairs, size_t pair[2], const unsigned char *won, size_t n)
{
    FREED unsigned char *seen = NULL;
    FREED uint32_t *queue = NULL;
    *pairs = 0;
    TRY(REGRET_NEW(&seen, 2 * n));
    TRY(REGRET_NEW(&queue, n));
    for (size_t a = 0; a < n; a++) {
        chains_reach(seen, queue, won, n, a, 0);
        chains_reach(seen + n, queue, won, n, a, 1);
        for (size_t b = 0; b < a; b++) {
            if (!seen[b] && !seen[n + b] && (*pairs)++ == 0) {
                pair[0] = b;
                pair[1] = a;
            }
        }
    }
    return REGRET_OK;
}
