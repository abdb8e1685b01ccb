#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(pool_read, .init = sample_hand_written, .fini = sample_cleanup);

Test(pool_read, a_hand_written_pool)
{
    struct regret_pool *p = NULL;
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0, "%s", regret_error_message());
    cr_assert_str_eq(p->name, "hand");
    cr_assert_eq(p->synthetic, 1);
    cr_assert_eq(p->n_agents, 2);
    cr_assert_str_eq(p->agents[0].title, "lead");
    cr_assert_eq(p->agents[0].cost, 1.0);
    cr_assert_eq(p->agents[1].cost, 2.5);
    cr_assert_eq(p->n_segments, 2);
    cr_assert_str_eq(p->segments[1].name, "coverage");
    cr_assert_float_eq(p->segments[1].weights[0], 0.45, 1e-15);
    cr_assert_eq(p->n_outputs, 3);
    /* Sorted: (first, lead, 0), (second, long, 0), (second, long, 1). */
    cr_assert_str_eq(p->outputs[0].text, "");
    cr_assert_str_eq(p->outputs[1].text, "s-long-0");
    cr_assert_str_eq(p->outputs[2].text, "s-long-1");
    /* Keys in another order than declared land where they belong. */
    cr_assert_eq(p->outputs[1].values[0], 0.0);
    cr_assert_eq(p->outputs[1].values[1], 5.0);
    cr_assert_eq(p->outputs[1].values[2], 7.0);
    cr_assert_eq(regret_pool_quality(p, &p->outputs[0], 0), 0.4);
    cr_assert_eq(regret_pool_quality(p, &p->outputs[0], 1), 0.5);
    cr_assert_eq(p->outputs[0].values[3], -1.0);
    cr_assert_eq(strlen(p->digest), 32);
    regret_pool_free(p);
}

/* Replaces the first `old` in p/FILE by `new`. */
static void edit(const char *file, const char *old, const char *new)
{
    char path[64];
    snprintf(path, sizeof path, "p/%s", file);
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, sample_path(path), 1 << 20), 0);
    char *at = strstr(text, old);
    cr_assert_not_null(at, "%s has no %s", file, old);
    size_t size = strlen(text) + strlen(new) + 1;
    char *edited = malloc(size);
    snprintf(edited, size, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    sample_write(path, edited);
    free(edited);
    regret_free(text);
}

struct bad {
    const char *file, *old, *new, *message;
};

static const struct bad BAD[] = {
    /* pool.json */
    {"pool.json", "\"licence\"", "\"license\"",
     "p/pool.json: unknown key \"license\"; did you mean \"licence\"?"},
    {"pool.json", "{\"format\"", "[{\"format\"", "p/pool.json:"},
    {"pool.json", "regret-pool-1", "regret-pool-9", "this version reads \"regret-pool-1\""},
    {"pool.json", "\"hand\"", "\"by hand\"", "the pool name \"by hand\" holds U+0020"},
    {"pool.json", "\"source\": \"a test\",", "", "\"source\" must be a string, but is absent"},
    {"pool.json", "\"synthetic\": true", "\"synthetic\": 1", "\"synthetic\" must be true"},
    {"pool.json", "\"cost\": 2.5", "\"cost\": -1", "the cost of agent \"long\" is -1"},
    {"pool.json", "\"cost\": 2.5", "\"cost\": \"much\"",
     "p/pool.json: agents[1]: \"cost\" must be a number"},
    {"pool.json", "\"cost\": 2.5", "\"costs\": 2.5",
     "agents[1]: unknown key \"costs\"; did you mean \"cost\"?"},
    {"pool.json", "\"id\": \"long\"", "\"id\": \"lead\"", "agent id \"lead\" is given twice"},
    {"pool.json", "\"id\": \"long\"", "\"id\": \"a/b\"", "agent id \"a/b\" holds U+002F"},
    {"pool.json", "\"id\": \"long\"", "\"id\": \"a\\u001bb\"", "agent id \"a?b\" holds U+001B"},
    {"pool.json", "\"id\": \"long\"", "\"id\": \"..\"", "is the name of a folder"},
    {"pool.json", "{\"id\": \"lead\"}", "\"lead\"", "agents[0]: must be an object"},
    {"pool.json", "\"agents\": [{\"id\": \"lead\"}, ", "\"agents\": [], \"aux_\": [",
     "unknown key \"aux_\"; did you mean \"aux\"?"},
    {"pool.json", "\"low\": 0", "\"low\": 5",
     "the range of component \"faithfulness\" is 5 to 5; low must be less than high"},
    {"pool.json", "\"name\": \"coverage\"", "\"name\": \"faithfulness\"",
     "component name \"faithfulness\" is given twice"},
    {"pool.json", "[\"words\"]", "[\"words\", \"words\"]", "aux label name \"words\" is given"},
    {"pool.json", "\"aux\": [\"words\"]", "\"aux\": [\"words\"], \"segments\": []",
     "the pool has no segments"},
    {"pool.json", "\"aux\": [\"words\"]",
     "\"aux\": [\"words\"], \"segments\": [{\"name\": \"s\", \"weights\": "
     "{\"faithfulness\": 0.333, \"coverage\": 0.333}}]",
     "the weights of segment \"s\" sum to 0.666; divide each by that sum"},
    {"pool.json", "\"aux\": [\"words\"]",
     "\"aux\": [\"words\"], \"segments\": [{\"name\": \"s\", \"weights\": "
     "{\"faithfulness\": 1.5, \"coverage\": -0.5}}]",
     "segment \"s\" gives component \"coverage\" the weight -0.5"},
    {"pool.json", "\"aux\": [\"words\"]",
     "\"aux\": [\"words\"], \"segments\": [{\"name\": \"s\", \"weights\": {\"coverag\": 1}}]",
     "segments[0]: \"weights\", by the names of components: unknown key \"coverag\"; did you mean "
     "\"coverage\"?"},
    {"pool.json", "\"synthetic\": true", "\"synthetic\": true, \"homepage\": \"x\"",
     "p/pool.json: unknown key \"homepage\"; remove it; the keys are format, name, title, "},
    {"pool.json", "\"cost\": 2.5", "\"cost\": 2.", "p/pool.json:4:69: \"2.}"},
    {"pool.json", "\"aux\": [\"words\"]",
     "\"aux\": [\"words\"], \"segments\": [{\"name\": \"s\", \"weights\": {\"coverage\": 1}}]",
     "segments[0]: \"weights\", by the names of components: \"faithfulness\" must be a number, but "
     "is absent"},
    {"pool.json", "\"aux\": [\"words\"]",
     "\"aux\": [\"words\"], \"digests\": {\"outputs.jsonl\": \"12\"}",
     "must be 32 hexadecimal digits"},
    {"pool.json", "\"aux\": [\"words\"]",
     "\"aux\": [\"words\"], \"digests\": {\"outputs.jsonl\": \"0123456789abcdef0123456789abcdef\"}",
     "p/outputs.jsonl was changed after the pool was made"},
    /* contexts.jsonl */
    {"contexts.jsonl", "second", "first",
     "p/contexts.jsonl:3: the context id \"first\" is given twice"},
    {"contexts.jsonl", "second", "a\\tb",
     "p/contexts.jsonl:3: the context id \"a?b\" holds U+0009"},
    {"contexts.jsonl", "\"text\": \"Two.\"", "\"txt\": \"Two.\"",
     "p/contexts.jsonl:3: unknown key \"txt\"; did you mean \"text\"?"},
    {"contexts.jsonl", "{\"id\": \"first\", \"text\": \"One.\"}", "[]",
     "contexts.jsonl:1: is a JSON array; JSONL is wanted, one object a line"},
    {"contexts.jsonl", "{\"id\": \"first\", \"text\": \"One.\"}", "3",
     "contexts.jsonl:1: must be one object in braces"},
    {"contexts.jsonl", "One.\"}", "One.\"",
     "contexts.jsonl:1:30: malformed JSON: the line ends too early"},
    {"contexts.jsonl", "One.", "One\xff", "contexts.jsonl:1:29: byte"},
    {"outputs.jsonl", "\"context\": \"second\"", "\"context\": \"secnd\"",
     "p/outputs.jsonl:1: context \"secnd\" is not in contexts.jsonl; did you mean \"second\"?"},
    {"outputs.jsonl", "\"agent\": \"lead\"", "\"agent\": \"led\"",
     "p/outputs.jsonl:2: agent \"led\" is not in the agents of pool.json; did you mean \"lead\"?"},
    {"outputs.jsonl", "\"draw\": 1", "\"draw\": 0",
     "p/outputs.jsonl:3: context \"second\", agent \"long\", draw 0 is given twice, first on line "
     "1"},
    {"outputs.jsonl", "\"draw\": 1", "\"draw\": 2",
     "p/outputs.jsonl:1: context \"second\", agent \"long\", draw 2 leaves a gap"},
    {"outputs.jsonl", "\"draw\": 1", "\"draw\": -1", "\"draw\" must be a whole number"},
    {"outputs.jsonl", "\"faithfulness\": 2", "\"faithfulnes\": 2",
     "p/outputs.jsonl:2: \"components\" holds \"faithfulnes\", which pool.json does not declare; "
     "did you mean \"faithfulness\"?"},
    {"outputs.jsonl", "\"faithfulness\": 2, ", "",
     "p/outputs.jsonl:2: \"components\" lacks \"faithfulness\", which pool.json declares; add it"},
    {"outputs.jsonl", "\"faithfulness\": 2", "\"faithfulness\": \"2\"",
     "p/outputs.jsonl:2: \"components\": \"faithfulness\" must be a number; write it without "
     "quotes"},
    {"outputs.jsonl", "\"unsupported_claims\": 0", "\"unsupported_claims\": true",
     "\"counts\": \"unsupported_claims\" must be a number"},
    {"outputs.jsonl", "\"faithfulness\": 2", "\"faithfulness\": 5.1",
     "p/outputs.jsonl:2: component \"faithfulness\" is 5.1, outside its range 0 to 5"},
    {"outputs.jsonl", "\"coverage\": 3", "\"coverage\": NaN",
     "outputs.jsonl:2:97: NaN and Infinity"},
    {"outputs.jsonl", "\"coverage\": 3", "\"coverage\": 1e999",
     "outputs.jsonl:2: \"coverage\" is a number too large"},
    {"outputs.jsonl", "\"coverage\": 3", "\"coverage\": 3, \"coverage\": 3",
     "key \"coverage\" is given twice"},
    {"outputs.jsonl", "\"unsupported_claims\": 0", "\"unsupported_claims\": -1",
     "p/outputs.jsonl:2: count \"unsupported_claims\" is -1; it must be a whole number >= 0"},
    {"outputs.jsonl", "\"counts\": {\"unsupported_claims\": 0}, ", "",
     "p/outputs.jsonl:2: \"counts\" must be an object, but is absent"},
    {"outputs.jsonl", "\"text\": \"\"", "\"text\": \"\x1b[31m\"", "a control character"},
};

Test(pool_read, booleans_are_scores)
{
    struct regret_pool *p = NULL;
    sample_hand_written();
    edit("outputs.jsonl", "\"faithfulness\": 2, \"coverage\": 3",
         "\"faithfulness\": false, \"coverage\": true");
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), 0, "%s", regret_error_message());
    cr_assert(p->outputs[0].values[0] == 0.0 && p->outputs[0].values[1] == 1.0);
    regret_pool_free(p);
}

Test(pool_read, bad_pools_are_refused_with_file_line_field_and_remedy)
{
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        sample_hand_written();
        edit(BAD[i].file, BAD[i].old, BAD[i].new);
        struct regret_pool *p = NULL;
        int rc = regret_pool_read(&p, sample_path("p"));
        cr_assert_eq(rc, REGRET_E_INPUT, "%s was accepted as %s (%d)", BAD[i].old, BAD[i].new, rc);
        cr_assert_null(p);
        cr_expect_not_null(strstr(regret_error_message(), BAD[i].message), "\"%s\" lacks \"%s\"",
                           regret_error_message(), BAD[i].message);
    }
}

static void refused(const char *message)
{
    struct regret_pool *p = NULL;
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), REGRET_E_INPUT);
    cr_assert_null(p);
    cr_expect_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                       regret_error_message(), message);
}

/* Lines are parsed by several threads, some batches of them: what is told is what the first faulty line is. */
Test(pool_read, the_first_fault_is_told_by_any_number_of_threads)
{
    enum { LINES = 20000, BAD_DRAW = 17001, BAD_JSON = 17003 };
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (int i = 1; i <= LINES; i++) {
        regret_buffer_printf(
            &text,
            "{\"context\": \"first\", \"agent\": \"lead\", \"draw\": %d, \"text\": "
            "\"t\", \"components\": {\"faithfulness\": 2, \"coverage\": 3}, "
            "\"counts\": {\"unsupported_claims\": 0}, \"aux\": {\"words\": 0}}%s\n",
            i == BAD_DRAW ? -1 : i, i == BAD_JSON ? "}" : "");
    }
    sample_write("p/outputs.jsonl", regret_buffer_get(&text));
    for (size_t threads = 1; threads <= 7; threads += 3) {
        size_t before = regret_threads_allow(threads);
        refused("p/outputs.jsonl:17001: \"draw\"");
        regret_threads_restore(&before);
    }
    regret_buffer_free(&text);
}

Test(pool_read, empty_and_missing_files)
{
    sample_write("p/outputs.jsonl", "\n");
    refused("p/outputs.jsonl: the pool has no outputs; add at least one");
    sample_write("p/contexts.jsonl", "");
    refused("p/contexts.jsonl: the pool has no contexts; add at least one");
    cr_assert_eq(unlink(sample_path("p/contexts.jsonl")), 0);
    refused("p/contexts.jsonl is missing; a pool folder holds");
    sample_write("p/pool.json", "{\"format\": \"regret-pool-1\", \"name\": \"n\", \"title\": \"\", "
                                "\"version\": \"\", \"licence\": \"\", \"source\": \"\", "
                                "\"synthetic\": false, \"agents\": []}");
    refused("p/pool.json: \"agents\" is empty; add at least one");
    struct regret_pool *p = NULL;
    cr_assert_eq(regret_pool_read(&p, "/nowhere/at/all"), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "is not a folder"));
}

Test(pool_read, nothing_outside_the_folder_is_read)
{
    cr_assert_eq(rename(sample_path("p/outputs.jsonl"), sample_path("elsewhere.jsonl")), 0);
    cr_assert_eq(symlink("../elsewhere.jsonl", sample_path("p/outputs.jsonl")), 0);
    refused("p/outputs.jsonl is not a regular file; a pool is read from its own folder only");
}

Test(pool_read, the_card)
{
    char *card = (char *)"untouched";
    cr_assert_eq(regret_pool_read_card(&card, sample_path("p")), 0);
    cr_assert_null(card);
    sample_write("p/README.md", "# A card");
    cr_assert_eq(regret_pool_read_card(&card, sample_path("p")), 0);
    cr_assert_str_eq(card, "# A card");
    regret_free(card);
    cr_assert_eq(unlink(sample_path("p/README.md")), 0);
    cr_assert_eq(symlink("/etc/passwd", sample_path("p/README.md")), 0);
    cr_assert_eq(regret_pool_read_card(&card, sample_path("p")), REGRET_E_INPUT);
}

Test(pool_read, too_many_names_are_refused)
{
    struct regret_pool *p = NULL;
    size_t n = (size_t)REGRET_POOL_MAX_AUX + 1;
    char *names = malloc(n * 8 + 32), *at = names + sprintf(names, "[");
    for (size_t i = 0; i < n; i++) {
        at += sprintf(at, "%s\"a%zu\"", i ? "," : "", i);
    }
    sprintf(at, "]");
    edit("pool.json", "[\"words\"]", names);
    free(names);
    cr_assert_eq(regret_pool_read(&p, sample_path("p")), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "\"aux\" has 257 entries; at most 256"));
}

Test(pool_read, changed_files_are_noticed)
{
    struct sample_shape shape = {3, 2, 1, 0.0, 4, 1};
    struct regret_pool *pool = sample_pool(&shape);
    cr_assert_eq(regret_pool_write(pool, sample_path("p"), NULL, 1), 0);
    regret_pool_free(pool);
    pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    char before[33];
    strcpy(before, pool->digest);
    regret_pool_free(pool);
    edit("contexts.jsonl", "article 1", "article 7");
    refused("p/contexts.jsonl was changed after the pool was made");
    edit("pool.json", "\"digests\"", "\"digest\"");
    refused("did you mean \"digests\"?");
    edit("pool.json", "\"digest\": {", "\"digests\": {}, \"aux\": [");
    refused("pool.json");
    cr_assert_eq(strlen(before), 32);
}
