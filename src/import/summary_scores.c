#include "import/internal.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/builder.h"
#include "import/importer.h"
#include "regret/status.h"
#include "regret/text.h"

static int ascending(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* 1 − distinct trigrams / trigrams; 0 when there is none. */
static double repeated_trigrams(const uint64_t *tokens, size_t n, uint64_t *scratch)
{
    if (n < 3) {
        return 0.0;
    }
    size_t trigrams = n - 2, distinct = 1;
    for (size_t i = 0; i < trigrams; i++) {
        scratch[i] = regret_hash64(tokens + i, 3 * sizeof *tokens);
    }
    qsort(scratch, trigrams, sizeof *scratch, ascending);
    for (size_t i = 1; i < trigrams; i++) {
        distinct += scratch[i] != scratch[i - 1];
    }
    return 1.0 - (double)distinct / (double)trigrams;
}

double summary_conciseness(const uint64_t *tokens, size_t n, double expected, uint64_t *scratch)
{
    if (n == 0) {
        return 1.0;
    }
    double ratio = (double)n / (expected < 1.0 ? 1.0 : expected);
    double length = fmin(fmax((3.0 - ratio) / 2.0, 0.0), 1.0);
    double score = 1.0 + 4.0 * length * (1.0 - repeated_trigrams(tokens, n, scratch));
    return nearbyint(score * 1e4) / 1e4;
}

static size_t token_count(const struct regret_tokens *tokens, size_t text)
{
    return tokens->start[text + 1] - tokens->start[text];
}

/* The texts of a pool under construction as tokens. */
struct summaries {
    struct regret_tokens *outputs, *sources, *references; /* owned */
    uint32_t *context;                                    /* of each output; owned */
};

static void summaries_free(struct summaries *s)
{
    regret_tokens_free(s->outputs);
    regret_tokens_free(s->sources);
    regret_tokens_free(s->references);
    regret_free(s->context);
}

static int summaries_make(struct summaries *s, const struct import_builder *b)
{
    const char **outputs = NULL, **sources = NULL, **references = NULL;
    char **first = NULL; /* of several references */
    int rc;
    TRY_CLEANUP(REGRET_NEW(&outputs, b->n_rows));
    TRY_CLEANUP(REGRET_NEW(&sources, b->contexts.n));
    TRY_CLEANUP(REGRET_NEW(&references, b->contexts.n));
    TRY_CLEANUP(REGRET_NEW(&first, b->contexts.n));
    TRY_CLEANUP(REGRET_NEW(&s->context, b->n_rows));
    for (size_t i = 0; i < b->n_rows; i++) {
        outputs[i] = b->rows[i].text;
        s->context[i] = b->rows[i].context;
    }
    for (size_t x = 0; x < b->contexts.n; x++) {
        sources[x] = b->contexts.entry[x].text;
        const char *reference = b->contexts.entry[x].reference;
        TRY_CLEANUP(reference != NULL
                        ? regret_strndup(&first[x], reference, references_first(reference))
                        : REGRET_OK);
        references[x] = first[x];
    }
    TRY_CLEANUP(regret_tokens_build(&s->outputs, outputs, b->n_rows));
    TRY_CLEANUP(regret_tokens_build(&s->sources, sources, b->contexts.n));
    TRY_CLEANUP(regret_tokens_build(&s->references, references, b->contexts.n));
cleanup:
    regret_free(outputs);
    regret_free(sources);
    regret_free(references);
    texts_free(first, b->contexts.n);
    return rc;
}

static int score_conciseness(struct import_builder *b, const struct summaries *s, size_t value)
{
    uint64_t *scratch = NULL;
    TRY(REGRET_NEW(&scratch, s->outputs->start[b->n_rows]));
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct import_row *row = &b->rows[i];
        size_t n = token_count(s->outputs, i), wanted = token_count(s->references, row->context);
        double expected = wanted > 0
                              ? (double)wanted
                              : (double)token_count(s->sources, row->context) / SUMMARY_SHARE;
        row->values[value] =
            summary_conciseness(s->outputs->hash + s->outputs->start[i], n, expected, scratch);
    }
    regret_free(scratch);
    return REGRET_OK;
}

static void cost_tokens(struct import_builder *b, const struct summaries *s)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        struct import_entry *agent = &b->agents.entry[b->rows[i].agent];
        if (b->rows[i].kept) {
            agent->cost += (double)token_count(s->outputs, i);
            agent->costs++;
        }
    }
}

static int add_statistics(struct import_builder *b, const struct summaries *s, size_t value)
{
    struct regret_pairs pairs = {
        .n_pairs = b->n_rows, .contexts = s->sources, .outputs = s->outputs, .context = s->context};
    FREED double *columns = NULL;
    TRY(REGRET_NEW(&columns, b->n_rows * REGRET_STATISTICS));
    TRY(regret_text_statistics(columns, &pairs));
    for (size_t i = 0; i < b->n_rows; i++) {
        for (size_t j = 0; j < REGRET_STATISTICS; j++) {
            b->rows[i].values[value + j] = columns[j * b->n_rows + i];
        }
    }
    return REGRET_OK;
}

int summary_scores_derive(struct import_builder *b, const struct summary_scores *wanted)
{
    FREED_BY(summaries_free) struct summaries s = {NULL, NULL, NULL, NULL};
    TRY(summaries_make(&s, b));
    TRY(wanted->conciseness ? score_conciseness(b, &s, wanted->conciseness_value) : REGRET_OK);
    TRY(wanted->statistics ? add_statistics(b, &s, wanted->statistics_value) : REGRET_OK);
    if (wanted->cost) {
        cost_tokens(b, &s);
    }
    return REGRET_OK;
}

enum { LONGEST = 40 };

/* Between blanks, as they are compared. */
static const char *const WORDS[] = {
    [WINNER_A] =
        " a modela 1 model1 left leftvote first firstvote responsea response1 outputa output1 "
        "answera answer1 assistanta assistant1 agenta agent1 awins win wins won ",
    [WINNER_B] =
        " b modelb 2 model2 right rightvote second secondvote responseb response2 outputb "
        "output2 answerb answer2 assistantb assistant2 agentb agent2 bwins loss loses lost ",
    [WINNER_NONE] = " tie tievote ties tied draw equal same both bothgood tiebothgood "
                    "tieinconsistent ",
    [WINNER_BOTH_BAD] = " tiebothbad bothbad bothbadvote bad neither bothworse "};

enum vote_winner winner_of(const char *word, const char *model_a, const char *model_b)
{
    char plain[LONGEST + 3] = " ";
    size_t n = 1;
    if (strcmp(word, model_a) == 0 || strcmp(word, model_b) == 0) {
        return strcmp(word, model_a) == 0 ? WINNER_A : WINNER_B;
    }
    for (const char *p = word; *p != '\0' && n <= LONGEST; p++) {
        if (isalnum((unsigned char)*p)) {
            plain[n++] = (char)tolower((unsigned char)*p);
        }
    }
    if (n == 1 || n > LONGEST || strpbrk(word, ".,") != NULL ||
        word[0] == '-') { /* 1.5 is no 15, −1 no 1 */
        return WINNER_UNKNOWN;
    }
    snprintf(plain + n, 2, " ");
    enum vote_winner w = WINNER_A;
    while (w < WINNER_UNKNOWN && strstr(WORDS[w], plain) == NULL) {
        w++;
    }
    return w;
}
