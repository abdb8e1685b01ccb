/* What stands where in JSON, guessed. */
#include <criterion/criterion.h>
#include <string.h>

#include "import/guess/guess.h"
#include "import/guess_checks.h"
#include "pool/sample.h"

TestSuite(guess_json, .fini = sample_cleanup);

enum { CONTEXTS = 12, AGENTS = 3 };
static const char *const MODEL[AGENTS] = {"gpt-3.5", "claude.v2", "llama"};

static const char *say(const struct table_guess *g, enum guess_role role)
{
    return g->at[role] == GUESS_NO_COLUMN ? "" : g->profile.column[g->at[role]].name;
}

static void put_long(struct regret_buffer *t, size_t d, size_t a)
{
    regret_buffer_printf(
        t, "{\"doc_id\": %zu, \"doc\": {\"question\": \"what is %zu, at length?\", ", d, d);
    regret_buffer_append(t, d % 2 == 0 ? "\"choices\": [\"a\", \"b\"]}, " : "\"tag\": \"odd\"}, ");
    regret_buffer_printf(t, "\"meta\": {\"model.name\": \"%s\", \"cost_usd\": 0.0%zu%zu}, ",
                         MODEL[a], a + 1, d % 7);
    regret_buffer_printf(t, "\"resps\": [[\"%s says %zu\"]], \"none\": null, ", MODEL[a], d);
    regret_buffer_append(t, "\"logprobs\": [1, 2, 3, 4, 5, 6, 7, 8, 9], ");
    regret_buffer_printf(t, "\"scores\": {\"is_correct\": %s, \"judge\": [%zu, ",
                         (d + a) % 2 == 0 ? "true" : "false", 1 + (d + a) % 5);
    regret_buffer_append(t, d == 3 ? "NaN]}}" : "2.5]}}");
}

static void put_wide(struct regret_buffer *t, size_t d, size_t a)
{
    if (a == 0) {
        regret_buffer_printf(t, "{\"prompt\": \"what is %zu?\", \"scores\": {", d);
        for (size_t k = 0; k < AGENTS; k++) {
            regret_buffer_printf(t, "%s\"%s\": 0.%zu", k > 0 ? ", " : "", MODEL[k],
                                 (d + 3 * k) % 10);
        }
        regret_buffer_append(t, "}, \"outputs\": {");
        for (size_t k = 0; k < AGENTS; k++) {
            regret_buffer_printf(t, "%s\"%s\": \"%s: %zu\"", k > 0 ? ", " : "", MODEL[k], MODEL[k],
                                 d);
        }
        regret_buffer_append(t, "}}");
    }
}

/* As JSONL, or as an array over many lines. */
static void write_table(void (*put)(struct regret_buffer *t, size_t d, size_t a), int is_array)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    const char *before = is_array ? " [" : "";
    for (size_t i = 0; i < (size_t)CONTEXTS * AGENTS; i++) {
        struct regret_buffer record = REGRET_BUFFER_INIT;
        put(&record, i / AGENTS, i % AGENTS);
        if (record.length > 0) {
            regret_buffer_append(&text, before);
            regret_buffer_append(&text, regret_buffer_get(&record));
            before = is_array ? ",\n" : "\n";
        }
        regret_buffer_free(&record);
    }
    regret_buffer_append(&text, is_array ? "\n]\n" : "\n");
    sample_write("t.json", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

static struct table_guess guessed(void)
{
    struct table_guess g;
    cr_assert_eq(table_guess_make(&g, sample_path("t.json"), &(struct guess_known){0}), 0, "%s",
                 regret_error_message());
    cr_assert(g.is_json);
    return g;
}

/* The map that is guessed makes a pool of all pairs. */
static void imports(const struct table_guess *g, size_t values)
{
    struct regret_table_report r;
    cr_assert_eq(guess_imports(&r, g, "t.json"), values);
    cr_assert(r.contexts == CONTEXTS && r.agents == AGENTS &&
              r.outputs == (size_t)CONTEXTS * AGENTS);
}

static void check_long(int is_array)
{
    write_table(put_long, is_array);
    struct table_guess g = guessed();
    cr_assert_not(g.is_wide);
    cr_assert_str_eq(say(&g, GUESS_CONTEXT), "doc_id");
    cr_assert_str_eq(say(&g, GUESS_TEXT), "doc.question");
    cr_assert_str_eq(say(&g, GUESS_TAG), "doc.tag");
    cr_assert_str_eq(say(&g, GUESS_AGENT), "meta.model.name", "a name that holds a dot");
    cr_assert_str_eq(say(&g, GUESS_OUTPUT), "resps.0.0");
    cr_assert_str_eq(say(&g, GUESS_COST), "meta.cost_usd");
    cr_assert_eq(g.n_components, 2, "scores.is_correct, scores.judge.0; judge.1 is of one value");
    imports(&g, 2);
    table_guess_free(&g);
}

Test(guess_json, records_with_deep_fields)
{
    check_long(0);
    check_long(1);
}

static void check_wide(int is_array)
{
    write_table(put_wide, is_array);
    struct table_guess g = guessed();
    cr_assert(g.is_wide);
    cr_assert_str_eq(say(&g, GUESS_CONTEXT), "prompt");
    cr_assert_eq(g.agents, AGENTS);
    cr_assert_str_eq(g.wide.agent[0], MODEL[0]);
    imports(&g, 1);
    table_guess_free(&g);
}

Test(guess_json, records_with_objects_of_every_agent)
{
    check_wide(0);
    check_wide(1);
}

/* A record a prompt, with answers of `n` of the agents, the others in turn left out. */
static void write_nested(size_t n)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (size_t d = 0; d < CONTEXTS; d++) {
        regret_buffer_printf(&t,
                             "{\"prompt\": \"what is %zu?\", \"kind\": \"k%zu\", \"models\": "
                             "[\"x\"], \"answers\": [",
                             d, d % 2);
        for (size_t k = 0; k < n; k++) {
            size_t a = (d + k) % AGENTS;
            regret_buffer_printf(&t,
                                 "%s{\"model\": \"%s\", \"answer\": {\"text\": \"%s on %zu\"}, "
                                 "\"rating\": {\"x\": \"%zu\"}, "
                                 "\"judges\": [{\"n\": 1}, {\"n\": %zu}]}",
                                 k > 0 ? ", " : "", MODEL[a], MODEL[a], d, 1 + (d + a) % 5, 1 + a);
        }
        regret_buffer_append(&t, "]}\n");
    }
    sample_write("t.json", regret_buffer_get(&t));
    regret_buffer_free(&t);
}

Test(guess_json, rows_in_a_list_of_each_record)
{
    write_nested(AGENTS);
    struct table_guess g = guessed();
    cr_assert(!g.is_wide && !g.is_either && g.profile.is_nested);
    cr_assert_eq(g.profile.rows, (size_t)CONTEXTS * AGENTS);
    cr_assert_str_eq(say(&g, GUESS_CONTEXT), "prompt");
    cr_assert_str_eq(say(&g, GUESS_TAG), "kind");
    cr_assert_str_eq(say(&g, GUESS_AGENT), "answers.*.model");
    cr_assert_str_eq(say(&g, GUESS_OUTPUT), "answers.*.answer.text");
    cr_assert_eq(g.n_components, 1);
    imports(&g, 2); /* and a label, for the name of judges.*.n speaks for no score */
    cr_assert_eq(g.n_aux, 1);
    table_guess_free(&g);
}

/* Every two agents have a third of the contexts in common. */
Test(guess_json, the_part_without_holes)
{
    struct regret_buffer config = REGRET_BUFFER_INIT;
    write_nested(AGENTS - 1);
    struct table_guess g = guessed();
    cr_assert(g.pairs == (size_t)CONTEXTS * (AGENTS - 1) && g.contexts == CONTEXTS);
    cr_assert(g.grid_agents == AGENTS - 1 && g.grid_contexts == CONTEXTS / AGENTS, "%zu of %zu",
              g.grid_contexts, g.grid_agents);
    table_guess_config(&config, &g);
    cr_assert_not_null(strstr(regret_buffer_get(&config), "\"grid.policy\": \"observed\""));
    regret_buffer_clear(&config);
    table_guess_explain(&config, &g);
    cr_assert_not_null(strstr(regret_buffer_get(&config), "they stay unobserved"));
    regret_buffer_free(&config);
    table_guess_free(&g);
}

/* Beside an agent's name that differs the numbers of a list are one score, and its texts stay apart;
 * experts and crowd workers, as SummEval publishes them, are two. */
Test(guess_json, lists_of_raters)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < (size_t)CONTEXTS * AGENTS; i++) {
        size_t d = i / AGENTS, a = i % AGENTS;
        regret_buffer_printf(
            &text,
            "{\"id\": \"q%zu\", \"judge_model\": \"j\", \"system\": \"%s\", "
            "\"expert_annotations\": [{\"coherence\": %zu, \"by\": "
            "\"x\", \"deep\": {\"fluency\": \"%zu\"}}, {\"coherence\": %zu, \"by\": "
            "\"y\", \"deep\": {\"fluency\": 5}}], "
            "\"turker_annotations\": [{\"coherence\": %zu}], \"ratings\": [%zu, null, 4]}\n",
            d, MODEL[a], 1 + (d + a) % 5, 1 + (2 * d + a) % 5, 1 + a, 1 + (d * a) % 5,
            1 + (d + a) % 5);
    }
    sample_write("t.json", regret_buffer_get(&text));
    regret_buffer_clear(&text);
    struct table_guess g = guessed();
    cr_assert_str_eq(say(&g, GUESS_AGENT), "system");
    table_guess_map(&text, &g, "m");
    cr_assert_not_null(strstr(regret_buffer_get(&text),
                              "{\"name\": \"expert_annotations.coherence\", \"from\": "
                              "\"expert_annotations.*.coherence\""),
                       "%s", regret_buffer_get(&text));
    cr_assert_not_null(strstr(regret_buffer_get(&text), "\"expert_annotations.*.deep.fluency\""));
    cr_assert_not_null(strstr(regret_buffer_get(&text),
                              "{\"name\": \"turker_annotations.coherence\", \"from\": "
                              "\"turker_annotations.*.coherence\""));
    /* The means reach from 1 to 4, but what was said from 1 to 5. */
    cr_assert_not_null(strstr(regret_buffer_get(&text),
                              "\"expert_annotations.*.coherence\", \"low\": 1, \"high\": 5"));
    cr_assert_null(strstr(regret_buffer_get(&text), ".0"), "%s", regret_buffer_get(&text));
    cr_assert_null(strstr(regret_buffer_get(&text), "ratings"), "a list with null has no mean");
    imports(&g, 3);
    regret_buffer_free(&text);
    table_guess_free(&g);
}

/* A list of what was measured is none of raters. */
Test(guess_json, lists_of_measures)
{
    struct table_guess g;
#define MEASURED(id, model, f1, em)                                                                \
    "{\"id\": \"" id "\", \"model\": \"" model                                                     \
    "\", \"stats\": [{\"metric\": \"f1\", \"score\": " f1 "}, {\"metric\": \"em\", \"score\": " em \
    "}]}\n"
    sample_write("t.json", MEASURED("q", "a", "0.5", "0") MEASURED("q", "b", "0.7", "1")
                               MEASURED("r", "a", "0.1", "1") MEASURED("r", "b", "0.9", "0"));
    g = guessed();
    cr_assert_eq(g.n_components, 2, "stats.0.score, stats.1.score");
    table_guess_free(&g);
}

Test(guess_json, ranks_are_better_when_small)
{
    struct regret_buffer map = REGRET_BUFFER_INIT;
    sample_write("t.json", "{\"id\": \"q\", \"model\": \"a\", \"rank\": 1}\n{\"id\": \"q\", "
                           "\"model\": \"b\", \"rank\": 2}\n"
                           "{\"id\": \"r\", \"model\": \"a\", \"rank\": 2}\n{\"id\": \"r\", "
                           "\"model\": \"b\", \"rank\": 1}\n");
    struct table_guess g = guessed();
    table_guess_map(&map, &g, "m");
    cr_assert_not_null(
        strstr(regret_buffer_get(&map), "\"low\": 1, \"high\": 2, \"smaller_is_better\": true}"),
        "%s", regret_buffer_get(&map));
    regret_buffer_free(&map);
    table_guess_free(&g);
}

/* With an agent of its own a record is a row, whatever lists it holds. */
Test(guess_json, a_list_beside_an_agent)
{
    struct table_guess g;
    sample_write("t.json", "{\"id\": \"q\", \"model\": \"a\", \"score\": 0.5, \"l\": [{\"agent\": "
                           "\"x\"}, {\"agent\": \"y\"}]}\n"
                           "{\"id\": \"q\", \"model\": \"b\", \"score\": 0.2, \"l\": [{\"agent\": "
                           "\"x\"}, {\"agent\": \"y\"}]}\n"
                           "{\"id\": \"r\", \"model\": \"a\", \"score\": 0.1}\n{\"id\": \"r\", "
                           "\"model\": \"b\", \"score\": 1}\n");
    g = guessed();
    cr_assert(!g.profile.is_nested && g.profile.rows == 4);
    cr_assert_str_eq(say(&g, GUESS_AGENT), "model");
    table_guess_free(&g);
}

Test(guess_json, fields_are_those_of_all_records)
{
    struct table_guess g;
    sample_write("t.json",
                 "{\"id\": 1, \"model\": \"a\", \"score\": 0.5}\n"
                 "{\"id\": 1, \"model\": \"b\", \"score\": 0.25, \"long\": [1,2,3,4,5,6,7,8,9]}\n"
                 "{\"id\": 2, \"model\": \"a\", \"score\": 1}\n"
                 "{\"id\": 2, \"model\": \"b\", \"late\": {\"er\": [true]}, \"score\": 0}\n");
    g = guessed();
    cr_assert_eq(g.profile.n_columns, 4);
    cr_assert_str_eq(g.profile.column[3].name, "late.er", "a list of numbers is of raters");
    cr_assert_eq(g.profile.column[3].filled, 1);
    cr_assert(g.profile.column[2].least == 0.0 && g.profile.column[2].most == 1.0);
    table_guess_free(&g);
}

/* More fields than a table may have, one object within the other. */
static void write_fields(struct regret_buffer *t, size_t n)
{
    regret_buffer_append(t, "{\"a\": {");
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(t, "%s\"f%zu\": %zu", i > 0 ? ", " : "", i, i);
    }
    regret_buffer_append(t, "}}\n");
}

Test(guess_json, what_is_no_table_is_refused)
{
    struct regret_buffer many = REGRET_BUFFER_INIT;
    guess_refuses("t.json", "{\"a\": 1, \"b\": 2}\n", "holds one object");
    guess_refuses("t.json", "[]", "has 0 columns");
    guess_refuses("t.json", "[1, 2]", "t.json:1: record 0 (from 0): must be an object in braces");
    guess_refuses("t.json", "{\"a\": 1}\n[2]\n", "t.json:2: is a JSON array");
    guess_refuses("t.json", "{\"a\": 1, \"b\": 2,\n", "t.json:1:");
    guess_refuses("t.json", "[{\"a\": 1, \"b\": 2}", "is not closed");
    write_fields(&many, PROFILE_COLUMNS);
    write_fields(&many, PROFILE_COLUMNS);
    guess_refuses("t.json", regret_buffer_get(&many), "no two columns look like");
    write_fields(&many, PROFILE_COLUMNS + 3);
    guess_refuses("t.json", regret_buffer_get(&many), "has at least 4097 columns");
    regret_buffer_free(&many);
}

Test(guess_json, a_separator_makes_it_csv)
{
    struct table_guess g;
    sample_write("t.json", "{id},model,score\n1,a,.5\n1,b,1\n2,a,0\n2,b,.75\n");
    cr_assert_eq(
        table_guess_make(&g, sample_path("t.json"), &(struct guess_known){.separator = ','}), 0,
        "%s", regret_error_message());
    cr_assert_not(g.is_json);
    table_guess_free(&g);
}
