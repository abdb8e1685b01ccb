/* What users chose that is not there: refused, with what there is. */
#include <stdio.h>

#include "base/core/try.h"
#include "base/text/path.h"
#include "import/harness/harness_parts.h"

enum { LISTED = 400 }; /* bytes, after which no further name is begun */

int harness_see(int *is_wanted, struct harness *h, enum harness_choice which,
                const struct importer_list *patterns, const char *name)
{
    uint32_t i = 0;
    const char *seen = name != NULL ? name : "";
    h->choice[which].patterns = patterns;
    *is_wanted = patterns->n == 0 || name_matches(patterns->items, patterns->n, seen);
    return patterns->n > 0 || which == HARNESS_FILTERS
               ? names_enter(&i, &h->choice[which].seen, seen)
               : REGRET_OK;
}

int harness_wants(int *wants, struct harness *h, const char *task, const char *agent)
{
    int is_task = 0, is_agent = 0;
    TRY(harness_see(&is_task, h, HARNESS_TASKS, &h->options->tasks, task));
    TRY(harness_see(&is_agent, h, HARNESS_AGENTS, &h->options->agents, agent));
    *wants = is_task && is_agent;
    return REGRET_OK;
}

/* "a", "b" and 3 more; quoted, for they may hold commas; of metrics those with scores. */
static void put_names(struct regret_buffer *out, const struct names *names,
                      const struct harness_metric *metric)
{
    size_t begin = out->length, n = 0, shown = 0;
    for (size_t i = 0; i < names->n; i++) {
        if (metric != NULL && metric[i].n == 0) {
            continue;
        }
        n++;
        if (out->length - begin < LISTED) {
            regret_buffer_append(out, shown++ > 0 ? ", \"" : "\"");
            regret_buffer_append_safe(out, names->name[i], 80);
            regret_buffer_append_char(out, '"');
        }
    }
    if (n > shown) {
        regret_buffer_printf(out, " and %zu more", n - shown);
    }
    regret_buffer_append(out, n == 0 ? "none" : "");
}

int harness_refuse(const char *why, const struct names *names, const struct harness_metric *metric)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    put_names(&list, names, metric);
    TRY(regret_buffer_status(&list));
    return regret_fail(REGRET_E_INPUT, "%s; there are: %s", why, regret_buffer_get(&list));
}

static int refuse_pattern(const char *option, const char *pattern, const struct names *seen)
{
    char why[128];
    snprintf(why, sizeof why, "%s \"%.80s\" matches nothing", option, pattern);
    return harness_refuse(why, seen, NULL);
}

int harness_check_choices(const struct harness *h)
{
    static const char *const OPTIONS[HARNESS_CHOICES] = {"--task", "--agent", "--filter"};
    for (size_t k = 0; k < HARNESS_CHOICES; k++) {
        const struct importer_list *patterns = h->choice[k].patterns;
        const struct names *seen = &h->choice[k].seen;
        for (size_t p = 0; patterns != NULL && p < patterns->n; p++) {
            size_t i = 0;
            while (i < seen->n && !name_matches(&patterns->items[p], 1, seen->name[i])) {
                i++;
            }
            TRY(i < seen->n ? REGRET_OK : refuse_pattern(OPTIONS[k], patterns->items[p], seen));
        }
    }
    return REGRET_OK;
}

size_t harness_others(char *list, size_t size, const struct harness *h)
{
    size_t n = 0;
    list[0] = '\0';
    for (size_t i = 0; i < h->met.n; i++) {
        if (names_find(&h->own, h->met.name[i]) == SIZE_MAX) {
            importer_remember(list, size, path_last(h->met.name[i]));
            n++;
        }
    }
    return n;
}

int harness_tell(const struct harness *h, int code)
{
    size_t failed = 0;
    for (size_t i = 0; i < h->n_answers; i++) {
        failed += h->answers[i].state == HARNESS_FAILED;
    }
    if (h->n_answers > 0) {
        regret_fail_suffix(code, ": %zu answers, %zu of them failed", h->n_answers, failed);
    }
    if (h->no_numbers > 0) {
        regret_fail_suffix(code, "; %zu scores that are no numbers: %s:%zu", h->no_numbers,
                           h->files.name[h->no_number_at.file], h->no_number_at.line);
    }
    for (size_t i = 0; i < h->left_out.n; i++) {
        const struct harness_left *left = &h->left[i];
        regret_fail_suffix(code, "; %zu %s%s%s", left->n, h->left_out.name[i],
                           left->first[0] != '\0' ? ": " : "", left->first);
    }
    char others[300];
    size_t n = harness_others(others, sizeof others, h);
    return n == 0
               ? code
               : regret_fail_suffix(code,
                                    "; %zu files passed over, which this import does not read: %s",
                                    n, others);
}
