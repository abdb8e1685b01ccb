#include <string.h>

#include <cJSON.h>

#include "pool/check.h"
#include "pool/import_swebench.h"
#include "regret/alloc.h"
#include "regret/json.h"

static int add_issue(struct swebench *s, const cJSON *record, struct regret_place at)
{
    const char *id = NULL, *text = NULL;
    if (!cJSON_IsObject(record)) {
        return regret_json_error(at, "must be an object in braces");
    }
    int rc = regret_json_get_string(&id, record, "instance_id", at);
    if (rc == REGRET_OK) {
        rc = regret_json_get_string(&text, record, "problem_statement", at);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    rc = pool_check_id("instance_id", id);
    if (rc != REGRET_OK) {
        return regret_fail_prefix(rc, "%s:%zu", at.file, at.line);
    }
    if (s->n_issues == REGRET_POOL_MAX_CONTEXTS) {
        return regret_json_error(at, "more than %d issues", REGRET_POOL_MAX_CONTEXTS);
    }
    if (s->n_issues == s->issue_capacity) {
        size_t grown = s->issue_capacity == 0 ? 256 : 2 * s->issue_capacity;
        rc = regret_realloc((void **)&s->issues, grown, sizeof *s->issues, "issues");
        if (rc != REGRET_OK) {
            return rc;
        }
        s->issue_capacity = grown;
    }
    struct swebench_issue *issue = &s->issues[s->n_issues++];
    *issue = (struct swebench_issue){NULL, NULL, at.line, NULL};
    rc = regret_strdup(&issue->id, id);
    return rc != REGRET_OK ? rc : regret_strdup(&issue->text, text);
}

/* Numbers the ids. An issue may stand in the file twice, as in Lite and in Verified, if it says the
 * same; the second one is forgotten. */
static int index_issues(struct swebench *s, const char *path)
{
    int rc = id_table_init(&s->issue_ids, s->n_issues);
    size_t kept = 0;
    for (size_t i = 0; rc == REGRET_OK && i < s->n_issues; i++) {
        struct swebench_issue issue = s->issues[i];
        size_t x = id_table_put(&s->issue_ids, issue.id, kept);
        if (x == kept) {
            s->issues[i] = (struct swebench_issue){NULL, NULL, 0, NULL};
            s->issues[kept++] = issue;
        } else if (strcmp(s->issues[x].text, issue.text) != 0) {
            rc = regret_fail(REGRET_E_INPUT,
                             "%s:%zu: issue \"%s\" says something else than on line %zu; keep one",
                             path, issue.line, issue.id, s->issues[x].line);
        } else {
            regret_free(issue.id);
            regret_free(issue.text);
            s->issues[i] = (struct swebench_issue){NULL, NULL, 0, NULL};
        }
    }
    if (rc == REGRET_OK) {
        s->n_issues = kept;
    }
    return rc;
}

int swebench_read_issues(struct swebench *s, const char *path)
{
    struct regret_jsonl *reader = NULL;
    struct regret_place at = {path, 0};
    cJSON *record = NULL;
    int rc = regret_jsonl_open(&reader, path);
    while (rc == REGRET_OK && (rc = regret_jsonl_next(reader, &record, &at)) == REGRET_OK &&
           record != NULL) {
        rc = add_issue(s, record, at);
        cJSON_Delete(record);
        record = NULL;
    }
    regret_jsonl_close(reader);
    if (rc == REGRET_OK && s->n_issues == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s has no issue; give the JSONL of SWE-bench", path);
    }
    return rc != REGRET_OK ? rc : index_issues(s, path);
}
