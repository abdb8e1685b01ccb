/* Tables of votes recognised: the layouts that arenas publish, and what is wrong with them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "import/guess/guess.h"
#include "import/guess_checks.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/import.h"

TestSuite(votes_guess, .fini = sample_cleanup);

enum { VOTES = 24, MODELS = 3, PROMPTS = 8 };
static const char *const MODEL[MODELS] = {"gpt, \"4\"", "y", "=claude 🤖"};
static const char *const SAID[4] = {"model_a", "model_b", "tie", "tie (bothbad)"};

/* Vote i is of prompt i % PROMPTS, between model i % MODELS and the next one. */
typedef void put_vote(struct regret_buffer *out, size_t i);

static const char *model(size_t i, size_t side)
{
    return MODEL[(i + side) % MODELS];
}

/* A name as CSV has it. */
static void put_model(struct regret_buffer *out, size_t i, size_t side)
{
    regret_buffer_append(out, "\"");
    for (const char *p = model(i, side); *p != '\0'; p++) {
        regret_buffer_append_n(out, p, 1);
        regret_buffer_append(out, *p == '"' ? "\"" : "");
    }
    regret_buffer_append(out, "\"");
}

static void put_models(struct regret_buffer *out, size_t i)
{
    put_model(out, i, 0);
    regret_buffer_append(out, ",");
    put_model(out, i, 1);
}

static void put_words(struct regret_buffer *out, size_t i)
{
    regret_buffer_printf(out, "what about %zu?,lang%zu,", i % PROMPTS, i % PROMPTS % 2);
    put_models(out, i);
    regret_buffer_printf(out, ",%s\n", SAID[i % 4]);
}

static void put_sides(struct regret_buffer *out, size_t i)
{
    static const char *const SIDES[4] = {"left", "right", "Tie", "both bad"};
    regret_buffer_printf(out, "what about %zu?,lang%zu,", i % PROMPTS, i % PROMPTS % 2);
    put_models(out, i);
    regret_buffer_printf(out, ",%s\r\n", SIDES[i % 4]);
}

static void put_flags(struct regret_buffer *out, size_t i)
{
    regret_buffer_printf(out, "%zu,", i);
    put_models(out, i);
    regret_buffer_printf(out, ",\"[\"\"what about %zu?\"\"]\",one of %zu,two of %zu,%d,%d,%d\n",
                         i % PROMPTS, i, i, i % 4 == 0, i % 4 == 1, i % 4 > 1);
}

static void put_name(struct regret_buffer *out, size_t i)
{
    put_models(out, i);
    regret_buffer_printf(out, ",q%zu,what about %zu?,", i % PROMPTS, i % PROMPTS);
    if (i % 4 < 2) {
        put_model(out, i, i % 4);
    } else {
        regret_buffer_append(out, "tie");
    }
    regret_buffer_append(out, "\n");
}

/* As lmsys-chat has it: conversations, and no column of the prompt. */
static void put_turns(struct regret_buffer *out, size_t i)
{
    regret_buffer_printf(
        out,
        "{\"question_id\": \"v%zu\", \"winner\": \"%s\", \"turn\": 1, \"anony\": true, "
        "\"language\": \"lang%zu\"",
        i, SAID[i % 4], i % PROMPTS % 2);
    for (size_t side = 0; side < 2; side++) {
        regret_buffer_printf(out, ", \"model_%c\": ", side == 0 ? 'a' : 'b');
        regret_buffer_json_string(out, model(i, side));
        regret_buffer_printf(
            out,
            ", \"conversation_%c\": [{\"role\": \"user\", \"content\": \"what about "
            "%zu?\"}, {\"role\": \"assistant\", \"content\": \"well, %zu\"}]",
            side == 0 ? 'a' : 'b', i % PROMPTS, side);
    }
    regret_buffer_append(out, "}\n");
}

/* A conversation_a or _b, whose turns say how long they are. */
static void put_counted(struct regret_buffer *out, size_t i, char side)
{
    regret_buffer_printf(out,
                         ", \"conversation_%c\": [{\"num_tokens\": %zu, \"role\": \"user\", "
                         "\"content\": \"what about %zu?\"}, {\"num_tokens\": 2, \"role\": "
                         "\"assistant\", \"content\": \"well, %c\"}]",
                         side, i % 2, i % PROMPTS, side);
}

/* As the later exports of lmsys-chat have it: numbers before the texts of turns. */
static void put_counts(struct regret_buffer *out, size_t i)
{
    regret_buffer_printf(out, "{\"question_id\": \"v%zu\", \"winner\": \"%s\"", i, SAID[i % 4]);
    put_counted(out, i, 'a');
    put_counted(out, i, 'b');
    for (size_t side = 0; side < 2; side++) {
        regret_buffer_printf(out, ", \"model_%c\": ", side == 0 ? 'a' : 'b');
        regret_buffer_json_string(out, model(i, side));
    }
    regret_buffer_printf(out, ", \"language\": \"lang%zu\"}\n", i % PROMPTS % 2);
}

/* As lmarena has it: turns are parts, and full_conversation holds rounds of a user and two models. */
static void put_rounds(struct regret_buffer *out, size_t i)
{
    static const char *const BAD[4] = {"model_a", "model_b", "tie", "both_bad"};
    regret_buffer_printf(out, "{\"id\": \"v%zu\", \"winner\": \"%s\"", i, BAD[i % 4]);
    for (size_t side = 0; side < 2; side++) {
        regret_buffer_printf(out, ", \"model_%c\": ", side == 0 ? 'a' : 'b');
        regret_buffer_json_string(out, model(i, side));
    }
    for (size_t side = 0; side < 2; side++) {
        regret_buffer_printf(
            out,
            ", \"conversation_%c\": [{\"role\": \"user\", \"content\": [{\"type\": \"text\", "
            "\"text\": \"what about %zu?\", \"image\": null}]}, {\"role\": \"assistant\", "
            "\"content\": [{\"type\": \"text\", \"text\": \"well, %zu\"}]}]",
            side == 0 ? 'a' : 'b', i % PROMPTS, side);
    }
    regret_buffer_printf(out,
                         ", \"full_conversation\": [{\"user\": {\"role\": \"user\", \"content\": "
                         "[{\"type\": \"text\", \"text\": \"what about %zu?\"}]}, "
                         "\"model_side_a\": {\"role\": \"assistant\", \"content\": [{\"type\": "
                         "\"text\", \"text\": \"well, 0\"}]}}], \"language\": \"lang%zu\"}\n",
                         i % PROMPTS, i % PROMPTS % 2);
}

static void write_votes(const char *head, put_vote *put)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, head);
    for (size_t i = 0; i < VOTES; i++) {
        put(&text, i);
    }
    sample_write("t.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

static struct table_guess guessed(const char *what)
{
    struct table_guess g;
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0, "%s: %s",
                 what, regret_error_message());
    return g;
}

Test(votes_guess, every_layout_is_the_same_pool)
{
    static const struct {
        const char *what, *head;
        put_vote *put;
        size_t both_bad;
        int has_tag;
    } LAYOUTS[] = {{"words", "prompt,language,model_a,model_b,winner\n", put_words, VOTES / 4, 1},
                   {"sides, a mark and CRLF",
                    "\xef\xbb\xbfprompt,language,left_model,right_model,vote\r\n", put_sides,
                    VOTES / 4, 1},
                   {"flags",
                    "id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,"
                    "winner_tie\n",
                    put_flags, 0, 0},
                   {"names", "model1,model2,prompt_id,prompt,preferred\n", put_name, 0, 0},
                   {"turns", "", put_turns, VOTES / 4, 1},
                   {"turns with counts", "", put_counts, VOTES / 4, 1},
                   {"rounds", "", put_rounds, VOTES / 4, 1}};
    for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++) {
        struct regret_table_report r;
        struct regret_buffer text = REGRET_BUFFER_INIT;
        write_votes(LAYOUTS[i].head, LAYOUTS[i].put);
        struct table_guess g = guessed(LAYOUTS[i].what);
        cr_assert(g.votes.is_found, "%s", LAYOUTS[i].what);
        cr_expect_eq(g.votes.tag != GUESS_NO_COLUMN, LAYOUTS[i].has_tag, "%s", LAYOUTS[i].what);
        cr_expect(g.agents == MODELS && g.contexts == PROMPTS, "%s: %zu %zu", LAYOUTS[i].what,
                  g.agents, g.contexts);
        table_guess_config(&text, &g);
        cr_expect_not_null(strstr(regret_buffer_get(&text), "\"grid.policy\": \"observed\""), "%s",
                           LAYOUTS[i].what);
        regret_buffer_free(&text);
        cr_assert_eq(guess_imports(&r, &g, "t.csv"), 3, "%s", LAYOUTS[i].what);
        cr_expect(r.rows == VOTES && r.bad == 0 && r.agents == MODELS && r.contexts == VOTES,
                  "%s: a prompt, a pair, once each", LAYOUTS[i].what);
        cr_expect_eq(r.ties, VOTES / 2, "%s", LAYOUTS[i].what);
        cr_expect_eq(r.both_bad, LAYOUTS[i].both_bad, "%s", LAYOUTS[i].what);
        table_guess_free(&g);
    }
}

static void put_blank(struct regret_buffer *out, size_t i)
{
    regret_buffer_printf(out, "what about %zu?,a%zu,b,%s\n", i, i % 2,
                         i % 3 == 0   ? ""
                         : i % 3 == 1 ? "a"
                                      : "N/A");
}

static void put_slip(struct regret_buffer *out, size_t i)
{
    regret_buffer_printf(out, "what about %zu?,a%zu,b,%s\n", i, i % 2, i == 5 ? "who knows" : "a");
}

/* Counted before import, so that its options fit. */
Test(votes_guess, blanks_and_slips_are_counted)
{
    struct regret_buffer options = REGRET_BUFFER_INIT;
    write_votes("prompt,model_a,model_b,winner\n", put_blank);
    struct table_guess g = guessed("blank");
    cr_expect_eq(g.votes.blank, 2 * VOTES / 3);
    table_guess_options(&options, &g);
    cr_expect_str_eq(regret_buffer_get(&options), " --drop-unscored");
    regret_buffer_free(&options);
    table_guess_free(&g);
    write_votes("prompt,model_a,model_b,winner\n", put_slip);
    g = guessed("slip");
    cr_expect_eq(g.votes.unknown, 1);
    cr_expect_str_eq(g.votes.example, "who knows");
    table_guess_options(&options, &g);
    cr_expect_str_eq(regret_buffer_get(&options), " --skip-bad");
    regret_buffer_free(&options);
    table_guess_free(&g);
}

Test(votes_guess, what_is_none_is_told)
{
    guess_refuses("t.csv", "model_a,model_b,winner\nx,y,a\ny,z,b\n",
                  "without a column that says which prompt they are about: name it with --context");
    guess_refuses("t.csv", "prompt,model_a,model_b,winner\np,x,y,A>>B\nq,y,z,B>>A\n",
                  "\"winner\" holds \"A>>B\"; it must be \"model_a\" or \"model_b\"");
    guess_refuses("t.csv", "prompt,model_a,model_b,score_a,score_b\np,x,y,1,2\nq,y,z,3,2\n",
                  "\"score_a\" and \"score_b\" score them: write a row for each of the two");
}
