/* Outputs with a column an agent: whose names are those of the agents of the log and the trial, by the hashes of their cells. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "log/guess/guess.h"
#include "regret/alloc.h"
#include "regret/hash.h"

/* A column that an agent's name stands in, with nothing but separators around it. */
struct part {
    size_t start, length;
};

static int is_agent(const struct log_guess *g, const char *name, size_t length)
{
    uint64_t hash = regret_hash64(name, length);
    const struct profile_pair wanted = {hash, hash};
    int found = 0;
    for (int s = 0; s < REGRET_LOG_SOURCES && !found; s++) {
        const struct log_guess_table *t = &g->table[s];
        found = t->agents != NULL && bsearch(&wanted, t->agents, t->n_agents, sizeof wanted,
                                             profile_pair_compare) != NULL;
    }
    return found;
}

static int is_inner(const char *name, size_t at)
{
    return isalnum((unsigned char)name[at]) && isalnum((unsigned char)name[at - 1]);
}

/* The longest agent's name in a column's. */
static struct part find_part(const struct log_guess *g, const char *name)
{
    size_t n = strlen(name);
    for (size_t length = column_fits_map(name) ? n : 0; length > 0; length--) {
        for (size_t start = 0; start + length <= n; start++) {
            int is_cut = (start > 0 && is_inner(name, start)) ||
                         (start + length < n && is_inner(name, start + length));
            if (!is_cut && is_agent(g, name + start, length)) {
                return (struct part){start, length};
            }
        }
    }
    return (struct part){0, 0};
}

/* Whether two columns differ by their agents' names alone. */
static int are_alike(const char *a, struct part pa, const char *b, struct part pb)
{
    return pa.length > 0 && pb.length > 0 && pa.start == pb.start && strncmp(a, b, pa.start) == 0 &&
           strcmp(a + pa.start + pa.length, b + pb.start + pb.length) == 0;
}

/* Texts that two or more agents have a column of; of several kinds the longest. */
static size_t find_kind(const struct log_guess_table *t, const struct part *part)
{
    size_t best = LOG_NO_COLUMN;
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        const struct profile_column *c = &t->profile.column[k];
        size_t n = 0;
        for (size_t i = 0; i < t->profile.n_columns; i++) {
            n += are_alike(c->name, part[k], t->profile.column[i].name, part[i]);
        }
        if (n >= 2 && c->numbers < c->filled &&
            (best == LOG_NO_COLUMN || c->mean_bytes > t->profile.column[best].mean_bytes)) {
            best = k;
        }
    }
    return best;
}

static int take_kind(struct log_guess_table *t, const struct part *part, size_t kind)
{
    FREED_BY(regret_buffer_free) struct regret_buffer pattern = REGRET_BUFFER_INIT;
    const char *name = t->profile.column[kind].name;
    regret_buffer_append_n(&pattern, name, part[kind].start);
    regret_buffer_append(&pattern, TABLE_AGENT_MARK);
    regret_buffer_append(&pattern, name + part[kind].start + part[kind].length);
    TRY(regret_buffer_status(&pattern));
    TRY(regret_strdup(&t->pattern, regret_buffer_get(&pattern)));
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        t->taken[k] |= are_alike(name, part[kind], t->profile.column[k].name, part[k]);
    }
    return REGRET_OK;
}

int log_guess_wide(struct log_guess *g)
{
    struct log_guess_table *t = &g->table[LOG_INPUT_OUTPUTS];
    FREED struct part *part = NULL;
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        struct log_guess_table *of = &g->table[s];
        TRY(of->path != NULL ? table_profile_distinct(&of->agents, &of->n_agents, &of->profile,
                                                      of->at[LOG_AGENT], of->at[LOG_AGENT])
                             : REGRET_OK);
    }
    TRY(REGRET_NEW(&part, t->profile.n_columns));
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        part[k] = find_part(g, t->profile.column[k].name);
    }
    size_t kind = find_kind(t, part);
    return kind != LOG_NO_COLUMN ? take_kind(t, part, kind) : REGRET_OK;
}
