/* Imports and pools: what is read or made is a pool by all its rules, every row or record is accounted for, and where the
 * strict import succeeds, leaving out what is bad leaves out nothing and writes the same bytes.
 *
 * One source for the targets of the table at the end; FUZZ_TARGET names the one that a program is. The hash of an input says in which of
 * the two ways it is imported: one in 16 in both; what one in four wrote is read again. Seeds go through all. What is chosen by
 * the length of a part a seed can choose by blanks at its end. */
#include <math.h>
#include <string.h>

#include "import/importer.h"
#include "import/init.h"
#include "pool/join.h"
#include "pool/statistics.h"
#include "regret/experiment.h"
#include "support.h"
#include "value/strength.h"

/* ---- What holds of every pool that was read, and of every pool an import wrote. ---- */

/* The pool at `path`, which must be one. */
static struct regret_pool *read_pool(const char *path)
{
    struct regret_pool *pool = NULL;
    REQUIRE(regret_pool_read(&pool, path) == 0 && strlen(pool->digest) == 32);
    return pool;
}

static void check_values(const struct regret_pool *pool)
{
    size_t n = pool->n_components + pool->n_counts + pool->n_aux;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        REQUIRE(o->context < pool->n_contexts && o->agent < pool->n_agents && o->text != NULL);
        for (size_t k = 0; k < n; k++) {
            REQUIRE(isfinite(o->values[k]));
        }
        for (size_t k = 0; k < pool->n_components; k++) {
            double q = regret_pool_quality(pool, o, k);
            REQUIRE(q >= 0.0 && q <= 1.0);
        }
        for (size_t k = pool->n_components; k < pool->n_components + pool->n_counts; k++) {
            REQUIRE(o->values[k] >= 0.0 && o->values[k] == floor(o->values[k]));
        }
    }
}

static void check_grid(const struct regret_grid *g, const struct regret_pool *pool)
{
    size_t missing = 0;
    REQUIRE(g->n_contexts >= 1 && g->n_agents >= 1 && g->n_draws >= 1);
    REQUIRE(regret_grid_pairs(g) >= g->n_contexts * g->n_agents * g->n_draws);
    for (size_t x = 0; x < g->n_contexts; x++) {
        REQUIRE(g->contexts[x] < pool->n_contexts);
        REQUIRE(x == 0 || g->contexts[x] > g->contexts[x - 1]);
        REQUIRE(g->difficulty[x] >= -1e-12 && g->difficulty[x] <= 1.0 + 1e-12);
    }
    for (size_t p = 0; p < regret_grid_pairs(g); p++) {
        missing += g->outputs[p] == NULL;
        REQUIRE(regret_grid_output_text(g, p) != NULL);
        double q = regret_grid_quality(g, p, 0);
        REQUIRE(q >= 0.0 && q <= 1.0);
    }
    REQUIRE(missing == g->imputed);
}

/* The policy FAIL refuses just the pools from which COMPLETE drops something. */
static void check_grids(const struct regret_pool *pool)
{
    struct regret_grid *complete = NULL, *strict = NULL, *imputed = NULL;
    struct regret_grid_options o = {REGRET_GRID_COMPLETE, 0, 0};
    REQUIRE(regret_grid_cut(&complete, pool, &o) == 0);
    check_grid(complete, pool);
    REQUIRE(complete->imputed == 0);
    REQUIRE(complete->n_contexts + complete->dropped_contexts == pool->n_contexts);
    REQUIRE(complete->n_agents + complete->dropped_agents == pool->n_agents);
    o.policy = REGRET_GRID_FAIL;
    int is_whole = fuzz_taken(regret_grid_cut(&strict, pool, &o));
    REQUIRE(is_whole == (complete->dropped_contexts == 0 && complete->dropped_agents == 0));
    o.policy = REGRET_GRID_IMPUTE_ZERO;
    o.hard_contexts = (pool->n_contexts + 1) / 2;
    REQUIRE(regret_grid_cut(&imputed, pool, &o) == 0);
    check_grid(imputed, pool);
    REQUIRE(imputed->n_contexts == o.hard_contexts && imputed->n_agents == pool->n_agents);
    regret_grid_free(complete);
    regret_grid_free(strict);
    regret_grid_free(imputed);
}

static void check_statistics(const struct regret_pool *pool)
{
    struct regret_pool_stats *stats = NULL;
    REQUIRE(regret_pool_stats_make(&stats, pool) == 0);
    REQUIRE(stats->missing_pairs < stats->pairs);
    REQUIRE(stats->pairs == pool->n_contexts * pool->n_agents);
    double shares = stats->agent_share + stats->context_share + stats->interaction_share;
    REQUIRE(stats->quality_variance >= 0.0 && shares >= -1e-9 && shares <= 1.0 + 1e-9);
    for (size_t i = 0; i < pool->n_components * pool->n_components; i++) {
        REQUIRE(fabs(stats->correlation[i]) <= 1.0 + 1e-9);
    }
    for (size_t a = 0; a < pool->n_agents; a++) {
        REQUIRE(stats->agents[a].quality.low >= 0.0 && stats->agents[a].quality.high <= 1.0 + 1e-9);
    }
    regret_pool_stats_free(stats);
}

/* Every value keeps the rules of pool.h, and each grid policy cuts a grid that is complete. */
static void check_pool(struct regret_pool *pool)
{
    REQUIRE(regret_pool_check(pool) == 0);
    check_values(pool);
    check_grids(pool);
    check_statistics(pool);
}

static void same_header(const struct regret_pool *p, const struct regret_pool *q)
{
    REQUIRE(strcmp(p->name, q->name) == 0 && p->synthetic == q->synthetic);
    REQUIRE(p->n_agents == q->n_agents && p->n_components == q->n_components &&
            p->n_counts == q->n_counts && p->n_aux == q->n_aux && p->n_segments == q->n_segments &&
            p->n_contexts == q->n_contexts);
    for (size_t a = 0; a < p->n_agents; a++) {
        REQUIRE(strcmp(p->agents[a].id, q->agents[a].id) == 0);
        REQUIRE(fuzz_same_number(p->agents[a].cost, q->agents[a].cost));
    }
    for (size_t k = 0; k < p->n_components; k++) {
        const struct regret_component *a = &p->components[k], *b = &q->components[k];
        REQUIRE(strcmp(a->name, b->name) == 0 && fuzz_same_number(a->low, b->low) &&
                fuzz_same_number(a->high, b->high));
    }
    for (size_t s = 0; s < p->n_segments; s++) {
        REQUIRE(strcmp(p->segments[s].name, q->segments[s].name) == 0);
        REQUIRE(memcmp(p->segments[s].weights, q->segments[s].weights,
                       p->n_components * sizeof *p->segments[s].weights) == 0);
    }
    for (size_t x = 0; x < p->n_contexts; x++) {
        REQUIRE(strcmp(p->contexts[x].id, q->contexts[x].id) == 0);
        REQUIRE(strcmp(p->contexts[x].text, q->contexts[x].text) == 0);
        const char *a = p->contexts[x].tag, *b = q->contexts[x].tag;
        REQUIRE(a == NULL ? b == NULL : fuzz_same_text(a, b));
    }
}

static void same_outputs(const struct regret_pool *p, const struct regret_pool *q)
{
    size_t n = p->n_components + p->n_counts + p->n_aux;
    REQUIRE(p->n_outputs == q->n_outputs);
    for (size_t i = 0; i < p->n_outputs; i++) {
        const struct regret_output *a = &p->outputs[i], *b = &q->outputs[i];
        REQUIRE(a->context == b->context && a->agent == b->agent && a->draw == b->draw);
        REQUIRE(strcmp(a->text, b->text) == 0);
        REQUIRE(memcmp(a->values, b->values, n * sizeof *a->values) == 0);
    }
}

/* A pool joined with itself is itself, to the byte. Takes what `more` holds. */
static void same_joined(struct regret_pool *pool, struct regret_pool *more)
{
    const char *joined = fuzz_path("joined");
    char before[33];
    memcpy(before, pool->digest, sizeof before);
    REQUIRE(regret_pool_join(NULL, pool, more, NULL) == 0);
    REQUIRE(regret_pool_write(pool, joined, NULL, 1) == 0);
    struct regret_pool *back = read_pool(joined);
    REQUIRE(strcmp(back->digest, before) == 0);
    regret_pool_free(back);
}

/* Written and read, the pool is the same in every value; written again, in every byte. */
static void check_pool_again(const struct regret_pool *pool)
{
    const char *once = fuzz_path("once"), *twice = fuzz_path("twice");
    REQUIRE(regret_pool_write(pool, once, NULL, 1) == 0);
    struct regret_pool *back = read_pool(once);
    same_header(pool, back);
    same_outputs(pool, back);
    REQUIRE(regret_pool_write(back, twice, NULL, 1) == 0);
    struct regret_pool *last = read_pool(twice);
    REQUIRE(strcmp(back->digest, last->digest) == 0);
    same_joined(back, last);
    regret_pool_free(back);
    regret_pool_free(last);
}

/* An import's outcome: a pool of these sizes. Leaves its digest. */
static void check_imported(char digest[33], const char *path, size_t contexts, size_t agents,
                           size_t outputs)
{
    struct regret_pool *pool = read_pool(path);
    REQUIRE(pool->n_contexts == contexts && pool->n_agents == agents);
    REQUIRE(pool->n_outputs == outputs);
    memcpy(digest, pool->digest, sizeof pool->digest);
    check_values(pool);
    check_grids(pool);
    regret_pool_free(pool);
}

/* ---- Imports in two ways: all that is bad refused, and left out. ---- */

/* What an import was of, and came to. */
struct outcome {
    int taken;
    char digest[33];
    size_t bad; /* left out */
};

static const uint8_t *data; /* the present input, */
static size_t size;
static struct fuzz_part parts[FUZZ_MAX_PARTS]; /* and its parts */
static int reads_back;                         /* 1: what its imports write is read again */
static size_t notes;

/* Imports the parts' files to `out`; `skip` says whether what is bad is left out. */
typedef struct outcome import_in_a_way(const char *out, int skip);

static struct outcome outcome_of(const char *out, size_t bad, size_t contexts, size_t agents,
                                 size_t outputs)
{
    struct outcome o = {.taken = 1, .bad = bad};
    REQUIRE(outputs >= 1);
    if (reads_back) {
        check_imported(o.digest, out, contexts, agents, outputs);
    }
    return o;
}

static void both_ways(import_in_a_way *import)
{
    enum fuzz_ways ways = fuzz_ways_of(data, size);
    struct outcome strict = {0}, lenient = {0};
    reads_back = fuzz_turn(data, size, 4);
    if (ways & FUZZ_STRICT) {
        strict = import(fuzz_path("strict"), 0);
    }
    notes = 0;
    if (ways & FUZZ_LENIENT) {
        lenient = import(fuzz_path("lenient"), 1);
    }
    if (strict.taken && ways == FUZZ_BOTH) {
        REQUIRE(lenient.taken && lenient.bad == 0);
        REQUIRE(strcmp(strict.digest, lenient.digest) == 0);
    }
    fuzz_accepted = strict.taken;
}

static int is_json(struct fuzz_part part)
{
    return part.length > 0 && (part.text[0] == '{' || part.text[0] == '[');
}

/* Tables: the map comes first, then the table, then the file of contexts if there is one. A table that begins with a brace or a
 * bracket is JSON, one with a tab is tab-separated; how repeats are taken rotates. */
static struct outcome import_table(const char *out, int skip)
{
    static const char *const FEW[] = {"[a-m]*", "M*"};
    struct regret_table_options o = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r = {0};
    if (is_json(parts[1])) {
        o.layout = REGRET_TABLE_LAYOUT_JSONL;
    } else if (memchr(parts[1].text, '\t', parts[1].length) != NULL) {
        o.separator = '\t';
    }
    o.repeats = (enum regret_repeats)(parts[0].length % (REGRET_REPEATS_DRAWS + 1));
    o.agents = FEW; /* of one input in seven */
    o.n_agents = parts[0].length % 7 == 3 ? 2 : 0;
    o.drop_unscored = (int)(parts[1].length % 2);
    o.contexts_path = parts[2].length > 0 ? fuzz_path("contexts") : NULL;
    o.skip_bad = skip;
    o.note = fuzz_count_note;
    o.note_context = &notes;
    const char *table = fuzz_path("table"), *map = fuzz_path("map.json");
    if (!fuzz_taken(regret_import_table(&r, table, map, out, &o, 1))) {
        return (struct outcome){0};
    }
    REQUIRE(r.rows == r.other_agent + r.bad + r.unscored + r.repeated + r.rated + r.outputs);
    REQUIRE(r.pairs <= r.outputs && r.empty <= r.outputs);
    REQUIRE(!skip || notes == r.bad);
    return outcome_of(out, r.bad, r.contexts, r.agents, r.outputs);
}

static void fuzz_table(void)
{
    fuzz_put_part("map.json", parts[0]);
    fuzz_put_part("table", parts[1]);
    fuzz_put_part("contexts", parts[2]);
    both_ways(import_table);
}

/* ---- Votes: two outputs a context whose outcomes are the shares of one another; strengths are finite and in order, or refused. ---- */

static void check_strengths(const struct regret_pool *pool)
{
    struct regret_bradley_terry_options options = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    struct regret_votes *votes = NULL;
    struct regret_bradley_terry *fit = NULL;
    const char *names[REGRET_POOL_MAX_AGENTS];
    double won = 0.0;
    REQUIRE(regret_votes_of_pool(&votes, pool) == 0);
    for (size_t a = 0; a < pool->n_agents; a++) {
        names[a] = pool->agents[a].id;
    }
    if (fuzz_taken(regret_bradley_terry_fit(&fit, votes, names, &options))) {
        for (size_t a = 0; a < fit->n_agents; a++) {
            const struct regret_strength *s = &fit->agents[a];
            REQUIRE(s->votes >= 0.0 && s->wins >= 0.0 && s->wins <= s->votes + 1e-9);
            REQUIRE(s->votes == 0.0 || (isfinite(s->beta) && isfinite(s->se) && s->se > 0.0));
            REQUIRE(s->votes == 0.0 ||
                    (s->low <= s->value && s->value <= s->high && s->low >= 0.0 && s->high <= 1.0 &&
                     s->rank_high <= s->rank_low));
            won += s->wins;
        }
        REQUIRE(fabs(won - fit->votes) <= 1e-6 * fit->votes); /* who wins has a loser */
    }
    regret_bradley_terry_free(fit);
    regret_votes_free(votes);
}

static void check_votes(const struct regret_table_report *r)
{
    struct regret_pool *pool = read_pool(fuzz_path("pool"));
    REQUIRE(pool->n_contexts == r->contexts && pool->n_outputs == 2 * r->contexts);
    for (size_t i = 0; i < pool->n_outputs; i += 2) {
        const struct regret_output *o = &pool->outputs[i];
        REQUIRE(o[0].context == o[1].context && o[0].agent != o[1].agent);
        REQUIRE(o[0].values[0] >= 0.0 && o[0].values[0] + o[1].values[0] == 1.0);
        REQUIRE(o[0].values[1] == o[1].values[1] && o[0].values[1] >= 1.0);
    }
    check_strengths(pool);
    regret_pool_free(pool);
}

/* The map comes first, then the table. What is left out changes with the length of the map. */
static void fuzz_votes(void)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r = {0};
    notes = 0;
    options.layout = is_json(parts[1]) ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    options.drop_unscored = (int)(parts[0].length % 2);
    options.skip_bad = (int)(parts[0].length / 2 % 2);
    options.note = fuzz_count_note;
    options.note_context = &notes;
    const char *map = fuzz_put_part("map.json", parts[0]);
    const char *table = fuzz_put_part("table", parts[1]);
    fuzz_accepted = fuzz_taken(regret_import_table(&r, table, map, fuzz_path("pool"), &options, 1));
    if (fuzz_accepted && r.is_of_votes) {
        REQUIRE(notes == r.bad);
        REQUIRE(r.rows ==
                r.bad + r.unscored + r.same_agent + r.dropped_bad + r.averaged + r.contexts);
        REQUIRE(r.outputs == 2 * r.contexts && r.ties <= r.averaged + r.contexts);
        check_votes(&r);
    }
}

/* ---- init: the map imports, or the table is turned down for what its rows say; the configuration that follows is one. ---- */

/* What is said, and asked, is text that a terminal may be shown. */
static void check_words(const struct regret_buffer *said)
{
    REQUIRE(regret_buffer_status(said) == 0);
    for (size_t i = 0; i < said->length; i++) {
        unsigned char c = (unsigned char)said->data[i];
        REQUIRE(c == '\n' || (c >= ' ' && c != 0x7f));
    }
}

static void put_command(struct regret_buffer *out, void *context, const char *without)
{
    (void)context;
    (void)without;
    regret_buffer_append(out, "regret init");
}

static void check_decision(struct init_table *t)
{
    struct regret_buffer map = REGRET_BUFFER_INIT, config = REGRET_BUFFER_INIT,
                         said = REGRET_BUFFER_INIT;
    struct regret_run_plan *plan = NULL;
    init_map(&map, t, "table");
    REQUIRE(regret_buffer_status(&map) == 0);
    const char *path = fuzz_put("map.json", regret_buffer_get(&map), map.length);
    int taken = fuzz_taken(init_try(t, path));
    REQUIRE(taken || strstr(regret_error_message(), "map.json") == NULL);
    if (taken) {
        init_config(&config, t);
        REQUIRE(regret_buffer_status(&config) == 0);
        path = fuzz_put("config.json", regret_buffer_get(&config), config.length);
        REQUIRE(regret_run_plan_read(&plan, path, NULL, 0) == 0);
        regret_run_plan_free(plan);
        init_explain(&said, t, 1);
        init_options(&said, t);
        check_words(&said);
    }
    regret_buffer_free(&map);
    regret_buffer_free(&config);
    regret_buffer_free(&said);
}

static void fuzz_init(void)
{
    struct init_table t;
    struct regret_buffer asked = REGRET_BUFFER_INIT;
    const char *table = fuzz_put("table", (const char *)data, size);
    fuzz_accepted = fuzz_taken(init_table_read(&t, table, &(struct init_known){0})) &&
                    fuzz_taken(init_decide(&t));
    if (fuzz_accepted) {
        check_decision(&t);
    } else if (t.is_asked) {
        init_question_print(&asked, &t, put_command, NULL);
        check_words(&asked);
    }
    regret_buffer_free(&asked);
    init_table_free(&t);
}

/* ---- Pools as they are: cut by every grid policy and described, and the same when written and read again, which is tried with
 * one input in 16. pool.json comes first, then contexts.jsonl and outputs.jsonl. ---- */

static void fuzz_pool(void)
{
    struct regret_pool *pool = NULL;
    const char *folder = fuzz_folder("p");
    fuzz_put_part("p/pool.json", parts[0]);
    fuzz_put_part("p/contexts.jsonl", parts[1]);
    fuzz_put_part("p/outputs.jsonl", parts[2]);
    fuzz_accepted = fuzz_taken(regret_pool_read(&pool, folder));
    if (fuzz_accepted) {
        check_pool(pool);
        if (fuzz_turn(data, size, 16)) {
            check_pool_again(pool);
        }
    }
    regret_pool_free(pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const struct {
        const char *name;
        void (*fuzz)(void);
    } TARGETS[] = {
        {"pool", fuzz_pool}, {"table", fuzz_table}, {"init", fuzz_init}, {"votes", fuzz_votes}};
    size_t i = 0;
    while (strcmp(TARGETS[i].name, FUZZ_TARGET) != 0) {
        i++;
    }
    data = bytes;
    size = n;
    fuzz_accepted = 0;
    fuzz_split(parts, data, size);
    TARGETS[i].fuzz();
    fuzz_parts_free(parts);
    return 0;
}
