/* Tables of requests and the lines that answer them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scratch.h"
#include "model/model.h"
#include "model/planted.h"
#include "regret/buffer.h"
#include "regret/status.h"

static struct planted pool;
static struct regret_model *model;
static struct regret_buffer out;

static void enter(void)
{
    scratch_enter();
    out = (struct regret_buffer)REGRET_BUFFER_INIT;
    planted_make(&pool, PLANTED_WORD, 120, 4, 0.0, 1);
    model = planted_fit(&pool, 120, RULE_REQUEST);
}

static void leave(void)
{
    regret_buffer_free(&out);
    regret_model_free(model);
    planted_free(&pool);
    scratch_leave();
}

TestSuite(requests, .init = enter, .fini = leave);

static int keep(void *context, const char *text, size_t length)
{
    (void)context;
    regret_buffer_append_n(&out, text, length);
    return regret_buffer_status(&out);
}

static struct regret_requests_options by_name(const char *path)
{
    return (struct regret_requests_options){.path = path, .is_json = -1, .threads = 1};
}

static int answer(struct regret_requests_told *told, const struct regret_requests_options *options)
{
    regret_buffer_clear(&out);
    return regret_requests_answer(told, model, options, keep, NULL);
}

/* The answer to `text` in a file of that name must be REGRET_E_INPUT with these words. */
static void refused(const char *path, const char *text, const char *words)
{
    struct regret_requests_options options = by_name(path);
    scratch_put(path, text);
    cr_expect_eq(answer(NULL, &options), REGRET_E_INPUT, "%s", text);
    cr_expect(strstr(regret_error_message(), words) != NULL, "%s\nnot: %s", regret_error_message(),
              words);
}

static void starts(const char *line, const char *with)
{
    cr_expect(strncmp(line, with, strlen(with)) == 0, "%.80s\nnot: %s", line, with);
}

static const char *line_of(size_t i)
{
    const char *p = regret_buffer_get(&out);
    while (i-- > 0) {
        p = strchr(p, '\n') + 1;
    }
    return p;
}

/* One agent is best of all but on chat, where nobody has asked it: that is said, though no tag decides; and so is a tag that
 * nobody has seen, or none. */
Test(requests, what_was_never_answered_is_marked)
{
    struct regret_requests_options options = by_name("new.csv");
    struct regret_requests_told told;
    size_t best = 0;
    regret_model_free(model);
    planted_free(&pool);
    planted_make(&pool, PLANTED_ONE, 120, 4, 0.0, 1);
    best = pool.best[0];
    for (size_t x = 0; x < pool.n; x++) {
        if (strcmp(pool.tag[x], "chat") == 0) {
            pool.target[x * 4 + best] = NAN;
        }
    }
    model = planted_fit(&pool, 120, RULE_ONE);
    scratch_put("new.csv", "text,tag\nw1,code\nw2,chat\nw3,law\nw4,chat\nw5,\n");
    cr_assert_eq(regret_model_write(model, "kept.regret"), 0);
    for (int again = 0; again < 2; again++) {
        cr_assert_eq(answer(&told, &options), 0, "%s", regret_error_message());
        cr_expect_eq(told.n, 5);
        cr_expect_eq(told.unknown_tag, 2);
        cr_expect_eq(told.unseen_agent, 2);
        for (size_t i = 1; i <= 5; i++) {
            const char *line = line_of(i);
            size_t length = strcspn(line, "\n");
            cr_expect_eq(strncmp(line + length - 13, ",unseen-agent", 13) == 0, i == 2 || i == 4);
            cr_expect_eq(strncmp(line + length - 12, ",unknown-tag", 12) == 0, i == 3 || i == 5);
        }
        regret_model_free(model);
        cr_assert_eq(regret_model_read(&model, "kept.regret"), 0, "%s", regret_error_message());
    }
}

/* Tags are told apart by every byte but for blanks and ends of lines around their words, as --tag has it. */
Test(requests, tags_are_known_as_the_table_has_them)
{
    struct regret_requests_options options = by_name("new.csv");
    struct regret_requests_told told;
    regret_model_free(model);
    pool.first_tag = " R&D /\r\nlaw";
    model = planted_fit(&pool, 120, RULE_REQUEST);
    scratch_put("new.csv", "text,tag\nw1,R&D / law\nw1,R&D---law\nw1,R&D  law\nw1,chat\n");
    cr_assert_eq(answer(&told, &options), 0, "%s", regret_error_message());
    cr_expect_eq(told.unknown_tag, 2);
    cr_expect_null(strstr(line_of(4), ",unknown-tag\n"));
    cr_expect_not_null(strstr(line_of(2), ",unknown-tag\n"));
}

static void fit_columns(void)
{
    regret_model_free(model);
    planted_free(&pool);
    planted_make(&pool, PLANTED_COLUMN, 120, 4, 0.0, 1);
    model = planted_fit(&pool, 120, RULE_REQUEST);
    cr_assert_eq(model->map.n_own, 2);
}

/* A number decides; its column is found by the name that it has in the table. Where it is not told, or a word is a new one,
 * that is counted and noted. */
Test(requests, own_columns_decide)
{
    static const char *const agents[] = {"ant,", "bee,", "ant,", "bee,"};
    struct regret_requests_options options = by_name("new.csv");
    struct regret_requests_told told;
    fit_columns();
    scratch_put("new.csv",
                "text,a size,land\nw1,100,web\nw1,20,app\nw1,100,moon\nw1,20,\nw1, NA,web\n");
    cr_assert_eq(answer(&told, &options), 0, "%s", regret_error_message());
    cr_expect(told.unknown[0] == 0 && told.unknown[1] == 2,
              "blanks are known, for there were some");
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(strncmp(line_of(i + 1) + 2, agents[i], 4), 0, "%zu: %s", i, line_of(i + 1));
    }
    cr_expect_null(strstr(line_of(5), "unknown-column"), "%s", line_of(5));
    char *csv = strdup(regret_buffer_get(&out));
    options = by_name("new.jsonl");
    scratch_put("new.jsonl", "{\"text\": \"w1\", \"a_size\": 100, \"land\": \"web\"}\n"
                             "{\"text\": \"w1\", \"a_size\": 20, \"land\": \"app\"}\n"
                             "{\"text\": \"w1\", \"a size\": 100, \"land\": \"moon\"}\n"
                             "{\"text\": \"w1\", \"a size\": 20}\n"
                             "{\"text\": \"w1\", \"a size\": null, \"land\": \"web\"}\n");
    cr_assert_eq(answer(&told, &options), 0, "%s", regret_error_message());
    cr_expect_str_eq(regret_buffer_get(&out), csv);
    free(csv);
    options = by_name("new.csv");
    scratch_put("new.csv", "text\nw1\n");
    cr_assert_eq(answer(&told, &options), 0, "%s", regret_error_message());
    cr_expect(told.unknown[0] == 1 && told.unknown[1] == 1);
    cr_expect_not_null(strstr(line_of(1), "unknown-column\n"));
    refused("a.csv", "text,a_size\nw1,3\nw2,many\n",
            "a.csv:3: column \"a_size\" is \"many\"; it must be a number with a decimal point, or "
            "blank");
    refused("a.jsonl", "{\"text\": \"x\", \"land\": [1]}\n",
            "a.jsonl:1: field \"land\" must be a number or a word");
}

/* The contexts have sizes from 1 to 120: what is beyond is answered as the nearest, and noted, whatever the file. */
Test(requests, numbers_beyond_all_seen_are_held)
{
    struct regret_requests_options options = by_name("new.csv");
    struct regret_requests_told told;
    double least = INFINITY, most = -INFINITY;
    char table[400];
    fit_columns();
    for (size_t x = 0; x < pool.n; x++) {
        least = fmin(least, pool.own[2 * x].number);
        most = fmax(most, pool.own[2 * x].number);
    }
    snprintf(table, sizeof table,
             "id,text,tag,a "
             "size,land\n1,w1,code,%.17g,web\n1,w1,code,1e6,web\n1,w1,code,-1e300,web\n1,w1,code,%."
             "17g,web\n",
             most, least);
    scratch_put("new.csv", table);
    cr_assert_eq(regret_model_write(model, "kept.regret"), 0);
    for (int again = 0; again < 2; again++) {
        cr_assert_eq(answer(&told, &options), 0, "%s", regret_error_message());
        cr_expect(told.far[0] == 2 && told.far[1] == 0 && told.unknown[0] == 0);
        for (size_t i = 1; i <= 4; i++) {
            const char *note = i == 2 || i == 3 ? ",far-column\n" : ",\n";
            cr_expect_eq(strncmp(strchr(line_of(i), '\n') - strlen(note) + 1, note, strlen(note)),
                         0);
        }
        for (size_t i = 2; i <= 3; i++) {
            const char *as = line_of(i == 2 ? 1 : 4);
            cr_expect_eq(strncmp(line_of(i), as, strcspn(as, "\n")), 0, "%s", line_of(i));
        }
        regret_model_free(model);
        cr_assert_eq(regret_model_read(&model, "kept.regret"), 0, "%s", regret_error_message());
    }
}

/* Many requests, one of a megabyte: blocks, jobs and threads leave no trace. */
Test(requests, the_same_whatever_the_threads)
{
    enum { MANY = 9000, HUGE = 1 << 20 };
    struct regret_buffer table = REGRET_BUFFER_INIT;
    struct regret_requests_options options = by_name("new.csv");
    struct regret_requests_told n = {0};
    regret_buffer_append(&table, "text,tag\n");
    for (size_t i = 0; i < MANY; i++) {
        for (size_t w = 0; i == 4321 && w < HUGE / 8; w++) {
            regret_buffer_printf(&table, "w%06zu ", w);
        }
        regret_buffer_printf(&table, "w%zu %s,%s\n", i % 150, i % 3 ? "poem" : "function",
                             i % 2 ? "code" : "chat");
    }
    cr_assert_eq(regret_buffer_status(&table), 0);
    scratch_put("new.csv", regret_buffer_get(&table));
    cr_assert_eq(answer(&n, &options), 0, "%s", regret_error_message());
    cr_expect_eq(n.n, MANY);
    char *first = strdup(regret_buffer_get(&out));
    options.threads = 3;
    cr_assert_eq(answer(&n, &options), 0);
    cr_expect_str_eq(regret_buffer_get(&out), first);
    starts(line_of(MANY), "9000,");
    free(first);
    regret_buffer_free(&table);
}

/* What the caller's sink says stops the answer. */
static int stop(void *context, const char *text, size_t length)
{
    (void)context, (void)text, (void)length;
    return regret_fail(REGRET_E_IO, "full");
}

Test(requests, a_sink_may_stop)
{
    struct regret_requests_options options = by_name("new.csv");
    scratch_put("new.csv", "id,text\n1,w1 poem\n");
    cr_expect_eq(regret_requests_answer(NULL, model, &options, stop, NULL), REGRET_E_IO);
}
