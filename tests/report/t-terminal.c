/* The ranking for a terminal, against plain loops over the made-up function. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_run.h"

/* Eight families, then oracle, random, best-exp and best-obs. */
enum { VARIANT_A = 4, VARIANT_B = 5, ORACLE = 8, RANDOM, BEST_EXP, BEST_OBS, N_SUBJECTS };
static const char *const baselines[] = {"oracle", "random", "best-exp", "best-obs"};

/* What a subject's regrets are about, and how far seeds move them. */
static double level[N_SUBJECTS], spread;

static double number(const struct made_up *unused, enum regret_measure measure, size_t subject,
                     size_t cell, size_t seed)
{
    (void)unused;
    double noise = made_number(measure, subject, cell, seed);
    return measure == REGRET_MEASURE_REGRET && subject < N_SUBJECTS
               ? fmax(level[subject] + spread * (noise - 0.05), 0.0)
               : noise;
}

static void setup(void)
{
    static const double levels[N_SUBJECTS] = {0.20, 0.1015, 0.30, 0.101, 0.01, 0.02,
                                              0.10, 0.25,   0.0,  0.6,   0.4,  0.22};
    made_begin();
    m.n_seeds = 12;
    m.n_maps = m.n_obs = 1;
    m.number = number;
    spread = 0.4;
    memcpy(level, levels, sizeof level);
}

TestSuite(terminal, .init = setup, .fini = made_end);

/* What is in the folder, in a static buffer. */
static const char *ranking_there(size_t columns, int unicode, int colour)
{
    static char shown[1 << 15];
    struct regret_results *results = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    const struct regret_terminal terminal = {columns, unicode, colour};
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
    cr_assert_eq(regret_report_ranking(&text, results, &terminal), 0, "%s", regret_error_message());
    cr_assert_lt(text.length, sizeof shown);
    strcpy(shown, regret_buffer_get(&text));
    regret_buffer_free(&text);
    regret_results_free(results);
    return shown;
}

static const char *ranking(size_t columns, int unicode, int colour)
{
    made_up_write(&m, folder);
    return ranking_there(columns, unicode, colour);
}

static double naive_seed(size_t subject, size_t seed)
{
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        sum += number(&m, REGRET_MEASURE_REGRET, subject, c, seed);
    }
    return sum / (double)made_cells(&m);
}

/* Of a subject's regret or, with another, of the difference of the two. */
static struct interval naive(size_t subject, size_t other)
{
    double d[64];
    for (size_t s = 0; s < m.n_seeds; s++) {
        d[s] = naive_seed(subject, s) - (other < N_SUBJECTS ? naive_seed(other, s) : 0.0);
    }
    return naive_interval(d, m.n_seeds);
}

static const char *name_of(size_t subject)
{
    return subject < m.n_families ? m.families[subject] : baselines[subject - m.n_families];
}

/* A row of the ranking as it is shown. */
struct row {
    char interval[20], bar[80], verdict[8];
    double mean;
};

/* The row of the subject in 120 columns without Unicode; its number from the top in *place. */
static struct row row_of(const char *shown, size_t subject, size_t *place)
{
    struct row row = {.mean = NAN};
    char begin[40];
    *place = 0;
    snprintf(begin, sizeof begin, "  %-18s  ", name_of(subject));
    for (const char *p = shown; p != NULL && *p != '\0'; p = strchr(p, '\n') + 1, ++*place) {
        if (strncmp(p, begin, strlen(begin)) == 0) {
            row.mean = strtod(p + 22, NULL);
            snprintf(row.interval, sizeof row.interval, "%.16s", p + 30);
            snprintf(row.bar, sizeof row.bar, "%.64s", p + 48);
            snprintf(row.verdict, sizeof row.verdict, "%.*s", (int)strcspn(p + 114, "\n"), p + 114);
            return row;
        }
    }
    cr_assert(0, "no %s in %s", name_of(subject), shown);
    return row;
}

static const size_t ordered[] = {6, 3, 1, 0, 7, 2, BEST_OBS, BEST_EXP, RANDOM};
enum { N_ORDERED = sizeof ordered / sizeof *ordered };

Test(terminal, numbers_order_and_verdicts)
{
    const char *shown = ranking(120, 0, 0);
    size_t last = 0;
    cr_assert(strncmp(shown, "  Mean regret, 6 cells x 12 seeds, 95 % intervals over seeds", 60) ==
              0);
    for (size_t i = 0; i < N_ORDERED; i++) {
        size_t place = 0;
        struct row row = row_of(shown, ordered[i], &place);
        struct interval own = naive(ordered[i], N_SUBJECTS), d = naive(ordered[i], ordered[0]);
        char interval[32];
        snprintf(interval, sizeof interval, "[%.4f, %.4f]", own.low, own.high);
        cr_expect_str_eq(row.interval, interval, "%s", name_of(ordered[i]));
        cr_expect_float_eq(row.mean, own.mean, 5.1e-5);
        cr_expect_str_eq(row.verdict, i == 0         ? "best"
                                      : d.low > 0.0  ? "worse"
                                      : d.high < 0.0 ? "better"
                                                     : "tied");
        cr_expect(i == 0 || place == last + 1, "%s in line %zu after %zu", name_of(ordered[i]),
                  place, last);
        last = place;
    }
    cr_expect_null(strstr(shown, "grounded-"), "variants are not ranked");
    cr_expect_null(strstr(shown, "oracle"));
}

/* Bars end with the largest interval of those that are not random. */
Test(terminal, bars_are_to_scale)
{
    const char *shown = ranking(120, 0, 0);
    double end = 0.0;
    for (size_t i = 0; i + 1 < N_ORDERED; i++) {
        end = fmax(end, naive(ordered[i], N_SUBJECTS).high);
    }
    for (size_t i = 0; i < N_ORDERED; i++) {
        size_t place = 0;
        struct row row = row_of(shown, ordered[i], &place);
        struct interval own = naive(ordered[i], N_SUBJECTS);
        for (size_t j = 0; j < 64; j++) {
            double x = ((double)j + 0.5) / 64.0 * end;
            char expected = x > own.high ? ' ' : x > own.mean ? '-' : x > own.low ? '=' : '#';
            if (i >= 6) { /* a baseline has no bar, but a mark */
                expected = x >= own.low && x <= own.high ? '-' : ' ';
                expected = floor(own.mean / end * 64.0) == (double)j ? '|' : expected;
                expected = own.mean > end && j == 63 ? '>' : expected;
            }
            int marked = 0;
            for (size_t b = 6; b < N_ORDERED && i < 6; b++) {
                double mean = naive(ordered[b], N_SUBJECTS).mean;
                marked |= floor(mean / end * 64.0) == (double)j && mean <= end;
            }
            expected = expected == ' ' && marked ? ':' : expected;
            cr_expect_eq(row.bar[j], expected, "%s, column %zu: '%c' for '%c'\n%s",
                         name_of(ordered[i]), j, row.bar[j], expected, shown);
        }
    }
}

/* Columns of a line: escape sequences take none, and a character that is not ASCII one here. */
static size_t columns_of(const char *line, size_t n)
{
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) {
        if (line[i] == '\033') {
            i += strcspn(line + i, "m");
        } else {
            columns += ((unsigned char)line[i] & 0xC0) != 0x80;
        }
    }
    return columns;
}

static void expect_fits(const char *shown, size_t columns, int unicode, int colour)
{
    size_t room = columns < 40 ? 40 : columns > 200 ? 200 : columns;
    for (const char *p = shown; *p != '\0'; p += strcspn(p, "\n") + 1) {
        size_t n = strcspn(p, "\n");
        cr_expect(columns_of(p, n) <= room, "%zu columns: %.*s", room, (int)n, p);
        cr_expect(strncmp(p, "  ", 2) == 0, "%.*s", (int)n, p);
    }
    for (const char *p = shown; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        cr_expect(unicode || c < 0x80, "not ASCII: %s", p);
        cr_expect(c >= 0x20 || c == '\n' || (c == 033 && colour), "byte %d", c);
    }
}

Test(terminal, every_width_and_every_name_fits)
{
    static const size_t widths[] = {0,  39, 40, 41, 57,  58,  63,  64,
                                    75, 76, 80, 81, 120, 200, 201, 5000};
    static const char hostile[] = "\\u001b[31mred\\u202e\\u0007 of a name that is longer than any";
    m.n_seeds = 2;
    for (int strange = 0; strange < 2; strange++) {
        m.families[6] = strange ? hostile : "cvci";
        m.families[3] = strange ? "\\u00e9t\\u00e9" : "grounded";
        made_up_write(&m, folder);
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            for (int kind = 0; kind < 4; kind++) {
                expect_fits(ranking_there(widths[i], kind & 1, kind >> 1), widths[i], kind & 1,
                            kind >> 1);
            }
        }
    }
    cr_expect_not_null(strstr(ranking(80, 1, 0), "  \\u{1b}[31mred\\u{202e}…    0."));
    cr_expect_not_null(strstr(ranking(80, 0, 0), "  \\u{1b}[31mred\\u{202e}~    0."));
    cr_expect_not_null(strstr(ranking(80, 0, 0), "  ~t~ "));
}

/* What is drawn in blocks is what is drawn in ASCII. */
Test(terminal, unicode_is_ascii_in_other_glyphs)
{
    static const char *const glyphs[][2] = {{"█", "#"}, {"▓", "="}, {"░", "-"}, {"┊", ":"},
                                            {"┃", "|"}, {"▶", ">"}, {"×", "x"}};
    static char plain[1 << 14];
    size_t n = 0;
    for (const char *p = ranking(90, 1, 0); *p != '\0';) {
        size_t g = 0;
        for (; g < 7 && strncmp(p, glyphs[g][0], strlen(glyphs[g][0])) != 0; g++) {
        }
        plain[n++] = g < 7 ? glyphs[g][1][0] : *p;
        p += g < 7 ? strlen(glyphs[g][0]) : 1;
    }
    plain[n] = '\0';
    cr_expect_str_eq(plain, ranking(90, 0, 0));
}

/* The sentence as one line. */
static const char *sentence(void)
{
    static char line[2048];
    const char *shown = ranking(200, 0, 0), *p = strstr(shown, m.synthetic ? "SYNTHETIC" : "Real ");
    cr_assert_not_null(p);
    snprintf(line, sizeof line, "%s", p);
    for (char *c = line; (c = strstr(c, "\n  ")) != NULL;) {
        memmove(c + 1, c + 3, strlen(c + 3) + 1);
        *c = ' ';
    }
    return line;
}

static void expect_sentence(const char *first, const char *second, const char *third)
{
    const char *line = sentence();
    cr_expect_not_null(strstr(line, first), "%s", line);
    cr_expect_not_null(strstr(line, second), "%s", line);
    cr_expect_not_null(strstr(line, third), "%s", line);
}

Test(terminal, the_sentence_that_matters)
{
    char gain[96];
    struct interval own = naive(6, N_SUBJECTS), d = naive(BEST_OBS, 6);
    snprintf(gain, sizeof gain,
             "and beats the best single agent (best-obs, %.4f) by %.4f [%.4f, %.4f].\n",
             naive(BEST_OBS, N_SUBJECTS).mean, d.mean, d.low, d.high);
    char best[96];
    snprintf(best, sizeof best,
             "SYNTHETIC data: cvci recommends best (mean regret %.4f), tied with", own.mean);
    expect_sentence(best, "tied with grounded and obs-only, and", gain);
    /* Two that are tied, then one, all, none. */
    level[1] = 0.3;
    expect_sentence("cvci recommends best", ", tied with grounded, and beats", ".\n");
    for (size_t f = 0; f < m.n_families; f++) {
        level[f] = 0.1 + 1e-4 * (double)f;
    }
    expect_sentence("recommends best", ", tied with every other family, and", ".\n");
    level[6] = 0.01;
    m.synthetic = 0;
    expect_sentence("Real data: cvci recommends best", ", ahead of every other family, and", ".\n");
}

Test(terminal, the_sentence_against_a_single_agent)
{
    char loss[128];
    level[BEST_EXP] = 0.05;
    struct interval d = naive(6, BEST_EXP);
    snprintf(loss, sizeof loss,
             "and loses to the best single agent (best-exp, %.4f) by %.4f [%.4f, %.4f].\n",
             naive(BEST_EXP, N_SUBJECTS).mean, d.mean, d.low, d.high);
    expect_sentence("cvci recommends best", loss, loss);
    cr_expect_str_eq(row_of(ranking(120, 0, 0), BEST_EXP, &(size_t){0}).verdict, "better");
    level[BEST_EXP] = 0.1;
    expect_sentence("cvci recommends best",
                    "and is not separable from the best single agent (best-exp,",
                    ") with a difference of ");
}

/* The rule by tag is told where it does better than one agent for all, and stands in a row in any case. */
static double by_tag_level;
static double number_by_tag(const struct made_up *made, enum regret_measure measure, size_t subject,
                            size_t cell, size_t seed)
{
    return measure == REGRET_MEASURE_REGRET && subject >= N_SUBJECTS
               ? by_tag_level + 0.01 * made_number(measure, subject, cell, seed)
               : number(made, measure, subject, cell, seed);
}

Test(terminal, the_rule_by_tag)
{
    m.by_tag = 1;
    m.number = number_by_tag;
    by_tag_level = 0.05;
    const char *line = sentence();
    cr_expect_not_null(strstr(line, ", and beats the best single agent (best-obs, "), "%s", line);
    cr_expect_not_null(strstr(line, "], and loses to the best agent by tag (best-by-tag-"), "%s",
                       line);
    cr_expect_not_null(strstr(ranking(120, 0, 0), "\n  best-by-tag-obs  "));
    by_tag_level = 0.7;
    line = sentence();
    cr_expect_null(strstr(line, "agent by tag"), "%s", line);
    cr_expect_not_null(strstr(ranking(120, 0, 0), "\n  best-by-tag-obs  "));
}

Test(terminal, few_seeds_and_one)
{
    m.n_seeds = 9;
    expect_sentence("recommends best", "; 9 seeds are too few to trust that (10 are the least).\n",
                    "");
    m.n_seeds = 1;
    expect_sentence("recommends best (mean regret 0.",
                    "), and is below the best single agent (best-obs, 0.",
                    "); 1 seed is too few to trust that (10 are the least).\n");
    const char *shown = ranking(120, 0, 0);
    cr_expect_not_null(strstr(shown, "6 cells x 1 seed, "));
    size_t place;
    struct row row = row_of(shown, 2, &place);
    cr_expect_str_eq(row.verdict, "?");
    cr_expect_eq(row.bar[0], '#');
    cr_expect_null(strchr(row.bar, '-'), "no interval: %s", row.bar);
    level[BEST_OBS] = 0.01;
    expect_sentence("recommends best (mean regret 0.",
                    "), and is above the best single agent (best-obs, 0.", ".\n");
}

static int skip_late(const char *family, size_t cell, size_t seed)
{
    (void)family;
    return cell > 1 && seed > 3;
}

static int skip_most(const char *family, size_t cell, size_t seed)
{
    return strcmp(family, "random") != 0 && cell + seed < (size_t)-1;
}

Test(terminal, unfinished_runs)
{
    m.skip = skip_late;
    cr_expect_not_null(strstr(ranking(120, 0, 0), "  Mean regret, 40 of 72 replicates, 95 % "));
    m.skip = skip_most;
    const char *shown = ranking(120, 0, 0);
    cr_expect_not_null(strstr(shown, "\n  random  0.60"), "%s", shown);
    cr_expect_not_null(strstr(shown, "|  ?\n"), "%s", shown);
    cr_expect_not_null(strstr(shown, "\n  SYNTHETIC data: no family has a regret yet.\n"), "%s",
                       shown);
}

/* No regret anywhere: nothing to divide by. */
Test(terminal, runs_without_regret)
{
    memset(level, 0, sizeof level);
    spread = 0.0;
    const char *shown = ranking(120, 0, 0);
    size_t place;
    cr_expect_str_eq(row_of(shown, 3, &place).verdict, "tied");
    cr_expect_null(strstr(shown, "nan"));
    expect_sentence("exp-only recommends best (mean regret 0.0000), tied with every other family,",
                    "and is not separable from the best single agent", ".\n");
}
