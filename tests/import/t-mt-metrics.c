/* Test sets as mt-metrics-eval keeps them, by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "import/log_checks.h"
#include "import/mt_metrics/mt_metrics.h"
#include "pool/sample.h"

extern const struct importer importer_mt_metrics;

TestSuite(mt_metrics, .fini = sample_cleanup);

#define REPORTS(words) cr_expect_not_null(strstr(log_report(), words), "%s", log_report())

struct given {
    const char *pair, *metric;
    unsigned tag;
    int references;
};

#define OPTIONS_OF(g)                                                                              \
    {                                                                                              \
        .harness.metrics = {&(g).metric, (g).metric != NULL}, .pair = (g).pair, .tag = (g).tag,    \
        .references = (g).references                                                               \
    }

static struct regret_pool *imported(struct given g)
{
    const struct mt_options o = OPTIONS_OF(g);
    return log_pool(&importer_mt_metrics, &o, "wmt");
}

static void refused(struct given g, const char *words)
{
    const struct mt_options o = OPTIONS_OF(g);
    log_refused(&importer_mt_metrics, &o, "wmt", words);
}

static void put_set(void)
{
    log_put("wmt/sources/en-de.txt", "One.\nTwo.\r\nThree.");
    log_put("wmt/documents/en-de.docs", "news\tdoc-a\nnews\tdoc-b\nsocial doc-c\n");
    log_put("wmt/references/en-de.refA.txt", "Eins.\nZwei.\nDrei.\n");
    log_put("wmt/system-outputs/en-de/refA.txt", "Eins.\nZwei.\nDrei.\n");
    log_put("wmt/system-outputs/en-de/s.2.txt", "ein\nzwo\ndrei\n");
    log_put("wmt/system-outputs/en-de/s-1.txt", "a\n\nc\n");
    log_put("wmt/human-scores/en-de.mqm.seg.score",
            "s-1\t-1.1\ns-1\tNone\ns-1\t-25.0\ns.2\t0\ns.2\t-5\ns.2\t-0.1\nrefA 0\nrefA 0\n"
            "refA None\n");
    log_put("wmt/human-scores/en-de.mqm.sys.score", "s-1\t-9\ns.2\t-1\n");
    log_put("wmt/human-scores/en-de.wmt-z.seg.score",
            "s.2 0.5\ns.2 1\ns.2 -1\ns-1 0.25\ns-1 0.75\ns-1 -0.25\n");
    log_put("wmt/metric-scores/en-de/BLEU-refA.seg.score",
            "s.2 5\ns.2 10\ns.2 100\ns-1 2.5\ns-1 7\ns-1 25\n");
}

Test(mt_metrics, segments_are_contexts)
{
    put_set();
    struct regret_pool *pool = imported((struct given){0});
    cr_assert_eq(pool->n_contexts, 3);
    cr_assert_eq(pool->n_agents, 2, "a reference is no system");
    cr_expect_eq(pool->n_outputs, 5, "None is no score");
    cr_expect_str_eq(pool->components[0].name, "mqm");
    cr_expect_eq(pool->components[0].high, 0.0);
    cr_expect_eq(log_value(pool, "news:doc-a:1", "s-1", 0, NULL), -1.1);
    cr_expect_eq(log_value(pool, "social:doc-c:3", "s-1", 0, NULL), -25.0);
    cr_expect_eq(log_value(pool, "news:doc-b:2", "s.2", 0, NULL), -5.0);
    cr_expect(isnan(log_value(pool, "news:doc-b:2", "s-1", 0, NULL)));
    cr_expect_str_eq(pool->contexts[2].tag, "social");
    cr_expect_str_eq(pool->outputs[0].text, "a");
    regret_pool_free(pool);
    REPORTS("3 translations by people");
    REPORTS("1 answers left out because they lack a metric");
    pool = imported((struct given){.references = 1, .tag = MT_TAG_DOCUMENT});
    cr_expect_eq(pool->n_agents, 3);
    cr_expect_str_eq(pool->contexts[1].tag, "doc-b");
    regret_pool_free(pool);
}

/* Members come in any order, below any folder. */
Test(mt_metrics, an_archive_is_as_good)
{
    static const struct log_member MEMBERS[] = {
        {"data/wmt/human-scores/en-de.da.seg.score", "s 1\ns 80.5\n"},
        {"data/wmt/references/en-de.refB.txt", "Eins.\nZwei.\n"},
        {"data/wmt/system-outputs/en-de/s.txt", "a\nb\n"},
        {"data/wmt/sources/en-de.txt", "One.\nTwo.\n"}};
    log_zip("wmt.zip", MEMBERS, sizeof MEMBERS / sizeof *MEMBERS);
    struct regret_pool *pool = log_pool(&importer_mt_metrics, NULL, "wmt.zip");
    cr_expect_eq(log_value(pool, "2", "s", 0, NULL), 80.5);
    cr_expect_null(pool->contexts[0].tag);
    regret_pool_free(pool);
}

Test(mt_metrics, other_scores_by_name)
{
    put_set();
    struct regret_pool *pool = imported((struct given){.metric = "wmt-z"});
    cr_expect_eq(log_value(pool, "news:doc-b:2", "s-1", 0, NULL), 0.75);
    regret_pool_free(pool);
    pool = imported((struct given){.metric = "BLEU-refA=0:100"});
    cr_expect_eq(log_value(pool, "news:doc-b:2", "s-1", 0, NULL), 7.0);
    cr_expect_eq(pool->components[0].high, 100.0);
    regret_pool_free(pool);
    refused((struct given){.metric = "COMET"},
            "no answer has the metric \"COMET\"; there are: \"mqm\", \"wmt-z\"");
}

/* A zero has no sign, and a byte order mark is no part of a text. */
Test(mt_metrics, zeros_and_marks)
{
    const char *text = NULL;
    put_set();
    log_put("wmt/system-outputs/en-de/s-1.txt", "\xef\xbb\xbf"
                                                "a\n\nc\n");
    log_put("wmt/human-scores/en-de.mqm.seg.score",
            "\xef\xbb\xbfs-1\t-0.0\ns-1\t-1\ns-1\t-5\ns.2\t-0\ns.2\t-5\ns.2\t-1\n");
    struct regret_pool *pool = imported((struct given){0});
    cr_expect(!signbit(log_value(pool, "news:doc-a:1", "s-1", 0, &text)));
    cr_expect_str_eq(text, "a");
    cr_expect(!signbit(pool->components[0].high));
    regret_pool_free(pool);
    log_put("wmt/human-scores/en-de.mqm.seg.score", "s.2\t-0.5\ns.2\t-5\ns.2\t-1\n");
    pool = imported((struct given){0});
    cr_expect(pool->components[0].high == 0.0 && !signbit(pool->components[0].high));
    regret_pool_free(pool);
}

Test(mt_metrics, what_is_wrong_is_told_with_its_place)
{
    put_set();
    log_put("wmt/sources/zh-en.txt", "x\n");
    refused((struct given){0},
            "several language pairs; choose one of them by --pair: en-de, zh-en");
    refused((struct given){.pair = "en-ru"}, "no sources of \"en-ru\"; there are: en-de, zh-en");
    refused((struct given){.pair = "zh-en"}, "no system-outputs/PAIR/SYSTEM.txt of zh-en");
    const struct given g = {.pair = "en-de"};
    log_put("wmt/human-scores/en-de.mqm.seg.score", "s-1\t-1\ns-1\t-2\n");
    refused(g, "human-scores/en-de.mqm.seg.score has 2 scores of system \"s-1\"");
    log_put("wmt/human-scores/en-de.mqm.seg.score", "s-9\t-1\n");
    refused(g, "en-de.mqm.seg.score rates a system \"s-9\", and there is no system-outputs/en-de/"
               "s-9.txt");
    log_put("wmt/human-scores/en-de.mqm.seg.score", "s-1\t-1\ns-1\tbad\n");
    refused(g, "en-de.mqm.seg.score:2: must be the name of a system and its score");
    log_put("wmt/human-scores/en-de.mqm.seg.score", "None\n");
    refused(g, "en-de.mqm.seg.score:1: must be");
    put_set();
    log_put("wmt/system-outputs/en-de/s-1.txt", "a\nb\n");
    refused(g, "s-1.txt has 2 lines and ");
    log_put("wmt/system-outputs/en-de/s-1.txt", "a\n\xff\nc\n");
    refused(g, "s-1.txt: byte 3 is not valid UTF-8");
    put_set();
    log_put("wmt/documents/en-de.docs", "news\nnews b\nnews c\n");
    refused(g, "en-de.docs:1: must be a domain and the name of a document");
    log_put("wmt/other/sources/en-de.txt", "x\n");
    refused(g, "of another data set than");
    log_refused(&importer_mt_metrics, NULL, "wmt/references", "no sources/PAIR.txt");
}
