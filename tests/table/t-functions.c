/* The functions of queries: a query and what it gives. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/task.h"
#include "table/sql.h"

static sqlite3 *db;

static void begin(void)
{
    cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    cr_assert_eq(sql_add_functions(db), REGRET_OK);
}

static void end(void)
{
    sqlite3_close(db);
}

/* The first column of the one row, "NULL", or what SQLite says. */
static const char *answer(const char *query)
{
    static char text[4096];
    sqlite3_stmt *row = NULL;
    cr_assert_eq(sqlite3_prepare_v2(db, query, -1, &row, NULL), SQLITE_OK, "%s: %s", query,
                 sqlite3_errmsg(db));
    int rc = sqlite3_step(row);
    const char *value =
        rc == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : sqlite3_errmsg(db);
    snprintf(text, sizeof text, "%s", value != NULL ? value : "NULL");
    sqlite3_finalize(row);
    return text;
}

struct pair {
    const char *query, *expected;
};

#define M1 "[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"u\\n\"},"
#define CHAT                                                                                       \
    M1 "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":"        \
       "\"image\"},{\"text\":\"b\"}]}]"
#define ARGS "{\"g0\":{\"a0\":\"Q\",\"a1\":\" yes\"},\"g1\":{\"a0\":\"Q\",\"a1\":\" no\"}}"
#define PROMPTS "[[\"He went\",\" x\"],[\"She went\",\" x\"]]"

static const struct pair PAIRS[] = {
    /* plain: as it is written */
    {"plain('\"a\\u00e9\\n\"')", "aé\n"},
    {"plain('18446744073709551615')", "18446744073709551615"},
    {"plain(json_extract('{\"a\":2.50}','$') -> '$.a')", "2.50"},
    {"plain('null')", "NULL"},
    {"plain(NULL)", "NULL"},
    {"plain('')", ""},
    {"plain('true')", "true"},
    {"plain('{\"a\":[1, 2]}')", "{\"a\":[1, 2]}"},
    {"plain('no JSON')", "no JSON"},
    {"plain('\"a\" and \"b\"')", "\"a\" and \"b\""},
    {"plain('\"\\q\"')", "\"\\q\""},
    {"plain(7)", "7"},
    /* member: any name, or a place */
    {"member('{\"gpt-4.1\":{\"a\":1},\"\":2}', 'gpt-4.1')", "{\"a\":1}"},
    {"member('{\"gpt-4.1\":{\"a\":1},\"\":2}', '')", "2"},
    {"member('{\"a\\\"b\":[1]}', 'a\"b')", "[1]"},
    {"member('{\"a\":1}', 'b')", "NULL"},
    {"member('[5,{\"a\":6}]', 1)", "{\"a\":6}"},
    {"member('{\"a\":1,\"b\":2}', 1)", "2"},
    {"member('[5]', -1)", "NULL"},
    {"member('[5,', 1)", "NULL"},
    {"member('5', 0)", "NULL"},
    /* turns */
    {"turns('" CHAT "', 'all')", "system: s\n\nuser: u\n\n\nassistant: a[image]b"},
    {"turns('" CHAT "', 'user')", "u\n"},
    {"turns('" CHAT "', 'agent')", "a\n\nb"},
    {"turns('" CHAT "', 'any')", "s\n\nu\n\n\na\n\nb"},
    {"turns('[{\"role\":\"user\",\"content\":\"one\"}]', 'all')", "one"},
    {"turns('[{\"content\":\"one\"},{\"content\":null}]', 'all')", "message: one\n\nmessage: "},
    {"turns('[{\"type\":\"reasoning\",\"reasoning\":\"r\"},{\"type\":\"text\",\"text\":\"t\"}]', "
     "'parts')",
     "t"},
    {"turns('\"a text\"', 'parts')", "a text"},
    {"turns('[\"one\",\"two\"]', 'agent')", "one\n\ntwo"},
    {"turns('[{\"from\":\"human\",\"value\":\"h\"},{\"from\":\"gpt\",\"value\":\"g\"}]', 'user')",
     "h"},
    {"turns('[{\"user\":{\"role\":\"user\",\"content\":\"q\"},\"model_side_a\":{}}]', 'user')",
     "q"},
    {"turns('{\"role\":\"assistant\",\"content\":\"one\"}', 'agent')", "one"},
    {"turns('{\"role\":\"assistant\",\"content\":\"one\"}', 'user')", "NULL"},
    {"turns('[{\"role\":\"user\",\"content\":\"\"}]', 'user')", ""},
    {"turns('[see below]', 'user')", "[see below]"},
    {"turns('[1] and [2]', 'user')", "[1] and [2]"},
    {"turns('[]', 'user')", "NULL"},
    {"turns('[\"[{\\\"content\\\":\\\"x\\\"}]\"]', 'any') || turns('\"[{x\"', 'any')", "x[{x"},
    {"turns('null', 'all')", "NULL"},
    {"turns(NULL, 'all')", "NULL"},
    {"turns('[]', 'me')",
     "turns(): no word 'me'; there are 'all', 'user', 'agent', 'any', 'parts'"},
    /* numbers */
    {"number(' 2.50 ')", "2.5"},
    {"number('yes') + number('Incorrect')", "1.0"},
    {"number('0.30000000000000004') = .1 + .2", "1"},
    {"number('-inf') = number('-9e999')", "1"},
    {"coalesce(number('NaN'), number('45%'), number('0x10'), number('1,5'), number('F'), "
     "number(''), number(NULL), 'none')",
     "none"},
    {"number(3)", "3"},
    {"grade('text', 'C') + grade('text', 'P') + grade('text', 'I') + grade('true', 1) + "
     "grade('text', '.25')",
     "2.75"},
    {"coalesce(grade('text', 'Q'), grade('array', '[]'), grade('null', NULL), 'none')", "none"},
    {"truth('Yes') || truth('FAILED') || truth(1) || truth('1.0') || truth(' thumbs down ') || "
     "truth('good')",
     "101101"},
    {"coalesce(truth('maybe'), truth('2'), truth(.5), truth(NULL), 'none')", "none"},
    /* expressions and names */
    {"capture('a/b-12.json', '([0-9]+)\\.json$')", "12"},
    {"capture('a/b-12.json', '[a-z]+')", "a"},
    {"capture('k=v', '([a-z])=([a-z])', 2)", "v"},
    {"capture('k', '(k)|(v)', 2)", "NULL"},
    {"capture('k', 'x')", "NULL"},
    {"capture('k', '(k)', 2)", "capture(): the expression has no group 2"},
    {"capture('k', '(k')", "regular expression '(k': Unmatched ( or \\("},
    {"capture('k', '(k)\\1')", "regular expression '(k)\\1': it refers back to a group"},
    {"capture('k', '((k{1,99}){1,99}){1,99}')",
     "regular expression '((k{1,99}){1,99}){1,99}': it repeats too often"},
    {"capture(printf('%*s', 2000000, ''), 'a')",
     "a regular expression is for texts of at most 1048576 bytes; take a part of it by substr()"},
    {"without('mmlu:model=m,subject=x', '(^|,)?model=[^,]*,?')", "mmlu:subject=x"},
    {"without('aaa', 'a', 'bb')", "bbbbbb"},
    {"without('aba', '^a')", "ba"},
    {"without('ab', 'x*', '-')", "ab"},
    {"length(without(printf('%*s', 50000, ''), ' '))", "0"},
    {"folder('a/b/c.json') || '|' || folder('c.json')", "a/b|"},
    {"stem('a/b.c.json') || stem('a/x.seg.score', '.seg.score') || stem('a/b.c', '') || "
     "stem('.hidden')",
     "b.cxb.c.hidden"},
    {"hash('a')", "e6c632b61e964e1f"},
    {"hash(NULL)", "NULL"},
    /* templates */
    {"part('mmlu/7@m@1', '{task}/{id}@{model}', 'id')", "7"},
    {"part('mmlu/7@m@1', '{task}/{id}@{model}', 'model')", "m@1"},
    {"part('mmlu-7', '{task}/{id}', 'id')", "NULL"},
    {"part('/7', '{task}/{id}', 'id')", "NULL"},
    {"part('q-7-x', 'q-{id}-x', 'id')", "7"},
    {"part('q', '{id}', 'model')", "NULL"},
    {"part('q', '{id}{model}', 'id')", "part(): '{id}{model}' must have parts such as {id}, each "
                                       "once, with a text between two of them"},
    {"part('q', '{id}-{id}', 'id') IS NULL", "part(): '{id}-{id}' must have parts such as {id}, "
                                             "each once, with a text between two of them"},
    {"render('{{ a }} and {{b}}, {{c}} {{', '{\"a\":\"x\\n\",\"b\":[1]}')",
     "x\n and [1], {{c}} {{"},
    {"unrender('Say one to someone, 2 one', '{\"w\":\"one\",\"n\":2}')",
     "Say {{w}} to someone, {{n}} {{w}}"},
    {"concat_text('a', NULL, '', 'b')", "a\n\nb"},
    {"concat_text('', NULL)", "NULL"},
    {"field(' a\tb  c', 2) || rest(' a\tb  c')", "bb  c"},
    {"field('a', 2)", "NULL"},
    {"rest('a')", ""},
    /* lm-evaluation-harness */
    {"likeliest('[[-3.5,false],[\"-1.25\",\"True\"],[-9e999,false]]')", "1"},
    {"likeliest('[[-3.5,false]]')", "NULL"},
    {"likeliest('[[-3.5,false],[\"NaN\",false]]')", "NULL"},
    {"likeliest('[\"a\",\"b\"]')", "NULL"},
    {"choice('" ARGS "', 1)", "no"},
    {"choice('" PROMPTS "', 1)", "She went x"},
    {"choice('" PROMPTS "', 0)", "x"},
    {"choice('" ARGS "', 2)", "NULL"},
    {"choice('" ARGS "', '[[-1,false],[-0.5,true]]')", "no"},
    {"choice('" ARGS "', '[[-1,\"True\"]]') || choice('" ARGS "', '[[-1,false]]')", "yes"},
    {"choice('" ARGS "', '[\"a\"]')", "NULL"},
    /* a judge's words */
    {"verdict('Good. [[3]], no: [[7.5]]')", "{\"score\":7.5}"},
    {"verdict(' 8 ')", "{\"score\":8}"},
    {"verdict('{\"a\": 1.5, \"why\": \"x\", \"ok\": true, \"custom_id\": 3}')",
     "{\"a\":1.5,\"ok\":1}"},
    {"verdict('{not JSON} [[2]]')", "{\"score\":2}"},
    {"verdict('no idea')", "NULL"},
    /* literals */
    {"literal('{''a'': [True, None, (1, 2.5), {3}], \"b\\''\": ''\\x41\\u00e9\"'',}')",
     "{\"a\":[true,null,[1,2.5],[3]],\"b'\":\"Aé\\\"\"}"},
    {"literal('[1., -.5, nan, -inf, b''x'', {}, '''']')", "[1,-0.5,\"NaN\",-9e999,\"x\",{},\"\"]"},
    {"literal('{\"a\": {\"b\": [\"\\ud83d\"]}}')", "{\"a\":{\"b\":[\"\xef\xbf\xbd\"]}}"},
    {"coalesce(literal('{1: 2}'), literal('[1'), literal('[1] x'), literal('abc'), literal(''), "
     "literal(NULL), 'none')",
     "none"},
    /* scores */
    {"(SELECT scores(k, v, p) FROM (SELECT 'b' AS k, .1 + .2 AS v, 2 AS p UNION ALL SELECT 'a', 1, "
     "1 UNION ALL SELECT 'c', NULL, 0))",
     "{\"a\":1,\"b\":0.30000000000000004}"},
    {"scores('a\"', 'bad', 1)", "{\"a\\\"\":\"bad\"}"},
    {"scores('a', '2.50', 1) || scores('a', 'null', 1)", "{\"a\":2.50}{\"a\":null}"},
    {"scores('a', -9e999, 1)", "{\"a\":-9e999}"},
    {"(SELECT scores('a', value, 0) FROM json_each('[1,2]'))", "{\"a\":1,\"a\":2}"},
    {"(SELECT scores('a', 1, 0) WHERE 0)", "NULL"},
};

Test(functions, give, .init = begin, .fini = end)
{
    char query[1000];
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        snprintf(query, sizeof query, "SELECT %s", PAIRS[i].query);
        cr_expect_str_eq(answer(query), PAIRS[i].expected, "%s gives\n%s", PAIRS[i].query,
                         answer(query));
    }
}

/* Every double that scores() writes is read again as it was. */
Test(functions, keep_doubles, .init = begin, .fini = end)
{
    struct regret_rng rng = regret_rng_at(1, REGRET_RNG_TEST, 0);
    sqlite3_stmt *row = NULL;
    sqlite3_prepare_v2(db, "SELECT scores('a', ?, 0)", -1, &row, NULL);
    for (int i = 0; i < 20000; i++) {
        double x = (double)regret_rng_below(&rng, UINT32_MAX) /
                   (1.0 + regret_rng_below(&rng, 1U << (i % 31)));
        sqlite3_bind_double(row, 1, x);
        cr_assert_eq(sqlite3_step(row), SQLITE_ROW);
        cr_assert_eq(strtod((const char *)sqlite3_column_text(row, 0) + 5, NULL), x);
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
}

/* Any bytes may come: texts of JSON with bytes changed, cut anywhere, through all functions; the sanitizers look. */
Test(functions, take_any_bytes, .init = begin, .fini = end)
{
    static const char *const CALLS[] = {"plain(?1)",         "member(?1, ?2)",
                                        "member(?1, 2)",     "turns(?1, 'all')",
                                        "turns(?1, 'user')", "turns(?1, 'parts')",
                                        "likeliest(?1)",     "choice(?1, 1)",
                                        "verdict(?1)",       "literal(?1)",
                                        "number(?1)",        "truth(?1)",
                                        "capture(?1, ?2)",   "without(?1, '[a-z]+', ?2)",
                                        "folder(?1)",        "stem(?1, ?2)",
                                        "part(?1, ?2, 'a')", "render(?2, ?1)",
                                        "render(?1, ?1)",    "field(?1, 3)",
                                        "rest(?1)",          "scores(?1, ?1, 1)",
                                        "grade('text', ?1)", "hash(?1)"};
    static const char *const SEEDS[] = {CHAT,
                                        ARGS,
                                        PROMPTS,
                                        "{'a': [True, b'\\x41', (1, {2})]}",
                                        "{a}/{b}@{{c}}",
                                        "[[-1,\"\\ud83d\\u0000\"],[\"2\"]]",
                                        "[[[[[[{\"text\":[[["};
    struct regret_rng rng = regret_rng_at(2, REGRET_RNG_TEST, 0);
    for (size_t k = 0; k < sizeof CALLS / sizeof *CALLS; k++) {
        char query[100], text[400];
        sqlite3_stmt *row = NULL;
        snprintf(query, sizeof query, "SELECT %s", CALLS[k]);
        cr_assert_eq(sqlite3_prepare_v2(db, query, -1, &row, NULL), SQLITE_OK);
        for (int i = 0; i < 400; i++) {
            const char *seed = SEEDS[(size_t)i % (sizeof SEEDS / sizeof *SEEDS)];
            size_t n = strlen(seed);
            memcpy(text, seed, n + 1);
            for (uint32_t changes = regret_rng_below(&rng, 4); changes > 0; changes--) {
                text[regret_rng_below(&rng, (uint32_t)n)] =
                    "\"\\[]{}:,u\xc3\x01 0e-"[regret_rng_below(&rng, 15)];
            }
            n -= regret_rng_below(&rng, 3) == 0 ? regret_rng_below(&rng, (uint32_t)n) : 0;
            sqlite3_bind_text(row, 1, text, (int)n, SQLITE_STATIC);
            sqlite3_bind_text(row, 2,
                              i % 3 == 0   ? "(a|b)*x"
                              : i % 3 == 1 ? "{a}-{b}"
                                           : text,
                              i % 3 == 2 ? (int)n : -1, SQLITE_STATIC);
            int rc = sqlite3_step(row);
            cr_assert(rc == SQLITE_ROW || rc == SQLITE_ERROR, "%s: %d", query, rc);
            sqlite3_reset(row);
        }
        sqlite3_finalize(row);
    }
}
