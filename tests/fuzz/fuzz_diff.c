/* Unified diffs: any bytes are a patch. Its parts lie within the text, its counts add up, its
 * statistics and components are finite and in their ranges, and say what the parts say.
 *
 * The patch comes first, then the issue that it answers. */
#include <math.h>
#include <string.h>

#include "regret/status.h"
#include "support.h"
#include "text/patch.h"

static struct fuzz_part patch_text;

static int inside(struct regret_span s)
{
    return s.text != NULL &&
           (s.length == 0 || (s.text >= patch_text.text &&
                              s.text + s.length <= patch_text.text + patch_text.length));
}

static void check_lines(const struct regret_patch *p, const struct regret_patch_hunk *hunk)
{
    size_t added = 0, removed = 0, context = 0;
    for (size_t i = hunk->first_line; i < hunk->first_line + hunk->n_lines; i++) {
        const struct regret_patch_line *line = &p->lines[i];
        REQUIRE(inside(line->text));
        REQUIRE(line->text.length == 0 || memchr(line->text.text, '\n', line->text.length) == NULL);
        added += line->sign == '+';
        removed += line->sign == '-';
        context += line->sign == ' ';
    }
    REQUIRE(added == hunk->added && removed == hunk->removed && context == hunk->context);
    REQUIRE(added + removed + context == hunk->n_lines);
    REQUIRE(removed + context <= hunk->old_lines && added + context <= hunk->new_lines);
}

static void check_file(const struct regret_patch *p, const struct regret_patch_file *file,
                       size_t *lines)
{
    size_t added = 0, removed = 0, context = 0;
    REQUIRE(inside(file->path) && inside(file->old_path));
    REQUIRE(file->is_test == regret_path_is_test(file->path));
    for (size_t h = file->first_hunk; h < file->first_hunk + file->n_hunks; h++) {
        REQUIRE(p->hunks[h].first_line == *lines && inside(p->hunks[h].section));
        check_lines(p, &p->hunks[h]);
        *lines += p->hunks[h].n_lines;
        added += p->hunks[h].added;
        removed += p->hunks[h].removed;
        context += p->hunks[h].context;
    }
    REQUIRE(added == file->added && removed == file->removed && context == file->context);
}

static void check_patch(const struct regret_patch *p)
{
    size_t hunks = 0, lines = 0, added = 0, removed = 0, context = 0;
    for (size_t f = 0; f < p->n_files; f++) {
        REQUIRE(p->files[f].first_hunk == hunks);
        hunks += p->files[f].n_hunks;
        REQUIRE(hunks <= p->n_hunks);
        check_file(p, &p->files[f], &lines);
        added += p->files[f].added;
        removed += p->files[f].removed;
        context += p->files[f].context;
    }
    REQUIRE(hunks == p->n_hunks && lines == p->n_lines);
    REQUIRE(added == p->added && removed == p->removed && context == p->context);
}

static void check_statistics(const struct regret_patch *p)
{
    double value[REGRET_PATCH_STATISTICS];
    REQUIRE(regret_patch_statistics(value, p) == 0);
    for (size_t j = 0; j < REGRET_PATCH_STATISTICS; j++) {
        const char *name = regret_patch_statistic_name(j);
        REQUIRE(isfinite(value[j]) && value[j] >= 0.0);
        int is_share = strcmp(name, "largest_hunk") == 0 || strcmp(name, "reformatted") == 0 ||
                       strcmp(name, "comment_lines") == 0;
        REQUIRE(!is_share || value[j] <= 1.0);
        REQUIRE(p->n_files > 0 || value[j] == 0.0);
    }
    if (p->n_files > 0) {
        REQUIRE(value[0] == (double)p->n_files && value[1] == (double)p->n_hunks);
        REQUIRE(value[2] == (double)p->added && value[3] == (double)p->removed);
        REQUIRE(value[4] == (double)p->context);
    }
}

/* The issue of these words, kept while inputs do not change it: reading one sorts a list of words that
 * takes longer than all the rest. */
static const struct regret_patch_issue *issue_of(struct fuzz_part text)
{
    static struct regret_patch_issue *issue;
    static struct fuzz_part read;
    if (issue == NULL || read.length != text.length ||
        memcmp(read.text, text.text, text.length) != 0) {
        regret_patch_issue_free(issue);
        regret_free(read.text);
        read = (struct fuzz_part){NULL, text.length};
        REQUIRE(regret_strndup(&read.text, text.text, text.length) == 0);
        REQUIRE(regret_patch_issue_read(&issue, text.text, text.length) == 0);
    }
    return issue;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_patch *patch = NULL;
    double q[REGRET_PATCH_COMPONENTS];
    fuzz_split(parts, data, size);
    patch_text = parts[0];
    REQUIRE(regret_patch_parse(&patch, parts[0].text, parts[0].length) == 0);
    check_patch(patch);
    check_statistics(patch);
    REQUIRE(regret_patch_components(q, patch, issue_of(parts[1])) == 0);
    for (size_t k = 0; k < REGRET_PATCH_COMPONENTS; k++) {
        REQUIRE(q[k] >= 0.0 && q[k] <= 1.0);
        REQUIRE(patch->n_files > 0 || q[k] == 0.0);
    }
    fuzz_accepted = patch->n_files > 0 && patch->defects == 0;
    regret_patch_free(patch);
    fuzz_parts_free(parts);
    return 0;
}
