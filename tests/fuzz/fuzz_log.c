/* Logs and trials: what is read has numbers in their ranges and names where the header says that they are, reads again as the
 * same, and what is said of it may be shown.
 *
 * Three parts: evaluate.json, which calls the tables "o" and "e" (and may call any others), and these. */
#include <math.h>
#include <string.h>

#include "log/guess.h"
#include "regret/evaluate.h"
#include "support.h"

static void check_rows(const struct regret_log *log, const struct regret_log_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        REQUIRE(rows->context[i] < log->n_contexts && rows->agent[i] < log->n_agents);
        REQUIRE(rows->cluster[i] < log->n_clusters && rows->line[i] > 0);
        REQUIRE(rows->outcome[i] >= 0.0 && rows->outcome[i] <= 1.0);
        REQUIRE(rows->propensity == NULL ||
                (rows->propensity[i] > 0.0 && rows->propensity[i] <= 1.0));
        REQUIRE(rows->time == NULL || !isinf(rows->time[i]));
    }
}

static void check_contexts(const struct regret_log *log)
{
    REQUIRE(log->n_kept <= log->n_contexts && log->n_drawn <= log->rows[REGRET_LOG_OBS].n);
    for (size_t c = 0; c < log->n_contexts; c++) {
        REQUIRE(c < log->n_kept || (log->context[c] == NULL && log->text[c] == NULL));
        REQUIRE(log->tag == NULL || log->tag[c] < log->n_tags);
        for (size_t k = 0; k < log->n_columns; k++) {
            const struct regret_log_column *column = &log->column[k];
            int is_known = column->n_known == 0 || c < column->n_known;
            REQUIRE(column->is_word ? column->word[c] < column->n_words
                                    : !is_known || !isinf(column->value[c]));
        }
    }
    for (size_t i = 0; i < log->n_drawn; i++) {
        uint32_t context = log->rows[REGRET_LOG_OBS].context[log->drawn[i]];
        REQUIRE(i == 0 || log->drawn[i - 1] < log->drawn[i]);
        REQUIRE(context < log->n_kept && log->context[context] != NULL);
    }
    for (size_t e = 0; e < log->n_evaluation; e++) {
        REQUIRE(log->evaluation[e] < log->n_kept && log->context[log->evaluation[e]] != NULL);
    }
}

static void check_text(const char *text)
{
    REQUIRE(text != NULL && regret_utf8_valid(text, strlen(text), NULL));
}

static void check_log(const struct regret_log *log)
{
    REQUIRE(log->n_agents >= 2 && log->incumbent <= log->n_agents && log->low != log->high);
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        check_rows(log, &log->rows[s]);
    }
    check_contexts(log);
    for (size_t i = 0; i < log->n_losses; i++) {
        REQUIRE(log->loss[i].n > 0 && log->loss[i].line > 0);
        check_text(log->loss[i].reason);
    }
    for (size_t i = 0; i < log->n_notes; i++) {
        check_text(log->note[i]);
    }
    for (size_t a = 0; a < log->n_agents; a++) {
        check_text(log->agent[a]);
    }
}

/* What is guessed about the tables reads, or is turned down for what they say; what is said of it may be shown. */
static void check_guess(const char *obs, const char *exp)
{
    static const struct init_known known;
    const char *const path[LOG_INPUTS] = {obs, exp, NULL};
    struct log_guess *g = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    if (fuzz_taken(log_guess_make(&g, path, &known, NULL))) {
        log_guess_config(&text, g, path);
        REQUIRE(regret_buffer_status(&text) == 0);
        const char *config = fuzz_put("guessed.json", text.data, text.length);
        int taken = fuzz_taken(log_guess_try(g, config));
        REQUIRE(taken || strstr(regret_error_message(), "there is no key") == NULL);
        regret_buffer_clear(&text);
        log_guess_explain(&text, g);
        for (size_t i = 0; i < text.length; i++) {
            unsigned char c = (unsigned char)text.data[i];
            REQUIRE(c == '\n' || (c >= ' ' && c != 0x7f));
        }
        check_text(regret_buffer_get(&text));
    }
    regret_buffer_free(&text);
    log_guess_free(g);
}

static void check_again(const struct regret_log *log, const char *config)
{
    struct regret_log *again = NULL;
    REQUIRE(regret_log_read(&again, config) == 0);
    REQUIRE(again->n_contexts == log->n_contexts && again->n_notes == log->n_notes);
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        const struct regret_log_rows *a = &log->rows[s], *b = &again->rows[s];
        REQUIRE(a->n == b->n);
        for (size_t i = 0; i < a->n; i++) {
            REQUIRE(a->context[i] == b->context[i] &&
                    fuzz_same_number(a->outcome[i], b->outcome[i]));
        }
    }
    regret_log_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_log *log = NULL;
    fuzz_split(parts, data, size);
    const char *config = fuzz_put_part("evaluate.json", parts[0]);
    const char *obs = fuzz_put_part("o", parts[1]), *exp = fuzz_put_part("e", parts[2]);
    fuzz_accepted = fuzz_taken(regret_log_read(&log, config));
    if (fuzz_accepted) {
        check_log(log);
        if (fuzz_turn(data, size, 8)) {
            check_again(log, config);
        }
    }
    if (fuzz_turn(data, size, 4)) {
        check_guess(parts[1].length > 0 || parts[2].length == 0 ? obs : NULL,
                    parts[2].length > 0 ? exp : NULL);
    }
    regret_log_free(log);
    fuzz_parts_free(parts);
    return 0;
}
