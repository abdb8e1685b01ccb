#include <string.h>

#include <cJSON.h>

#include "pool/check.h"
#include "import/import_swebench.h"
#include "base/json_records.h"
#include "regret/alloc.h"
#include "regret/json.h"

static int keep_issue(struct swebench *s, const char *id, const char *text)
{
    int rc = regret_grow((void **)&s->issues, &s->issue_capacity, s->n_issues, sizeof *s->issues,
                         "issues");
    if (rc != REGRET_OK) {
        return rc;
    }
    struct swebench_issue *issue = &s->issues[s->n_issues++];
    *issue = (struct swebench_issue){NULL, NULL, NULL};
    rc = regret_strdup(&issue->id, id);
    return rc != REGRET_OK ? rc : regret_strdup(&issue->text, text);
}

static int add_issue(struct swebench *s, const cJSON *record, struct regret_place at)
{
    const char *id = NULL, *text = NULL;
    int rc = regret_json_get_string(&id, record, "instance_id", at);
    if (rc == REGRET_OK) {
        rc = regret_json_optional_string(&text, record, "problem_statement", at);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    rc = pool_check_id("instance_id", id);
    if (rc != REGRET_OK) {
        return regret_json_error(at, "%s", regret_error_message());
    }
    if (text == NULL) {
        s->report.issues_without_text++;
        return REGRET_OK;
    }
    if (s->n_issues == REGRET_POOL_MAX_CONTEXTS) {
        return regret_json_error(at, "more than %d issues", REGRET_POOL_MAX_CONTEXTS);
    }
    return keep_issue(s, id, text);
}

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *end_of(const char *text)
{
    const char *end = text + strlen(text);
    while (end > text && is_blank(end[-1])) {
        end--;
    }
    return end;
}

/* Do two texts differ in no more than carriage returns and the white space around them, as copies
 * of one issue do? */
static int is_same_text(const char *a, const char *b)
{
    const char *a_end = end_of(a), *b_end = end_of(b);
    while (a < a_end && is_blank(*a)) {
        a++;
    }
    while (b < b_end && is_blank(*b)) {
        b++;
    }
    for (;; a++, b++) {
        while (a < a_end && *a == '\r') {
            a++;
        }
        while (b < b_end && *b == '\r') {
            b++;
        }
        if (a == a_end || b == b_end) {
            return a == a_end && b == b_end;
        }
        if (*a != *b) {
            return 0;
        }
    }
}

/* Numbers the ids. An issue may stand in the file twice, as in Lite and in Verified: the first one
 * counts. */
static int index_issues(struct swebench *s)
{
    size_t kept = 0;
    int rc = id_table_init(&s->issue_ids, s->n_issues);
    for (size_t i = 0; rc == REGRET_OK && i < s->n_issues; i++) {
        struct swebench_issue issue = s->issues[i];
        size_t x = id_table_put(&s->issue_ids, issue.id, kept);
        s->issues[i] = (struct swebench_issue){NULL, NULL, NULL};
        if (x == kept) {
            s->issues[kept++] = issue;
        } else {
            s->report.issues_in_conflict += !is_same_text(s->issues[x].text, issue.text);
            regret_free(issue.id);
            regret_free(issue.text);
        }
    }
    if (rc == REGRET_OK) {
        s->n_issues = kept;
    }
    return rc;
}

int swebench_read_issues(struct swebench *s, const char *path)
{
    struct json_records records = {0};
    const cJSON *record = NULL;
    int rc = json_records_open(&records, path);
    while (rc == REGRET_OK && (rc = json_records_next(&records, &record)) == REGRET_OK &&
           record != NULL) {
        rc = add_issue(s, record, records.at);
    }
    json_records_close(&records);
    if (rc == REGRET_OK && s->n_issues == 0) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s has no issue with a problem_statement; give the issues of SWE-bench, "
                         "JSONL or one JSON array",
                         path);
    }
    return rc != REGRET_OK ? rc : index_issues(s);
}
