/* What an issue says, and the quality components of its patches. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/patch/patch_issue.h"
#include "text/patch/patch_measures.h"

FREED_POINTER(struct regret_patch_issue, regret_patch_issue_free)

/* From here on a patch is as large, and its hunks as far apart, as can be told [C]. */
static const double LARGEST = 500.0, WIDEST = 10000.0;

int regret_patch_issue_read(struct regret_patch_issue **out, const char *text, size_t length)
{
    FREED_BY(regret_patch_issue_free_at) struct regret_patch_issue *issue = NULL;
    TRY(REGRET_NEW(&issue, 1));
    TRY(excluded_words(&issue->excluded));
    struct word_sink sink = {&issue->excluded, &issue->identifiers, &issue->words};
    sink_text(&sink, (struct regret_span){text, length});
    TRY(issue->identifiers.status);
    TRY(issue->words.status);
    hash_bag_unite(&issue->identifiers);
    hash_bag_unite(&issue->words);
    *out = issue;
    issue = NULL;
    return REGRET_OK;
}

void regret_patch_issue_free(struct regret_patch_issue *issue)
{
    if (issue == NULL) {
        return;
    }
    hash_bag_free(&issue->excluded);
    hash_bag_free(&issue->identifiers);
    hash_bag_free(&issue->words);
    regret_free(issue);
}

/* One minus x on a logarithmic scale from 0 to `top`. */
static double logarithmic(double x, double top)
{
    return 1.0 - fmin(1.0, log1p(x) / log1p(top));
}

static double locality(const struct regret_patch *patch)
{
    double changed = (double)(patch->added + patch->removed), files = 0.0, hunks = 0.0;
    for (size_t f = 0; changed > 0.0 && f < patch->n_files; f++) {
        double share = (double)(patch->files[f].added + patch->files[f].removed) / changed;
        files += share * share;
    }
    for (size_t h = 0; changed > 0.0 && h < patch->n_hunks; h++) {
        double share = (double)(patch->hunks[h].added + patch->hunks[h].removed) / changed;
        hunks += share * share;
    }
    if (changed == 0.0) {
        files = 1.0 / (double)patch->n_files;
        hunks = patch->n_hunks > 0 ? 1.0 / (double)patch->n_hunks : 1.0;
    }
    return 0.5 * files + 0.5 * hunks * logarithmic(patch_gap(patch), WIDEST);
}

/* The path up to the extension of its last part. */
static struct regret_span without_extension(struct regret_span path)
{
    for (size_t i = path.length; i-- > 1 && path.text[i] != '/';) {
        if (path.text[i] == '.' && path.text[i - 1] != '/') {
            return (struct regret_span){path.text, i};
        }
    }
    return path;
}

/* P: how much of the files' paths the issue says. */
static int path_share(double *out, const struct regret_patch *patch,
                      const struct regret_patch_issue *issue)
{
    FREED_BY(hash_bag_free) struct hash_bag words = {NULL, 0, 0, REGRET_OK};
    const struct word_sink sink = {&issue->excluded, NULL, &words};
    double sum = 0.0;
    for (size_t f = 0; f < patch->n_files; f++) {
        words.n = 0;
        sink_text(&sink, without_extension(patch->files[f].path));
        hash_bag_unite(&words);
        sum += hash_bag_share(&words, &issue->words);
    }
    *out = sum / (double)patch->n_files;
    return words.status;
}

/* I and W: how much of the changed lines' identifiers and words. */
static int line_shares(double *identifier_share, double *word_share,
                       const struct regret_patch *patch, const struct regret_patch_issue *issue)
{
    FREED_BY(hash_bag_free) struct hash_bag identifiers = {NULL, 0, 0, REGRET_OK};
    FREED_BY(hash_bag_free) struct hash_bag words = {NULL, 0, 0, REGRET_OK};
    const struct word_sink changed = {&issue->excluded, &identifiers, &words};
    const struct word_sink section = {&issue->excluded, NULL, &words};
    for (size_t i = 0; i < patch->n_lines; i++) {
        if (patch->lines[i].sign != ' ') {
            sink_text(&changed, patch->lines[i].text);
        }
    }
    for (size_t h = 0; h < patch->n_hunks; h++) {
        sink_text(&section, patch->hunks[h].section);
    }
    TRY(identifiers.status != REGRET_OK ? identifiers.status : words.status);
    hash_bag_unite(&identifiers);
    hash_bag_unite(&words);
    *identifier_share = hash_bag_share(&identifiers, &issue->identifiers);
    *word_share = hash_bag_share(&words, &issue->words);
    return REGRET_OK;
}

int regret_patch_components(double out[REGRET_PATCH_COMPONENTS], const struct regret_patch *patch,
                            const struct regret_patch_issue *issue)
{
    double paths = 0.0, identifiers = 0.0, words = 0.0;
    if (patch->n_files == 0) {
        out[REGRET_PATCH_SIZE] = out[REGRET_PATCH_LOCALITY] = out[REGRET_PATCH_FOCUS] = 0.0;
        return REGRET_OK;
    }
    TRY(path_share(&paths, patch, issue));
    TRY(line_shares(&identifiers, &words, patch, issue));
    out[REGRET_PATCH_SIZE] = logarithmic((double)(patch->added + patch->removed), LARGEST);
    out[REGRET_PATCH_LOCALITY] = locality(patch);
    out[REGRET_PATCH_FOCUS] = (sqrt(paths) + sqrt(identifiers) + sqrt(words)) / 3.0;
    return REGRET_OK;
}

const char *regret_patch_component_name(size_t k)
{
    static const char *const names[REGRET_PATCH_COMPONENTS] = {"size", "locality", "focus"};
    return k < REGRET_PATCH_COMPONENTS ? names[k] : NULL;
}
