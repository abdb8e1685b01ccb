/* The issues file: contexts. */
#include <string.h>

#include "base/core/try.h"
#include "base/json/json_records.h"
#include "import/swebench/swebench.h"
#include "pool/files/check.h"
#include "regret/alloc.h"

static const char BLANKS[] = " \t\n\v\f\r";

static int is_blank(const char *text)
{
    return text[strspn(text, BLANKS)] == '\0';
}

/* Do two texts differ in no more than carriage returns and the white space around them, as copies
 * of one issue do? */
static int is_same_text(const char *a, const char *b)
{
    a += strspn(a, BLANKS);
    b += strspn(b, BLANKS);
    for (;; a++, b++) {
        a += strspn(a, "\r");
        b += strspn(b, "\r");
        if (*a != *b || *a == '\0') {
            return is_blank(a) && is_blank(b);
        }
    }
}

/* An issue may stand in the file twice, as in Lite and in Verified: the first one counts. */
static int add_issue(struct swebench *s, const struct cJSON *record, struct regret_place at)
{
    struct import_register *issues = &s->b.contexts;
    const char *id = NULL, *text = NULL, *repo = "";
    int differs = 0;
    uint32_t x = 0;
    TRY(regret_json_get_string(&id, record, "instance_id", at));
    TRY(regret_json_optional_string(&text, record, "problem_statement", at));
    TRY(regret_json_optional_string(&repo, record, "repo", at));
    if (pool_check_id("instance_id", id) != REGRET_OK) {
        return regret_json_error(at, "%s", regret_error_message());
    }
    if (text == NULL) {
        s->report.issues_without_text++;
        return REGRET_OK;
    }
    TRY(import_enter(&x, issues, id, at.line, at));
    if (issues->entry[x].text == NULL) {
        TRY(import_set_tag(&differs, &issues->entry[x], repo, at));
        return import_text(&issues->entry[x].text, &s->b, text);
    }
    s->report.issues_in_conflict += !is_same_text(issues->entry[x].text, text);
    return REGRET_OK;
}

int swebench_read_issues(struct swebench *s, const char *path)
{
    FREED_BY(json_records_close) struct json_records records = {0};
    const struct cJSON *record = NULL;
    TRY(json_records_open(&records, path, JSON_RECORDS_OF_SET));
    TRY(json_records_next(&records, &record));
    while (record != NULL) {
        TRY(add_issue(s, record, records.at));
        TRY(json_records_next(&records, &record));
    }
    if (s->b.contexts.n == 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s has no issue with a problem_statement; give the issues of SWE-bench, "
            "JSONL or one JSON array",
            path);
    }
    return REGRET_OK;
}
