/* What stands where in a table, guessed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "import/guess/guess.h"
#include "import/guess_checks.h"
#include "pool/sample.h"
#include "regret/agreement.h"
#include "regret/buffer.h"
#include "regret/import.h"
#include "regret/json.h"

TestSuite(guess, .fini = sample_cleanup);

enum { CONTEXTS = 12, AGENTS = 3 };

/* A table of CONTEXTS × AGENTS rows: `row` writes one. */
static void write_table(const char *header,
                        void (*row)(struct regret_buffer *out, size_t context, size_t agent))
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, header);
    for (size_t i = 0; i < (size_t)CONTEXTS * AGENTS; i++) {
        row(&text, i / AGENTS, i % AGENTS);
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

static struct table_guess guessed(char separator)
{
    struct table_guess g;
    cr_assert_eq(
        table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){.separator = separator}),
        0, "%s", regret_error_message());
    return g;
}

static void has_role(const struct table_guess *g, const char *column, enum guess_role role)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (strcmp(g->profile.column[k].name, column) == 0) {
            cr_assert_eq(g->role[k], role, "%s is %d, not %d", column, (int)g->role[k], (int)role);
            return;
        }
    }
    cr_assert_fail("no column %s", column);
}

static void judged(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "d%zu,news%zu,\"the whole story no. %zu, at length\",sys%zu,", c,
                         c % 2, c, a);
    regret_buffer_printf(out, "\"what %zu said of %zu\",%zu,%.2f,%zu,%.3f\n", a, c, 1 + (c + a) % 5,
                         0.25 * (double)((c + 2 * a) % 5), 20 + c * a, 0.001 * (double)(a + 1));
}

#define JUDGED "doc_id,section,article,system,summary,relevance,quality_score,n_words,cost_usd\n"

Test(guess, a_table_of_judged_texts)
{
    write_table(JUDGED, judged);
    struct table_guess g = guessed(0);
    has_role(&g, "doc_id", GUESS_CONTEXT);
    has_role(&g, "section", GUESS_TAG);
    has_role(&g, "article", GUESS_TEXT);
    has_role(&g, "system", GUESS_AGENT);
    has_role(&g, "summary", GUESS_OUTPUT);
    has_role(&g, "relevance", GUESS_COMPONENT);
    has_role(&g, "quality_score", GUESS_COMPONENT);
    has_role(&g, "n_words", GUESS_AUX);
    has_role(&g, "cost_usd", GUESS_COST);
    cr_assert(g.contexts == CONTEXTS && g.agents == AGENTS && g.pairs == (size_t)CONTEXTS * AGENTS);
    cr_assert_eq(g.separator, ',');
    table_guess_free(&g);
}

static void nameless(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "%zu;a%zu;reply %zu to %zu;%.1f\n", 100 + c, a, a, c,
                         0.1 * (double)((3 * c + a) % 11));
}

/* By contents alone: who repeats, what a row is told by, what varies; the separator, too. */
Test(guess, names_are_not_needed)
{
    write_table("x1;x2;x3;x4\n", nameless);
    struct table_guess g = guessed(0);
    cr_assert_eq(g.separator, ';');
    has_role(&g, "x1", GUESS_CONTEXT);
    has_role(&g, "x2", GUESS_AGENT);
    has_role(&g, "x3", GUESS_OUTPUT);
    has_role(&g, "x4", GUESS_COMPONENT);
    table_guess_free(&g);
}

/* 250 bytes tell a context that has no id. */
static void told_by_text(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "instruction %zu %0240d,kind%zu,m%zu,answer %zu %zu,%zu\n", c, 0,
                         c % 2, a, a, c, (c + a) % 2);
}

Test(guess, a_context_may_be_told_by_its_text)
{
    struct regret_table_report r;
    write_table("instruction,dataset,generator,output,preference\n", told_by_text);
    struct table_guess g = guessed(',');
    has_role(&g, "instruction", GUESS_CONTEXT);
    has_role(&g, "dataset", GUESS_TAG);
    cr_assert_eq(guess_imports(&r, &g, "t.csv"), 1);
    cr_assert(r.contexts == CONTEXTS && r.agents == AGENTS &&
              r.outputs == (size_t)CONTEXTS * AGENTS);
    table_guess_free(&g);
}

static void with_gold(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(
        out, "What is %zu?,m%zu,reply %zu %zu,It is %zu and much more to be read,%c,%zu\n", c, a, a,
        c, c, "ABCD"[c % 4], (c + a) % 2);
}

/* The answer that is known to be good is not what was asked, whatever its length; nor is it known of new requests. */
Test(guess, a_good_answer_is_no_text)
{
    static const char *const heads[] = {"question,model,answer,gold,target,passed\n",
                                        "prompt,model,response,reference,correct_target,score\n",
                                        "instruction,llm,output,expected,gold_label,rating\n"};
    static const char *const names[][3] = {{"question", "gold", "target"},
                                           {"prompt", "reference", "correct_target"},
                                           {"instruction", "expected", "gold_label"}};
    for (size_t i = 0; i < 3; i++) {
        write_table(heads[i], with_gold);
        struct table_guess g = guessed(',');
        has_role(&g, names[i][0], GUESS_CONTEXT);
        has_role(&g, names[i][1], GUESS_NONE);
        has_role(&g, names[i][2], GUESS_NONE);
        cr_expect_eq(g.at[GUESS_TEXT], GUESS_NO_COLUMN, "the request is its text");
        cr_expect_eq(g.at[GUESS_TAG], GUESS_NO_COLUMN);
        table_guess_free(&g);
    }
}

/* The map is one that import takes as it stands, and the configuration one that a plan can be read of. */
Test(guess, what_is_written_can_be_used)
{
    struct regret_table_report r;
    struct regret_buffer config = REGRET_BUFFER_INIT;
    cJSON *json = NULL;
    write_table(JUDGED, judged);
    struct table_guess g = guessed(0);
    cr_assert_eq(guess_imports(&r, &g, "t.csv"), 3);
    cr_assert_eq(r.outputs, (size_t)CONTEXTS * AGENTS);
    table_guess_config(&config, &g);
    cr_assert_eq(regret_json_parse(&json, regret_buffer_get(&config), config.length,
                                   (struct regret_place){"config", 0}),
                 0);
    cr_assert_not_null(strstr(regret_buffer_get(&config), "\"router.slate\": 3"));
    cr_assert_not_null(strstr(regret_buffer_get(&config), "\"beta\": [0, 0.5, 1]"));
    cJSON_Delete(json);
    regret_buffer_free(&config);
    table_guess_free(&g);
}

static void priced(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "c%zu,m%zu,answer %zu %zu,%zu,%zu\n", c, a, a, c, (c + a) % 3, a + 1);
}

static void priced_alike(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "c%zu,m%zu,answer %zu %zu,%zu,2\n", c, a, a, c, (c + a) % 3);
}

/* Curves of value against cost where answers cost something, and not all the same. */
Test(guess, costs_that_differ_are_looked_at)
{
    static void (*const tables[])(struct regret_buffer *, size_t, size_t) = {priced, priced_alike};
    for (size_t i = 0; i < 2; i++) {
        struct regret_buffer config = REGRET_BUFFER_INIT;
        write_table("prompt,model,answer,score,cost\n", tables[i]);
        struct table_guess g = guessed(',');
        has_role(&g, "cost", i == 0 ? GUESS_COST : g.role[4]);
        table_guess_config(&config, &g);
        cr_expect_eq(strstr(regret_buffer_get(&config), "\"costs.enabled\": true") != NULL, i == 0);
        regret_buffer_free(&config);
        table_guess_free(&g);
    }
}

static void patched(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "i%zu,\"the issue no. %zu, as told\",s%zu,", c, c, a);
    regret_buffer_printf(
        out, "\"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y%zu\n\",%s,%zu\n",
        10 * c + a, (c + a) % 3 == 0 ? "True" : "False", c * a);
}

Test(guess, outputs_may_be_patches)
{
    struct regret_table_report r;
    write_table("issue,problem,system,patch,resolved,seconds\n", patched);
    struct table_guess g = guessed(0);
    has_role(&g, "patch", GUESS_OUTPUT);
    cr_assert_str_eq(g.profile.column[g.success].name, "resolved");
    cr_assert_geq(guess_imports(&r, &g, "t.csv"), 4, "size, locality and focus are computed");
    cr_assert_eq(r.without_diff, 0);
    table_guess_free(&g);
}

static void says(const struct table_guess *g, const char *words)
{
    struct regret_buffer said = REGRET_BUFFER_INIT;
    table_guess_explain(&said, g);
    cr_assert_not_null(strstr(regret_buffer_get(&said), words), "\"%s\" is not in\n%s", words,
                       regret_buffer_get(&said));
    regret_buffer_free(&said);
}

static void scores_alone(struct regret_buffer *out, size_t c, size_t a)
{
    if (c == 0 && a == 0) {
        return; /* a hole */
    }
    regret_buffer_printf(out, "p%zu,m%zu,%zu\n", c, a, (c + a) % 11);
    if (c == 1) {
        regret_buffer_printf(out, "p%zu,m%zu,\n", c, a);
    }
}

Test(guess, what_is_missing_is_said)
{
    write_table("prompt_id,model,judge\n", scores_alone);
    struct table_guess g = guessed(0);
    says(&g, "No column holds what the agents wrote");
    says(&g, "No column holds the text of a context");
    says(&g, "Without holes are about 11 contexts of 3 agents");
    says(&g, "3 rows are of a pair that has one before");
    says(&g, "3 rows or more lack a score");
    says(&g, "judge, 0 to 10 (found: 0 to 10)");
    says(&g, "12 contexts are few");
    says(&g, "confounding (beta) changes nothing");
    table_guess_free(&g);
}

static void options_are(const struct table_guess *g, const char *wanted)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    table_guess_options(&text, g);
    cr_assert_str_eq(regret_buffer_get(&text), wanted);
    regret_buffer_free(&text);
}

static void indexed_row(struct regret_buffer *out, size_t c, size_t a)
{
    if (a < 3) {
        regret_buffer_printf(out, "%zu;d%zu;m%zu;0.%zu;$1,%zu00.50\n", 3 * c + a, c, a,
                             (c + a) % 10, 1 + c % 9);
        regret_buffer_printf(out, "%zu;d%zu;m%zu;%s;0,5\n", 3 * c + a, c, a, c == 1 ? "NA" : "0.5");
    }
}

static void three_draws(struct regret_buffer *out, size_t c, size_t a)
{
    for (size_t i = 0; i < 3; i++) {
        regret_buffer_printf(out, "p%zu,m%zu,%zu,%zu\n", c, a, 1 + (c + a) % 3 + i,
                             1 + (c + i) % 5);
    }
}

/* Three draws a pair make no wide table of two columns of scores. */
Test(guess, draws_of_a_pair_are_no_wide_table)
{
    write_table("prompt_id,model,score_helpful,score_accurate\n", three_draws);
    struct table_guess g = guessed(0);
    cr_assert(!g.is_wide && g.agents == AGENTS && g.pairs == (size_t)CONTEXTS * AGENTS);
    has_role(&g, "score_helpful", GUESS_COMPONENT);
    has_role(&g, "score_accurate", GUESS_COMPONENT);
    says(&g, "for further draws of it; say so if only one counts. A pair counts by the mean of its "
             "draws, whose scores differ by 1 (standard deviation).");
    options_are(&g, " --repeats draws");
    table_guess_free(&g);
}

/* The index that pandas writes has no name to map; prices with signs are neither numbers nor texts; every pair
 * stands twice, and some scores are missing. */
Test(guess, columns_that_import_cannot_take)
{
    struct table_guess g;
    write_table(";doc;system;score;cost\n", indexed_row);
    g = guessed(0);
    cr_assert_eq(g.role[0], GUESS_NONE);
    has_role(&g, "score", GUESS_COMPONENT);
    has_role(&g, "cost", GUESS_NONE);
    cr_assert_eq(g.at[GUESS_OUTPUT], GUESS_NO_COLUMN);
    says(&g, "left out   (a column without a name)");
    says(&g, "--repeats draws takes them for further draws");
    options_are(&g, " --separator ';' --repeats draws --drop-unscored");
    table_guess_free(&g);
    guess_refuses("t.csv", "doc,system,score\na,x,45%\na,y,50%\nb,x,1%\nb,y,NA\n", "holds \"45%\"");
    guess_refuses("t.csv", "d\xe9,system,score\na,x,1\n", "iconv -f WINDOWS-1252 -t UTF-8");
}

/* ---------------------------------------------------------------- wide tables */

static void wide_row(struct regret_buffer *out, size_t c, size_t a)
{
    if (a == 0) { /* a row a context: gpt-4, "é, 2" and m.3; the last wrote nothing to p3 */
        regret_buffer_printf(out, "p%zu,\"what is %zu,\nplease\",set%zu,%zu,%.2f,%s,", c, c, c % 3,
                             c % 2, 0.1 * (double)(c % 11),
                             c == 3       ? ""
                             : c % 3 == 0 ? "1"
                                          : "0");
        regret_buffer_printf(out, "four %zu,two %zu,%s,0.5,0.25,%s\n", c, c, c == 3 ? "" : "three",
                             c == 3 ? "" : "1.5");
    }
}

#define WIDE                                                                                        \
    "sample_id,prompt,eval_name,gpt-4,\"é, 2\",m.3,gpt-4|model_response,\"é, 2|model_response\"," \
    "m.3|model_response,gpt-4|total_cost,\"é, 2|total_cost\",m.3|total_cost\n"

Test(guess, a_wide_table)
{
    struct regret_table_report r;
    write_table(WIDE, wide_row);
    struct table_guess g = guessed(0);
    cr_assert(g.is_wide && !g.is_either && g.wide.n_agents == 3 && g.wide.n_fields == 3);
    has_role(&g, "sample_id", GUESS_CONTEXT);
    has_role(&g, "prompt", GUESS_TEXT);
    has_role(&g, "eval_name", GUESS_TAG);
    has_role(&g, "m.3", GUESS_OWN);
    says(&g, "A wide table, a row a context. The agents: gpt-4, é, 2, m.3");
    says(&g, "component  {agent}, 0 to 1");
    says(&g, "output     {agent}|model_response");
    says(&g, "cost       {agent}|total_cost");
    cr_assert_eq(guess_imports(&r, &g, "t.csv"), 1);
    cr_assert(r.contexts == CONTEXTS && r.agents == 3 && r.blank == 1 && r.bad == 0 &&
              r.outputs == (size_t)3 * CONTEXTS - 1 && r.outputs == g.pairs);
    table_guess_free(&g);
}

static void named_row(struct regret_buffer *out, size_t c, size_t a)
{
    if (a == 0) {
        regret_buffer_printf(out, "p%zu,what is %zu,%zu,%zu,%zu\n", c, c, 1 + c % 5,
                             1 + (c + 1) % 5, 1 + (c + 3) % 5);
    }
}

/* What agents' names begin or end with is theirs, unless it is what the columns measure. */
Test(guess, names_of_agents_stay_whole)
{
    static const struct {
        const char *columns, *said;
    } tables[] = {
        {"id,prompt,gpt-3.5,gpt-4,gpt-4o\n", "The agents: gpt-3.5, gpt-4, gpt-4o"},
        {"id,prompt,opus-turbo,4-turbo,x-turbo\n", "The agents: opus-turbo, 4-turbo, x-turbo"},
        {"id,prompt,score_opus,score_gpt-4,score_x\n", "The agents: opus, gpt-4, x"},
        {"id,prompt,opus rating,gpt-4 rating,x rating\n", "The agents: opus, gpt-4, x"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct regret_table_report r;
        write_table(tables[i].columns, named_row);
        struct table_guess g = guessed(0);
        says(&g, tables[i].said);
        cr_assert_eq(guess_imports(&r, &g, "t.csv"), 1);
        cr_assert(r.agents == 3 && r.outputs == (size_t)3 * CONTEXTS);
        table_guess_free(&g);
    }
}

static void slipped_row(struct regret_buffer *out, size_t c, size_t a)
{
    const char *word = (c + a) % 2 == 0 ? "yes" : "No";
    regret_buffer_printf(out, "p%zu,what is %zu,m%zu,%s\n", c == 3 && a == 1 ? 4 : c, c, a, word);
}

/* One id is another's in one row: requests are told apart by their texts, and it is said that ids are lost. */
Test(guess, an_id_that_slips_is_named_and_words_are_told)
{
    write_table("id,prompt,model,passed\n", slipped_row);
    struct table_guess g = guessed(0);
    has_role(&g, "prompt", GUESS_CONTEXT);
    says(&g, "Column id (12 values) does not tell the 12 contexts apart");
    says(&g, "found: 0 to 1); yes, pass and true are 1, their opposites 0");
    table_guess_free(&g);
}

/* A short id before the prompts is what rows are joined by. */
Test(guess, a_short_id)
{
    write_table("qid,prompt,eval_name,gpt-4,\"é, 2\",m.3,a,b,c,d,e,f\n", wide_row);
    struct table_guess g = guessed(0);
    has_role(&g, "qid", GUESS_CONTEXT);
    has_role(&g, "prompt", GUESS_TEXT);
    table_guess_free(&g);
}

static void plain_row(struct regret_buffer *out, size_t c, size_t a)
{
    if (a == 0) {
        regret_buffer_printf(out, "the question no. %zu,%.1f,%.1f,%.1f,%.1f,%zu\n", c,
                             0.1 * (double)(c % 11), 0.1 * (double)(c % 4), 0.1 * (double)(c % 7),
                             0.1 * (double)(c % 3), 100 + 7 * c);
    }
}

/* Scores alone: by their scale. Two names that end alike do not hide the four. */
Test(guess, a_leaderboard)
{
    struct regret_table_report r;
    write_table("question,gpt-4,claude_x,llama_x,m,n_words\n", plain_row);
    struct table_guess g = guessed(0);
    cr_assert(g.is_wide && g.wide.n_agents == 4 && g.wide.n_fields == 1);
    has_role(&g, "n_words", GUESS_NONE);
    cr_assert_eq(guess_imports(&r, &g, "t.csv"), 1);
    cr_assert(r.outputs == (size_t)4 * CONTEXTS);
    table_guess_free(&g);
}

static void missing_row(struct regret_buffer *out, size_t c, size_t a)
{
    if (a == 0) {
        regret_buffer_printf(out, "q%zu,%zu,%s,%s,%zu\n", c, 1 + c % 6,
                             c == 2  ? "NA"
                             : c % 2 ? "1"
                                     : "6",
                             c % 5 == 0 ? "NaN" : "3", 1 + c % 4);
    }
}

/* Columns in which some numbers are missing are agents as the others are. */
Test(guess, missing_numbers)
{
    struct regret_table_report r;
    write_table("id,A,B,C,D\n", missing_row);
    struct table_guess g = guessed(0);
    cr_assert(g.is_wide && g.wide.n_agents == 4 && g.wide.n_fields == 1);
    says(&g, "The grid has holes");
    cr_assert_eq(guess_imports(&r, &g, "t.csv"), 1);
    cr_assert(r.bad == 0 && r.blank == 1 + (CONTEXTS + 4) / 5);
    cr_assert_eq(r.outputs, g.pairs);
    table_guess_free(&g);
}

static void headed_row(struct regret_buffer *out, size_t c, size_t a)
{
    if (a == 0) {
        regret_buffer_printf(out, "%zu,text %zu,%zu,%zu,%zu,%zu,a%zu,b%zu\n", c, c, 1 + c % 5,
                             1 + c % 4, 1 + c % 3, 1 + c % 5, c, c);
    }
}

/* What comes again may stand before the agents' names, over a break of two characters. */
Test(guess, names_with_a_head)
{
    struct regret_table_report r;
    write_table("id,text,clarity: a,clarity: b,fluency: a,fluency: b,output: a,output: b\n",
                headed_row);
    struct table_guess g = guessed(0);
    cr_assert(g.is_wide && g.wide.n_agents == 2 && g.n_components == 2);
    cr_assert_str_eq(g.wide.agent[1], "b");
    cr_assert_eq(guess_imports(&r, &g, "t.csv"), 2);
    table_guess_free(&g);
}

static void rated_row(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "o%zu,d%zu,s%zu,%zu,%zu\n", 100 * c + a, c, a, c % 5 + a % 2,
                         (c + a) % 6);
}

static void rated(struct regret_buffer *out, size_t c, size_t a)
{
    static const char *const WHO[] = {"ann", "bo", "cy"};
    for (size_t r = 0; r < 3; r++) {
        regret_buffer_printf(out, "q%zu,what is %zu?,m%zu,%s,%zu,%zu,%zu\n", c, c, a, WHO[r], r + 1,
                             1 + (3 * c + 2 * a + r * c % 2) % 5, 1 + (c + a + r * a % 2) % 5);
    }
}

/* Three of many crowd workers. */
static void rated_by_some(struct regret_buffer *out, size_t c, size_t a)
{
    for (size_t r = 0; r < 3; r++) {
        regret_buffer_printf(out, "q%zu,what is %zu?,m%zu,w%zu,%zu\n", c, c, a,
                             (5 * c + 3 * a + 2 * r) % 17, 1 + (c + 2 * a + r) % 5);
    }
}

static double alpha_by_hand(size_t which)
{
    double value[CONTEXTS * AGENTS * 3];
    for (size_t i = 0; i < (size_t)CONTEXTS * AGENTS * 3; i++) {
        size_t c = i / 3 / AGENTS, a = i / 3 % AGENTS, r = i % 3;
        value[i] =
            1.0 + (double)(which == 0 ? (3 * c + 2 * a + r * c % 2) % 5 : (c + a + r * a % 2) % 5);
    }
    return regret_krippendorff_alpha(value, (size_t)CONTEXTS * AGENTS, 3);
}

/* Who has rated a row, by name or by number, is no agent and no score; nor is a judge's score that comes in draws a rater. */
Test(guess, raters_in_rows)
{
    static const char *const HEADERS[] = {
        "id,prompt,model,annotator,x,fluency,coherence\n",
        "id,prompt,model,x,annotator,fluency,coherence\n",
        "id,prompt,model,judge_name,judge_id,fluency,coherence\n"};
    static const char *const RATER[] = {"annotator", "annotator", "judge_name"};
    struct regret_table_report r;
    for (size_t i = 0; i < 3; i++) {
        write_table(HEADERS[i], rated);
        struct table_guess g = guessed(0);
        has_role(&g, RATER[i], GUESS_RATER);
        has_role(&g, "model", GUESS_AGENT);
        has_role(&g, "fluency", GUESS_COMPONENT);
        has_role(&g, "coherence", GUESS_COMPONENT);
        cr_assert_eq(g.import.repeats, REGRET_REPEATS_REFUSE);
        cr_assert_eq(g.relations.n_rated, 2);
        for (size_t k = 0; k < 2; k++) {
            cr_expect_float_eq(g.relations.rated[k].alpha, alpha_by_hand(k), 1e-12);
        }
        cr_assert_eq(guess_imports(&r, &g, "t.csv"), 2 + g.n_aux);
        cr_assert(r.outputs == (size_t)CONTEXTS * AGENTS && r.rated == 2 * r.outputs);
        table_guess_free(&g);
    }
    write_table("id,prompt,model,worker_id,rating\n", rated_by_some);
    struct table_guess crowd = guessed(0);
    has_role(&crowd, "worker_id", GUESS_RATER);
    has_role(&crowd, "rating", GUESS_COMPONENT);
    cr_assert_eq(crowd.at[GUESS_CONTEXT], 0);
    table_guess_free(&crowd);
    write_table("id,prompt,model,who,draw,judge,coherence\n", rated);
    struct table_guess g;
    cr_assert_eq(
        table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){.agent = "model"}), 0,
        "%s", regret_error_message());
    has_role(&g, "judge", GUESS_COMPONENT);
    cr_assert_eq(g.import.repeats, REGRET_REPEATS_DRAWS);
    table_guess_free(&g);
}

static void rated_twice(struct regret_buffer *out, size_t c, size_t a)
{
    regret_buffer_printf(out, "q%zu,what is %zu?,m%zu,%zu,%zu,%zu,%zu\n", c, c, a, 1 + (c + a) % 5,
                         1 + (c + 2 * a) % 5, 1 + (c * a) % 5, 1 + (c + 3 * a) % 5);
}

/* Raters of two things are two components, by their names. */
Test(guess, raters_in_columns)
{
    struct regret_buffer map = REGRET_BUFFER_INIT, words = REGRET_BUFFER_INIT;
    write_table(
        "id,prompt,model,rater_1_fluency,rater_2_fluency,rater_1_coherence,rater_2_coherence\n",
        rated_twice);
    struct table_guess g = guessed(0);
    table_guess_map(&map, &g, "t");
    cr_expect_not_null(strstr(regret_buffer_get(&map),
                              "{\"name\": \"fluency\", \"from\": "
                              "[\"rater_1_fluency\", \"rater_2_fluency\"]"),
                       "%s", regret_buffer_get(&map));
    table_guess_explain(&words, &g);
    cr_expect_not_null(strstr(regret_buffer_get(&words), "whose mean is the component coherence."));
    regret_buffer_free(&map);
    regret_buffer_free(&words);
    table_guess_free(&g);
}

/* A long table with two scores and an id of each row could be wide, where no name says who the agents are; the layout may be
 * said. */
Test(guess, either_layout)
{
    write_table("output_id,doc,system,clarity_score,fluency_score\n", rated_row);
    struct table_guess g = guessed(0);
    cr_assert(!g.is_wide && !g.is_either && g.agents == AGENTS && g.n_components == 2);
    table_guess_free(&g);
    write_table("nr,doc,who,left_score,right_score\n", rated_row);
    g = guessed(0);
    cr_assert(!g.is_wide && g.is_either && g.agents == AGENTS && g.n_components == 2);
    says(&g, "Taken for a long table. It could be a wide one");
    says(&g, "--layout wide");
    table_guess_free(&g);
    cr_assert_eq(
        table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){.layout = GUESS_WIDE}), 0,
        "%s", regret_error_message());
    cr_assert(g.is_wide && g.wide.n_agents == 2);
    cr_assert_str_eq(g.wide.agent[0], "left");
    table_guess_free(&g);
    cr_assert_eq(
        table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){.layout = GUESS_LONG}), 0);
    cr_assert(!g.is_wide && !g.is_either);
    table_guess_free(&g);
    write_table(JUDGED, judged);
    cr_assert_eq(
        table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){.layout = GUESS_WIDE}),
        REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "no columns look like those of agents"));
    table_guess_free(&g);
}

static void ratings_row(struct regret_buffer *out, size_t c, size_t a)
{
    if (a < 3) { /* three of six teachers a student */
        regret_buffer_printf(out, "%zu,%zu,%zu,%zu\n", c, 1000 + (c + a) % 6, c % 3,
                             1 + (c * a) % 5);
    }
}

static void named(const char *context, const char *agent, const char *message)
{
    struct guess_known known = {.context = context, .agent = agent};
    struct table_guess g;
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &known), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), message), "%s", regret_error_message());
    table_guess_free(&g);
}

/* Numbers and sparse pairs tell nobody what they are; the columns may be named. */
Test(guess, named_columns)
{
    struct guess_known known = {.context = "s", .agent = "d"};
    struct regret_table_report r;
    struct table_guess g;
    write_table("s,d,age,y\n", ratings_row);
    named(NULL, NULL, "--context COLUMN and --agent COLUMN");
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &known), 0, "%s",
                 regret_error_message());
    cr_assert(!g.is_wide && g.contexts == CONTEXTS && g.agents == 6);
    has_role(&g, "y", GUESS_COMPONENT);
    cr_assert_eq(guess_imports(&r, &g, "t.csv"), 1);
    cr_assert_eq(r.outputs, (size_t)3 * CONTEXTS);
    table_guess_free(&g);
    named("S", "d", "there is no column \"S\"; did you mean \"s\"?");
    named("s", "zzzzzzzz", "the first is \"s\"");
    named("s", "age", "\"s\" and \"age\" cannot be contexts and agents");
}

/* The context of a wide table, too. */
Test(guess, named_context_of_a_wide_table)
{
    struct guess_known known = {.context = "prompt"};
    struct table_guess g;
    write_table(WIDE, wide_row);
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &known), 0, "%s",
                 regret_error_message());
    cr_assert(g.is_wide);
    has_role(&g, "prompt", GUESS_CONTEXT);
    table_guess_free(&g);
}

/* Any range is a score's where nothing else is one; of several, or of times, somebody has to say so. */
Test(guess, a_score_of_any_range)
{
    sample_write("t.csv", "id,model,foo,latency\n1,a,-50,1\n1,b,10,2\n2,a,3,3\n2,b,-7,1\n");
    struct table_guess g = guessed(0);
    has_role(&g, "foo", GUESS_COMPONENT);
    has_role(&g, "latency", GUESS_AUX);
    cr_expect_eq(g.n_aux, 1);
    cr_expect_eq(guess_imports(&(struct regret_table_report){0}, &g, "t.csv"), 2);
    table_guess_free(&g);
    guess_refuses("t.csv", "id,model,foo,bar\n1,a,-50,1\n1,b,10,200\n2,a,3,3\n2,b,-7,1\n",
                  "Column \"foo\" differs (-50 to 10), but neither name nor range says that it is "
                  "one: call it foo_score");
    guess_refuses("t.csv", "id,model,latency\n1,a,5\n1,b,10\n2,a,3\n2,b,7\n",
                  "Column \"latency\" differs");
}

/* 90 rows of three agents with a score each, but for a slip in every `nth` from row 57 on. */
static void put_slips(struct regret_buffer *out, const char *slip, size_t nth, int words)
{
    regret_buffer_clear(out);
    regret_buffer_append(out, "id,model,score\n");
    for (size_t i = 0; i < 90; i++) {
        size_t c = i / 3, a = i % 3, score = (7 * c + 3 * a) % 10;
        regret_buffer_printf(out, "p%zu,m%zu,", c, a);
        if (i >= 57 && (i - 57) % nth == 0) {
            regret_buffer_printf(out, "\"%s\"\n", slip);
        } else if (words) {
            regret_buffer_append(out, score > 4 ? "yes\n" : "no\n");
        } else {
            regret_buffer_printf(out, "\"%zu,%zu\"\n", 1 + score % 4, score);
        }
    }
    sample_write("t.csv", regret_buffer_get(out));
}

static struct table_guess tried(void)
{
    struct regret_buffer map = REGRET_BUFFER_INIT;
    struct table_guess g = guessed(0);
    table_guess_map(&map, &g, "t");
    sample_write("map.json", regret_buffer_get(&map));
    regret_buffer_free(&map);
    cr_assert_eq(table_guess_try(&g, sample_path("t.csv"), sample_path("map.json")), 0);
    return g;
}

/* One slip among decimal commas, or among yes and no, is named by its own line; of many the first is. */
Test(guess, a_slip_is_named_by_its_line)
{
    static const char *const slips[] = {"3,5,1", "3,,5", "3,5x"};
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct table_guess g;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        put_slips(&t, slips[i], 90, 0);
        g = tried();
        says(&g, "Commas in numbers are decimal points");
        says(&g, "1 rows are bad: --skip-bad leaves them out, naming them. The first: ");
        cr_expect_not_null(strstr(g.refused, "t.csv:59: \"score\" is"), "%s", g.refused);
        table_guess_free(&g);
    }
    put_slips(&t, "gut", 4, 0);
    guess_refuses("t.csv", regret_buffer_get(&t), "t.csv:59: no column holds a score");
    put_slips(&t, "maybe", 90, 1);
    g = tried();
    cr_expect_not_null(strstr(g.refused, "t.csv:59: \"score\" is \"maybe\"; it must be a finite "
                                         "number, or yes, pass, true, correct or their opposites"),
                       "%s", g.refused);
    table_guess_free(&g);
    put_slips(&t, "maybe", 4, 1);
    guess_refuses("t.csv", regret_buffer_get(&t),
                  "which is no score, as are more cells of it; scores are yes and no here");
    regret_buffer_free(&t);
}

/* Scores that are blank are holes of the grid: the run is made for them, and whose they are is told. */
Test(guess, blank_scores_are_holes)
{
    struct regret_buffer t = REGRET_BUFFER_INIT, config = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "id,model,score\n");
    for (size_t i = 0; i < 90; i++) {
        regret_buffer_printf(&t, i % 3 == 1 && i % 2 == 0 ? "p%zu,m%zu,\n" : "p%zu,m%zu,0.%zu\n",
                             i / 3, i % 3, 1 + 7 * i % 9);
    }
    sample_write("t.csv", regret_buffer_get(&t));
    struct table_guess g = tried();
    table_guess_config(&config, &g);
    says(&g, "leaves them out, the most of m1 (15 of its 30 contexts). If a blank means bad, ");
    says(&g, "The grid has holes");
    cr_expect_not_null(strstr(regret_buffer_get(&config), "observed"), "%s",
                       regret_buffer_get(&config));
    table_guess_free(&g);
    regret_buffer_free(&t);
    regret_buffer_free(&config);
}

Test(guess, what_is_no_table_is_refused)
{
    guess_refuses("t.csv", "a,b\n1,2\n", "has 2 columns");
    guess_refuses("t.csv", "context,agent,score\n", "no rows");
    guess_refuses("t.csv", "context,agent,score\nx,y\n", "t.csv:2: 2 fields, but the header has 3");
    guess_refuses("t.csv", "id,text,claude\n1,a,.7\n2,b,.3\n", "a wide table has");
    guess_refuses("t.csv", "id,model,text\n1,a,x\n1,b,y\n2,a,z\n2,b,w\n",
                  "no column holds a score");
    guess_refuses("t.csv", "", "has 0 columns");
    struct table_guess g;
    cr_assert_neq(table_guess_make(&g, "/nowhere/t.csv", &(struct guess_known){0}), 0);
    cr_assert_not_null(strstr(regret_error_message(), "/nowhere/t.csv"));
    table_guess_free(&g);
    cr_assert_neq(table_guess_make(&g, "/dev/null", &(struct guess_known){0}), 0);
    cr_assert_not_null(strstr(regret_error_message(), "/dev/null is not a regular file"));
    table_guess_free(&g);
}
