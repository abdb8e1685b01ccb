#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/importer.h"
#include "import/summary_scores.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/text.h"

TestSuite(pool_import, .fini = sample_cleanup);

#define SCORES                                                                                     \
    "\"scores\": {\"coherence\": 2, \"consistency\": 3.5, \"fluency\": 4, \"relevance\": 1, "      \
    "\"overall\": 9}"
#define RECORD(doc, system)                                                                        \
    "{\"doc_id\": \"" doc "\", \"system_id\": \"" system "\", \"source\": \"The " doc              \
    " cat sat on the mat.\", \"reference\": \"A cat sat.\", \"system_output\": \"a cat "           \
    "sat\", " SCORES "}"

static const char SMALL[] = "[" RECORD("b", "M10") ",\n" RECORD("a", "M2") ",\n" RECORD(
    "b", "M2") ",\n" RECORD("a", "M10") "]";

static struct regret_pool *imported(const char *json, const struct regret_import_options *options,
                                    struct regret_import_report *report)
{
    struct regret_pool *pool = NULL;
    sample_write("in.json", json);
    cr_assert_eq(
        regret_import_summeval(report, sample_path("in.json"), sample_path("p"), options, 1), 0,
        "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

#define AUTHORS(doc, system)                                                                       \
    "{\"id\": \"" doc "\", \"model_id\": \"" system "\", \"text\": \"The " doc                     \
    " cat sat on the mat.\", \"references\": [\"A cat sat.\", \"Cats sit.\"], \"decoded\": "       \
    "\"a cat sat\", \"expert_annotations\": [{\"coherence\": 1, \"consistency\": 3, \"fluency\": " \
    "5, \"relevance\": 1}, {\"coherence\": 3, \"consistency\": 4, \"fluency\": 3, \"relevance\": " \
    "1}], \"turker_annotations\": [{\"coherence\": 5, \"consistency\": 5, \"fluency\": 5, "        \
    "\"relevance\": 5}]}"

/* The file of the authors, whose experts' means those of G-Eval are, makes the same outputs. */
Test(pool_import, as_its_authors_publish_it)
{
    struct regret_import_report report;
    struct regret_pool *pool = imported(SMALL, NULL, &report),
                       *other = imported(AUTHORS("b", "M10") "\n" AUTHORS("a", "M2") "\n" AUTHORS(
                                             "b", "M2") "\n" AUTHORS("a", "M10") "\n",
                                         NULL, &report);
    cr_assert(report.contexts == 2 && report.agents == 2 && report.outputs == 4);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *a = &pool->outputs[i], *b = &other->outputs[i];
        cr_expect(a->context == b->context && a->agent == b->agent);
        cr_expect_arr_eq(a->values, b->values, 6 * sizeof *a->values);
    }
    cr_expect_str_eq(other->contexts[0].text, pool->contexts[0].text);
    cr_expect_not_null(strstr(other->source, "the layout of its authors"));
    regret_pool_free(pool);
    regret_pool_free(other);
    sample_write("in.json", "{\"id\": \"b\", \"model_id\": \"M1\", \"expert_annotations\": []}\n");
    cr_assert_eq(regret_import_summeval(NULL, sample_path("in.json"), sample_path("q"), NULL, 0),
                 REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "in.json:1: the record has no \"text\""),
                       "%s", regret_error_message());
}

Test(pool_import, conciseness_falls_with_length_and_repetition)
{
    uint64_t distinct[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, scratch[12];
    cr_assert_eq(summary_conciseness(distinct, 0, 4, scratch), 1.0);
    cr_assert_eq(summary_conciseness(distinct, 2, 4, scratch), 5.0);
    cr_assert_eq(summary_conciseness(distinct, 4, 4, scratch), 5.0);
    cr_assert_eq(summary_conciseness(distinct, 8, 4, scratch), 3.0);
    cr_assert_eq(summary_conciseness(distinct, 12, 4, scratch), 1.0);
    /* 1 2 1 2 1 2: trigrams 121 212 121 212, two of four distinct. */
    uint64_t repeated[6] = {1, 2, 1, 2, 1, 2};
    cr_assert_eq(summary_conciseness(repeated, 6, 6, scratch), 3.0);
}

struct bad {
    const char *old, *new, *message;
};

/* The same four records in every form make the same pool. */
Test(pool_import, forms_of_the_file)
{
#define R1 RECORD("b", "M10")
#define R2 RECORD("a", "M2")
#define R3 RECORD("b", "M2")
#define R4 RECORD("a", "M10")
#define ARRAY "[" R1 ",\n" R2 ",\n" R3 ",\n" R4 "]"
    static const char *const FORMS[] = {
        R1 "\n" R2 "\r\n\n" R3 "\n" R4 "\n", "{\"x\": 1, \"data\": " ARRAY "}",
        "{\n\"data\": " ARRAY ", \"x\": 1\n}",
        "{\"0\": " R1 ", \"1\": " R2 ", \"x\": " R3 ", \"y\": " R4 "}"};
    char digest[33];
    regret_pool_free(imported(SMALL, NULL, NULL));
    struct regret_pool *pool = sample_without_history("p");
    strcpy(digest, pool->digest);
    regret_pool_free(pool);
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        regret_pool_free(imported(FORMS[i], NULL, NULL));
        pool = sample_without_history("p");
        cr_expect_str_eq(pool->digest, digest, "form %zu", i);
        regret_pool_free(pool);
    }
    sample_write("in.json", R1 "\n" R2 "\n{\"doc_id\": \"c\"}\n");
    cr_assert_eq(regret_import_summeval(NULL, sample_path("in.json"), sample_path("p"), NULL, 1),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "in.json:3: \"system_id\" is absent"));
}

/* More documents than the table of their ids has room for at first. */
Test(pool_import, many_documents_are_told_apart, .timeout = 60)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_import_report report;
    for (int i = 0; i < 2000; i++) {
        regret_buffer_printf(&text,
                             "{\"doc_id\": \"d%d\", \"system_id\": \"s%d\", \"source\": \"x%d\", "
                             "\"reference\": \"x\", \"system_output\": \"x\", " SCORES "}\n",
                             i % 700, i / 700, i % 700);
    }
    struct regret_pool *pool = imported(regret_buffer_get(&text), NULL, &report);
    cr_assert(report.contexts == 700 && report.agents == 3 && report.outputs == 2000);
    cr_assert_str_eq(pool->contexts[699].id, "d699");
    regret_pool_free(pool);
    regret_buffer_free(&text);
}

static const struct regret_output *find(const struct regret_pool *pool, const char *context,
                                        const char *agent)
{
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (strcmp(pool->contexts[o->context].id, context) == 0 &&
            strcmp(pool->agents[o->agent].id, agent) == 0) {
            return o;
        }
    }
    cr_assert_fail("no output of %s on %s", agent, context);
    return NULL;
}

static void expect(const struct regret_pool *pool, const char *context, const char *agent,
                   const double values[6])
{
    const struct regret_output *o = find(pool, context, agent);
    for (int k = 0; k < 6; k++) {
        cr_expect_float_eq(o->values[k], values[k], 1e-9, "%s %s value %d is %.17g", context, agent,
                           k, o->values[k]);
    }
}

/* Values worked out apart from the library: the scores from the file, tokens and trigrams by a
 * regular expression. */
Test(pool_import, the_real_file)
{
    const char *shared = getenv("REGRET_SHARED_DATA");
    char path[512];
    snprintf(path, sizeof path, "%s/summeval/summeval.json",
             shared != NULL ? shared : REGRET_SOURCE_FOLDER "/../shared/data");
    if (!regret_file_exists(path)) {
        cr_skip_test("summeval/summeval.json is not there; set REGRET_SHARED_DATA");
    }
    struct regret_import_report report;
    cr_assert_eq(regret_import_summeval(&report, path, sample_path("p"), NULL, 0), 0, "%s",
                 regret_error_message());
    cr_assert(report.contexts == 100 && report.agents == 16 && report.outputs == 1600);
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    const char *agents[] = {"M0",  "M1",  "M2",  "M5",  "M8",  "M9",  "M10", "M11",
                            "M12", "M13", "M14", "M15", "M17", "M20", "M22", "M23"};
    for (size_t a = 0; a < 16; a++) {
        cr_assert_str_eq(pool->agents[a].id, agents[a]);
    }
    const char first[] = "dm-test-8764fb95bfad8ee849274873a92fb8d6b400eee2";
    cr_assert_str_eq(pool->contexts[0].id, first);
    /* faithfulness, coverage, clarity, conciseness, unsupported_claims, words */
    expect(pool, first, "M11", (double[]){1.0, 1.6667, 2.16665, 3.7895, 4, 61});
    expect(pool, first, "M17", (double[]){5.0, 3.6667, 4.16665, 5.0, 0, 35});
    expect(pool, "dm-test-4a593dc4c7e0b4d09bfdc66bb315c47b54eb15df", "M11",
           (double[]){5.0, 2.3333, 2.66665, 4.8333, 0, 52});
    expect(pool, "dm-test-e880fda4c25289f8325574246f0f8ed4ff5eb26b", "M9",
           (double[]){5.0, 5.0, 3.83335, 3.7437, 0, 69});
    regret_pool_free(pool);
}
