/* Features kept in a folder: the same bytes with them and without, and nothing of a file that is not whole. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/features/feature_cache.h"
#include "experiment/fixture.h"
#include "experiment/inputs/run_inputs.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/hash.h"
#include "regret/run_cost.h"
#include "regret/text.h"
#include "regret/tfidf.h"

TestSuite(feature_cache, .init = fixture_open, .fini = fixture_close);

/* ---- what is said ---- */

static struct {
    size_t n;
    char last[1024];
} said;

static void hear(void *context, const char *message)
{
    (void)context;
    said.n++;
    snprintf(said.last, sizeof said.last, "%s", message);
}

/* ---- files of a folder ---- */

static size_t files_in(const char *name, char path[512])
{
    DIR *folder = opendir(sample_path(name));
    size_t n = 0;
    for (const struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
        if (e->d_name[0] != '.') {
            n++;
            snprintf(path, 512, "%s/%s", name, e->d_name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return n;
}

static void run_with(const char *out, const char *cache, const char *const *sets, size_t n)
{
    static char folder[512];
    struct regret_run_options o = fixture_options(out);
    snprintf(folder, sizeof folder, "%s", cache != NULL ? sample_path(cache) : "");
    o.feature_cache = cache != NULL ? folder : NULL;
    o.sets = sets;
    o.n_sets = n;
    o.force = 1;
    o.notice = hear;
    said.n = 0;
    fixture_run(&o);
}

/* ---- one set of features, without a run ---- */

static const char *const sparse_set[] = {"solver=iterative"};

static struct fixture_inputs open_with(const char *cache)
{
    static char folder[512];
    snprintf(folder, sizeof folder, "%s", sample_path(cache));
    struct feature_cache c = {folder, 1, hear, NULL};
    said.n = 0;
    return fixture_inputs_open(sparse_set, 1, &c);
}

static void make_with(const char *cache)
{
    struct fixture_inputs o = open_with(cache);
    fixture_inputs_close(&o);
}

static void same_matrix(const struct regret_csr *a, const struct regret_csr *b)
{
    size_t n = regret_csr_entries(a);
    cr_assert(a->rows == b->rows && a->cols == b->cols && n == regret_csr_entries(b));
    cr_assert_arr_eq(a->row_start, b->row_start, (a->rows + 1) * sizeof *a->row_start);
    cr_assert_arr_eq(a->column, b->column, n * sizeof *a->column);
    cr_assert_arr_eq(a->value, b->value, n * sizeof *a->value);
}

Test(feature_cache, numbers_are_those_that_were_computed)
{
    struct fixture_inputs a = open_with("kept"), b = open_with("kept");
    const struct feature_set *f = a.inputs->features[0], *g = b.inputs->features[0];
    cr_assert_eq(said.n, 0);
    cr_assert_not_null(f->phi_context);
    same_matrix(f->phi, g->phi);
    same_matrix(f->phi_context, g->phi_context);
    same_matrix(f->terms->counts, g->terms->counts);
    cr_assert_arr_eq(f->terms->hash, g->terms->hash, f->terms->counts->cols * sizeof(uint64_t));
    cr_assert_arr_eq(f->statistics, g->statistics,
                     f->pairs * REGRET_STATISTICS * sizeof *f->statistics);
    fixture_inputs_close(&a);
    fixture_inputs_close(&b);
}

Test(feature_cache, rows_are_the_same_bytes_without_first_and_second)
{
    static const struct {
        const char *sets[3];
        size_t files; /* that are new */
    } runs[] = {
        {{"seeds=1", "solver=direct", "beta=1"}, 1},
        {{"seeds=1", "solver=iterative", "beta=1"}, 1},
        {{"seeds=1", "solver=iterative", "proxy.kind=predicted-labels"}, 1},
        {{"seeds=1", "solver=direct", "features.agent=0.5"}, 1},
        {{"seeds=1", "solver=iterative", "text.max_bytes=20"}, 1},
        {{"seeds=1", "task=world", "world.shortlist=2"}, 0}, /* has those of the second */
        {{"seeds=1", "solver=iterative", "sweep.features.buckets=[32,128]"}, 2},
    };
    char path[512];
    size_t files = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct stat before, after;
        run_with("without", NULL, runs[i].sets, 3);
        run_with("first", "a/b/kept", runs[i].sets, 3);
        cr_assert_eq(files_in("a/b/kept", path), files + runs[i].files, "%zu", i);
        files += runs[i].files;
        cr_assert_eq(stat(sample_path(path), &before), 0);
        run_with("second", "a/b/kept", runs[i].sets, 3);
        cr_assert_eq(stat(sample_path(path), &after), 0);
        cr_assert_eq(before.st_ino, after.st_ino, "the second run wrote the file again");
        cr_assert_eq(files_in("a/b/kept", path), files);
        cr_assert_eq(said.n, 0, "%s", said.last);
        fixture_same_run("without", "first");
        fixture_same_run("without", "second");
    }
}

Test(feature_cache, previews_take_but_write_nothing)
{
    struct regret_run_options o = fixture_options("none");
    struct regret_run_cost cost;
    char folder[512], path[512];
    snprintf(folder, sizeof folder, "%s", sample_path("kept"));
    o.feature_cache = folder;
    cr_assert_eq(regret_run_cost(&cost, &o, 0.0), 0, "%s", regret_error_message());
    cr_assert_eq(regret_run_preview(&cost, &o, 0.0), 0, "%s", regret_error_message());
    cr_assert_not(regret_file_exists(folder));
    run_with("r", "kept", NULL, 0);
    sample_write("kept/x", "");
    cr_assert_eq(files_in("kept", path), 2);
    cr_assert_eq(regret_run_cost(&cost, &o, 0.0), 0, "%s", regret_error_message());
    cr_assert_eq(files_in("kept", path), 2);
}

/* ---- the key ---- */

static struct feature_key key_of(const struct feature_set *set, const char *const *outputs,
                                 const char *const *contexts, int texts)
{
    struct feature_key key;
    cr_assert_eq(feature_key_make(&key, set, outputs, contexts, texts), 0);
    cr_assert_eq(strlen(key.digits), 32);
    return key;
}

static void expect_key(const struct feature_key *a, const struct feature_key *b, int same,
                       const char *of)
{
    cr_expect_eq(memcmp(a->part, b->part, sizeof a->part) == 0, same, "%s", of);
    cr_expect_eq(strcmp(a->digits, b->digits) == 0, same, "%s", of);
}

/* Every byte of every text, and the place between two texts. */
static void change_texts(const struct feature_set *set, const char **texts, size_t n,
                         const char *const *outputs, const char *const *contexts)
{
    const struct feature_key key = key_of(set, outputs, contexts, 1);
    for (size_t i = 0; i < n; i++) {
        const char *was = texts[i];
        char *copy = NULL;
        cr_assert_eq(regret_strdup(&copy, was), 0);
        texts[i] = copy;
        struct feature_key other = key_of(set, outputs, contexts, 1);
        expect_key(&key, &other, 1, "a copy");
        for (size_t b = 0; copy[b] != '\0'; b++) {
            copy[b] ^= 1;
            other = key_of(set, outputs, contexts, 1);
            expect_key(&key, &other, 0, was);
            copy[b] ^= 1;
        }
        texts[i] = i + 1 < n ? texts[i + 1] : "";
        other = key_of(set, outputs, contexts, 1);
        expect_key(&key, &other, 0, "another text");
        texts[i] = was;
        regret_free(copy);
    }
}

Test(feature_cache, key_changes_with_any_byte_of_a_text)
{
    struct fixture_inputs o = open_with("kept");
    const struct feature_set *set = o.inputs->features[0];
    const char *outputs[64], *contexts[64];
    for (size_t p = 0; p < set->pairs; p++) {
        outputs[p] = regret_grid_output_text(set->grid, p);
    }
    for (size_t x = 0; x < set->grid->n_contexts; x++) {
        contexts[x] = regret_grid_context_text(set->grid, x);
    }
    change_texts(set, outputs, set->pairs, outputs, contexts);
    change_texts(set, contexts, set->grid->n_contexts, outputs, contexts);
    /* "ab", "c" are not "a", "bc"; what is missing is empty. */
    outputs[0] = "ab";
    outputs[1] = "c";
    struct feature_key a = key_of(set, outputs, contexts, 1);
    outputs[0] = "a";
    outputs[1] = "bc";
    struct feature_key b = key_of(set, outputs, contexts, 1);
    expect_key(&a, &b, 0, "a border between texts");
    outputs[0] = "";
    a = key_of(set, outputs, contexts, 1);
    outputs[0] = NULL;
    b = key_of(set, outputs, contexts, 1);
    expect_key(&a, &b, 1, "an empty text");
    fixture_inputs_close(&o);
}

Test(feature_cache, key_changes_with_options_and_with_no_other_key)
{
    struct fixture_inputs o = open_with("kept");
    struct feature_set *set = o.inputs->features[0];
    struct regret_feature_options *f = &set->config.features, was = *f;
    const char *outputs[64] = {NULL}, *contexts[64] = {NULL};
    const struct feature_key key = key_of(set, outputs, contexts, 1);
    double *const scales[] = {&f->output, &f->context, &f->overlap,
                              &f->shape,  &f->agent,   &f->patch};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        *scales[i] = nextafter(*scales[i], 2.0);
        struct feature_key other = key_of(set, outputs, contexts, 1);
        expect_key(&key, &other, 0, "a scale");
        *f = was;
    }
    f->buckets *= 2;
    struct feature_key other = key_of(set, outputs, contexts, 1);
    expect_key(&key, &other, 0, "buckets");
    *f = was;
    f->tf = REGRET_TF_BINARY;
    other = key_of(set, outputs, contexts, 1);
    expect_key(&key, &other, 0, "tf");
    *f = was;
    f->seed++;
    other = key_of(set, outputs, contexts, 1);
    expect_key(&key, &other, 0, "the hash's seed");
    *f = was;
    set->sparse = !set->sparse;
    other = key_of(set, outputs, contexts, 1);
    expect_key(&key, &other, 0, "one part or two");
    set->sparse = !set->sparse;
    other = key_of(set, outputs, contexts, 0);
    expect_key(&key, &other, 0, "terms");
    set->config.seeds++;
    set->config.first_seed++;
    set->config.logging.beta += 0.5;
    set->config.n_exp++;
    set->config.logging_rank++;
    other = key_of(set, outputs, contexts, 1);
    expect_key(&key, &other, 1, "seeds, beta, budgets");
    fixture_inputs_close(&o);
}

Test(feature_cache, runs_of_other_seeds_and_budgets_share_a_file)
{
    const char *sets[][2] = {{"seeds=1", "solver=direct"},
                             {"first_seed=7", "solver=direct"},
                             {"sweep.beta=[0.3]", "solver=direct"},
                             {"n_exp=30", "solver=direct"}};
    char path[512];
    for (size_t i = 0; i < 4; i++) {
        run_with("r", "kept", sets[i], 2);
        cr_assert_eq(files_in("kept", path), 1);
    }
}

/* ---- damage ---- */

/* The layout by docs/formats.md, apart from the program's: offsets of the parts of a file. */
enum { HEAD = 136, DIGEST = 120, PARTS = 12 };

static uint64_t number_at(const char *file, size_t at)
{
    uint64_t n;
    memcpy(&n, file + at, sizeof n);
    return n;
}

static void layout(size_t begin[PARTS + 1], const char *file)
{
    size_t rows[3], cols[3], entries[3], length[PARTS], n = 0;
    for (size_t i = 0; i < 3; i++) {
        rows[i] = number_at(file, 40 + 24 * i);
        cols[i] = number_at(file, 48 + 24 * i);
        entries[i] = number_at(file, 56 + 24 * i);
    }
    length[n++] = HEAD;
    for (size_t i = 0; i < 3; i++) {
        length[n++] = rows[i] > 0 ? 8 * (rows[i] + 1) : 0;
        length[n++] = 8 * entries[i];
    }
    length[n++] = 8 * cols[2];
    length[n++] = 8 * number_at(file, 112);
    for (size_t i = 0; i < 3; i++) {
        length[n++] = 4 * entries[i];
    }
    begin[0] = 0;
    for (size_t i = 0; i < PARTS; i++) {
        begin[i + 1] = begin[i] + length[i];
    }
}

/* Gives a file the checksum of what is in it. */
static void seal(char *file)
{
    size_t begin[PARTS + 1];
    uint64_t digest[PARTS][2], all[2];
    layout(begin, file);
    memset(file + DIGEST, 0, 16);
    for (size_t i = 0; i < PARTS; i++) {
        regret_hash128(digest[i], file + begin[i], begin[i + 1] - begin[i]);
    }
    regret_hash128(all, digest, sizeof digest);
    memcpy(file + DIGEST, all, 16);
}

/* A file that is there instead is not used, which is said once, and replaced by the right one. */
static void expect_replaced(const char *path, const char *bytes, size_t n, const char *right,
                            size_t m, const char *part)
{
    size_t length = 0;
    cr_assert_eq(regret_file_write(sample_path(path), bytes, n), 0);
    make_with("kept");
    cr_expect_eq(said.n, 1, "%zu messages: %s", said.n, said.last);
    cr_expect_not_null(strstr(said.last, "is not used, features are computed: "), "%s", said.last);
    cr_expect_not_null(strstr(said.last, part), "no \"%s\" in: %s", part, said.last);
    char *now = fixture_read(&length, path);
    cr_assert(length == m && memcmp(now, right, m) == 0, "the file was not replaced");
    regret_free(now);
}

static char *kept_file(char path[512], size_t *n)
{
    make_with("kept");
    cr_assert_eq(files_in("kept", path), 1);
    return fixture_read(n, path);
}

Test(feature_cache, file_is_as_documented)
{
    char path[512];
    size_t n = 0, begin[PARTS + 1];
    char *file = kept_file(path, &n);
    uint64_t digest[2];
    memcpy(digest, file + DIGEST, sizeof digest);
    cr_assert_arr_eq(file, "regretF", 8);
    cr_assert_eq(number_at(file, 8), UINT64_C(0x0102030405060708));
    cr_assert_eq(number_at(file, 16), 1);
    layout(begin, file);
    cr_assert_eq(begin[PARTS], n);
    seal(file);
    cr_assert_arr_eq(file + DIGEST, digest, sizeof digest);
    make_with("kept");
    cr_assert_eq(said.n, 0);
    regret_free(file);
}

Test(feature_cache, flipped_bytes_are_found)
{
    char path[512];
    size_t n = 0;
    char *right = kept_file(path, &n), *copy = NULL;
    cr_assert_eq(regret_strndup(&copy, right, n), 0);
    for (size_t i = 0; i < n; i += i < HEAD ? 1 : 1 + n / 40) {
        const char *why = i < 8         ? "no file of features"
                          : i < 24      ? "another machine or version"
                          : i < 40      ? "other texts or options"
                          : i >= DIGEST ? "checksum"
                                        : "";
        copy[i] ^= 0x10;
        expect_replaced(path, copy, n, right, n, why);
        copy[i] ^= 0x10;
    }
    regret_free(copy);
    regret_free(right);
}

Test(feature_cache, truncated_and_longer_files_are_found)
{
    char path[512];
    size_t n = 0;
    char *right = kept_file(path, &n), *longer = NULL;
    for (size_t m = 0; m < n; m += m <= HEAD ? 1 : 1 + n / 40) {
        expect_replaced(path, right, m, right, n, "cut off, or too long");
    }
    expect_replaced(path, right, n - 1, right, n, "cut off, or too long");
    cr_assert_eq(regret_calloc((void **)&longer, n + 8, 1, "a longer file"), 0);
    memcpy(longer, right, n);
    expect_replaced(path, longer, n + 1, right, n, "cut off, or too long");
    expect_replaced(path, longer, n + 8, right, n, "cut off, or too long");
    regret_free(longer);
    regret_free(right);
}

/* Sizes that would overflow, whether or not the checksum is right. */
Test(feature_cache, sizes_that_no_file_has_are_refused)
{
    static const uint64_t sizes[] = {0,
                                     1,
                                     UINT32_MAX,
                                     (uint64_t)1 << 60,
                                     (uint64_t)1 << 61,
                                     UINT64_MAX / 12 + 1,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
    char path[512];
    size_t n = 0;
    char *right = kept_file(path, &n), *copy = NULL;
    cr_assert_eq(regret_strndup(&copy, right, n), 0);
    for (size_t at = 40; at < DIGEST; at += 8) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            memcpy(copy + at, &sizes[i], 8);
            expect_replaced(path, copy, n, right, n, "");
        }
        memcpy(copy + at, right + at, 8);
    }
    regret_free(copy);
    regret_free(right);
}

/* Files whose checksum is right and whose content is not. */
Test(feature_cache, forged_contents_are_refused)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    char path[512];
    size_t n = 0, begin[PARTS + 1];
    char *right = kept_file(path, &n), *copy = NULL;
    layout(begin, right);
    cr_assert_eq(regret_strndup(&copy, right, n), 0);
    static const size_t values[] = {2, 4, 6, 8};
    for (size_t i = 0; i < 12; i++) {
        size_t at = begin[values[i / 3]] + (i % 3 == 1 ? 8 : 0);
        memcpy(copy + at, &bad[i % 3], 8);
        seal(copy);
        expect_replaced(path, copy, n, right, n, "not finite");
        memcpy(copy, right, n);
    }
    static const size_t starts[] = {1, 3, 5}, columns[] = {9, 10, 11};
    for (size_t i = 0; i < 3; i++) {
        const uint64_t wrong[] = {UINT64_MAX, number_at(copy, 56 + 24 * i) + 1};
        for (size_t k = 0; k < 4; k++) { /* in the first, the second and the last place */
            size_t end = begin[starts[i] + 1];
            size_t at = k == 3 ? end - 8 : begin[starts[i]] + 8 * (k % 2);
            memcpy(copy + at, &wrong[k / 2], 8);
            seal(copy);
            expect_replaced(path, copy, n, right, n, "rows are not in order");
            memcpy(copy, right, n);
        }
        uint32_t column = (uint32_t)number_at(copy, 48 + 24 * i); /* the first that there is not */
        memcpy(copy + begin[columns[i]], &column, 4);
        seal(copy);
        expect_replaced(path, copy, n, right, n, "rows are not in order");
        memcpy(copy, right, n);
        memcpy(copy + begin[columns[i]] + 4, copy + begin[columns[i]], 4); /* twice */
        seal(copy);
        expect_replaced(path, copy, n, right, n, "rows are not in order");
        memcpy(copy, right, n);
    }
    regret_free(copy);
    regret_free(right);
}

Test(feature_cache, file_of_another_key_is_refused)
{
    const char *const other[] = {"features.buckets=128", "solver=iterative"};
    char path[512], foreign[512];
    size_t n = 0, m = 0;
    char *right = kept_file(path, &n);
    run_with("r", "other", other, 2);
    cr_assert_eq(files_in("other", foreign), 1);
    char *bytes = fixture_read(&m, foreign);
    expect_replaced(path, bytes, m, right, n, "other texts or options");
    regret_free(bytes);
    regret_free(right);
}

Test(feature_cache, folder_in_place_of_the_file_is_told_and_left)
{
    char path[512];
    size_t n = 0;
    regret_free(kept_file(path, &n));
    cr_assert_eq(unlink(sample_path(path)), 0);
    cr_assert_eq(regret_folder_create(sample_path(path)), 0);
    make_with("kept");
    cr_assert_eq(said.n, 2, "%s", said.last);
    cr_assert_not_null(strstr(said.last, "cannot be kept, the run goes on: cannot put in place"),
                       "%s", said.last);
    cr_assert(regret_is_folder(sample_path(path)));
    cr_assert_eq(files_in("kept", path), 1, "nothing is left beside it");
}

Test(feature_cache, folder_that_cannot_be_written_is_told_once)
{
    const char *const sets[] = {"seeds=1", "sweep.features.buckets=[32,64,128]"};
    sample_write("file", "x");
    run_with("without", NULL, sets, 2);
    run_with("with", "file/kept", sets, 2);
    cr_assert_eq(said.n, 1, "%zu: %s", said.n, said.last);
    cr_assert_not_null(strstr(said.last, "cannot be kept, the run goes on: cannot create folder"),
                       "%s", said.last);
    fixture_same_run("without", "with");
}

/* ---- the version ---- */

/* Of values to the sixth place, which machines whose logarithms differ in the last bit agree on. */
static uint64_t rounded_digest(const double *value, size_t n)
{
    int64_t *rounded = NULL;
    cr_assert_eq(regret_calloc((void **)&rounded, n, sizeof *rounded, "rounded values"), 0);
    for (size_t i = 0; i < n; i++) {
        rounded[i] = (int64_t)llround(value[i] * 1e6);
    }
    uint64_t out = regret_hash64(rounded, n * sizeof *rounded);
    regret_free(rounded);
    return out;
}

/* Of fixed texts: columns and values. When this changes, FORMAT_VERSION must be counted up, since files of before
 * would go on to be used; then put the new digest here. */
Test(feature_cache, version_is_of_these_features)
{
    struct fixture_inputs o = open_with("kept");
    const struct feature_set *set = o.inputs->features[0];
    const struct regret_csr *const m[] = {set->phi, set->phi_context, set->terms->counts};
    uint64_t digest[8];
    char all[33];
    for (size_t i = 0; i < 3; i++) {
        size_t n = regret_csr_entries(m[i]);
        digest[2 * i] = regret_hash64(m[i]->column, n * sizeof *m[i]->column);
        digest[2 * i + 1] = rounded_digest(m[i]->value, n);
    }
    digest[6] = regret_hash64(set->terms->hash, m[2]->cols * sizeof *set->terms->hash);
    digest[7] = rounded_digest(set->statistics, set->pairs * REGRET_STATISTICS);
    regret_digest(all, digest, sizeof digest);
    cr_assert_str_eq(all, "313ce97d26c040540063849f80369169");
    fixture_inputs_close(&o);
}
