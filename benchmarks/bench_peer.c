/* One timed stage on texts from a file, for the scripts of benchmarks/peer.
 *
 *   bench-peer hashing TEXTS [THREADS]  tokens, then hashed uni- and bigrams (2^14 columns)
 *   bench-peer tfidf TEXTS [MATRIX]     tokens, terms, TF-IDF; the matrix is written to MATRIX
 *   bench-peer svd TEXTS RANK [VALUES]  the SVD of that TF-IDF and the projection of every row,
 *                                       singular values and projections (row by row) to VALUES
 *
 * TEXTS are UTF-8, each ended by a zero byte. Prints the processor time of the stage in seconds, on one
 * thread; with THREADS time by the clock. A further argument "all" keeps stop words. */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/text.h"

struct texts {
    char *bytes;
    const char **text;
    size_t n;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(regret_threads_allowed() > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(int rc)
{
    if (rc != REGRET_OK) {
        fprintf(stderr, "bench-peer: %s\n", regret_error_message());
        exit(1);
    }
}

static void read_texts(struct texts *t, const char *path)
{
    size_t length = 0;
    require(regret_file_read(&t->bytes, &length, path, (size_t)1 << 32));
    for (size_t i = 0; i < length; i++) {
        t->n += t->bytes[i] == '\0';
    }
    require(REGRET_NEW(&t->text, t->n));
    const char *at = t->bytes;
    for (size_t i = 0; i < t->n; i++, at += strlen(at) + 1) {
        t->text[i] = at;
    }
}

static void run_hashing(const struct texts *t)
{
    struct regret_feature_options options = REGRET_FEATURE_OPTIONS_INIT;
    struct regret_tokens *outputs = NULL, *contexts = NULL;
    struct regret_csr *phi = NULL;
    const char *empty = "";
    uint32_t *context = NULL;
    options.context = options.overlap = options.shape = 0.0;
    require(REGRET_NEW(&context, t->n));
    double start = now();
    require(regret_tokens_build(&outputs, t->text, t->n));
    require(regret_tokens_build(&contexts, &empty, 1));
    struct regret_pairs pairs = {
        .n_pairs = t->n, .contexts = contexts, .outputs = outputs, .context = context};
    require(regret_features_build(&phi, &pairs, &options));
    printf("%.9f\n", now() - start);
    regret_csr_free(phi);
    regret_tokens_free(outputs);
    regret_tokens_free(contexts);
    regret_free(context);
}

/* Tokens, terms, vocabulary and matrix. */
static struct regret_csr *tfidf_of(const struct texts *t, int keep_stop_words)
{
    struct regret_terms_options terms_options = REGRET_TERMS_OPTIONS_INIT;
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_tokens *tokens = NULL;
    struct regret_terms *terms = NULL;
    struct regret_tfidf *tfidf = NULL;
    struct regret_csr *x = NULL;
    terms_options.keep_stop_words = keep_stop_words;
    require(regret_tokens_build(&tokens, t->text, t->n));
    require(regret_terms_build(&terms, tokens, &terms_options));
    require(regret_tfidf_fit(&tfidf, terms, NULL, &options));
    require(regret_tfidf_transform(&x, tfidf, terms));
    regret_tfidf_free(tfidf);
    regret_terms_free(terms);
    regret_tokens_free(tokens);
    return x;
}

static void save(const struct regret_buffer *out, const char *path)
{
    require(regret_buffer_status(out));
    require(regret_file_write(path, out->data, out->length));
}

static void run_tfidf(const struct texts *t, const char *path, int keep_stop_words)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    double start = now();
    struct regret_csr *x = tfidf_of(t, keep_stop_words);
    printf("%.9f\n", now() - start);
    if (path != NULL) {
        regret_csr_matrix_market(&out, x);
        save(&out, path);
    }
    regret_buffer_free(&out);
    regret_csr_free(x);
}

static void run_svd(const struct texts *t, size_t rank, const char *path, int keep_stop_words)
{
    struct regret_csr *x = tfidf_of(t, keep_stop_words);
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    struct regret_buffer out = REGRET_BUFFER_INIT;
    struct regret_svd *svd = NULL;
    double *projected = NULL;
    options.rank = rank;
    require(REGRET_NEW(&projected, t->n * rank));
    double start = now();
    require(regret_svd_fit(&svd, x, NULL, &options));
    require(regret_svd_project(projected, svd, x));
    printf("%.9f\n", now() - start);
    for (size_t row = 0; path != NULL && row <= t->n; row++) {
        for (size_t j = 0; j < svd->rank; j++) {
            double value = row == 0 ? svd->singular[j] : projected[row - 1 + j * t->n];
            regret_buffer_printf(&out, j + 1 < svd->rank ? "%.17g," : "%.17g\n", value);
        }
    }
    if (path != NULL) {
        save(&out, path);
    }
    regret_buffer_free(&out);
    regret_free(projected);
    regret_svd_free(svd);
    regret_csr_free(x);
}

int main(int argc, char **argv)
{
    struct texts texts = {NULL, NULL, 0};
    int all = argc > 1 && strcmp(argv[argc - 1], "all") == 0;
    argc -= all;
    int svd = argc > 1 && strcmp(argv[1], "svd") == 0;
    if (argc < 3 + svd || (svd && strtoul(argv[3], NULL, 10) == 0)) {
        fprintf(stderr, "usage: bench-peer hashing|tfidf|svd TEXTS [RANK] [FILE] [all]\n");
        return 2;
    }
    openblas_set_num_threads(1);
    read_texts(&texts, argv[2]);
    if (svd) {
        run_svd(&texts, strtoul(argv[3], NULL, 10), argc > 4 ? argv[4] : NULL, all);
    } else if (strcmp(argv[1], "tfidf") == 0) {
        run_tfidf(&texts, argc > 3 ? argv[3] : NULL, all);
    } else {
        regret_threads_allow(argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
        run_hashing(&texts);
    }
    regret_free(texts.text);
    regret_free(texts.bytes);
    return 0;
}
