/* Models of new requests: what is read answers any request with finite numbers in their ranges, and is written as the
 * bytes it was read from, but for blanks and the order of the JSON.
 *
 * The file, whose checksum is made right first: a forger would. */
#include <math.h>
#include <string.h>

#include "model/internal.h"
#include "model/model.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "support.h"

static void check_answers(const struct regret_model *m)
{
    static const struct regret_request requests[] = {
        {.text = ""},
        {.text = "w1 function poem", .tag = "code"},
        {.text = "caf\xc3\xa9 \xe6\x97\xa5", .tag = "no such tag"}};
    struct regret_answer answers[3];
    REQUIRE(fuzz_taken(regret_model_answer(answers, m, requests, 3)));
    for (size_t i = 0; i < 3; i++) {
        const struct regret_answer *a = &answers[i];
        REQUIRE(a->agent < regret_model_facts(m).n_agents);
        REQUIRE(a->value >= 0.0 && a->low >= 0.0 && a->high <= 1.0 && a->low <= a->high);
        REQUIRE(a->margin >= -1.0 && a->margin <= 1.0);
        REQUIRE(a->margin_low <= a->margin && a->margin <= a->margin_high);
    }
}

static void check_again(const struct regret_model *m)
{
    struct regret_model *back = NULL;
    struct regret_buffer a = REGRET_BUFFER_INIT, b = REGRET_BUFFER_INIT;
    const char *path = fuzz_path("again");
    REQUIRE(regret_model_write(m, path) == 0);
    REQUIRE(regret_model_read(&back, path) == 0);
    regret_model_describe(&a, m);
    regret_model_describe(&b, back);
    REQUIRE(regret_buffer_status(&a) == 0 && fuzz_same_text(a.data, b.data));
    REQUIRE(back->n_buckets == m->n_buckets && back->width == m->width);
    REQUIRE(memcmp(back->row, m->row, model_rows(m) * m->width * sizeof *m->row) == 0);
    regret_buffer_free(&a);
    regret_buffer_free(&b);
    regret_model_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct regret_model *m = NULL;
    struct model_head head;
    char *file = NULL;
    REQUIRE(regret_strndup(&file, (const char *)data, size) == 0);
    if (size >= sizeof head) {
        memcpy(&head, file, sizeof head);
        model_digest(head.digest, file, size);
        memcpy(file, &head, sizeof head);
    }
    fuzz_accepted = fuzz_taken(regret_model_read(&m, fuzz_put("m", file, size)));
    if (fuzz_accepted) {
        check_answers(m);
        if (fuzz_turn(data, size, 16)) {
            check_again(m);
        }
    }
    regret_model_free(m);
    regret_free(file);
    return 0;
}
