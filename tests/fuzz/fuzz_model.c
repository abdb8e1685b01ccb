/* Models of new requests: what is read answers any request with numbers in their ranges, and is written as a file that reads back the
 * same. */
#include <math.h>
#include <string.h>

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
        REQUIRE(a->agent < m->n_agents);
        REQUIRE(a->value >= 0.0 && a->low >= 0.0 && a->high <= 1.0 && a->low <= a->high);
        REQUIRE(a->value <= 1.0 && !isnan(a->margin));
    }
}

static void check_again(const struct regret_model *m)
{
    struct regret_model *back = NULL;
    struct regret_answer one[1], other[1];
    const struct regret_request request = {.text = "w1 function poem", .tag = "code"};
    const char *path = fuzz_path("again");
    REQUIRE(regret_model_write(m, path) == 0);
    REQUIRE(regret_model_read(&back, path) == 0);
    REQUIRE(regret_model_answer(one, m, &request, 1) == 0);
    REQUIRE(regret_model_answer(other, back, &request, 1) == 0);
    REQUIRE(one->agent == other->agent && fuzz_same_number(one->value, other->value));
    regret_model_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct regret_model *m = NULL;
    fuzz_accepted = fuzz_taken(regret_model_read(&m, fuzz_put("m", (const char *)data, size)));
    if (fuzz_accepted) {
        check_answers(m);
        if (fuzz_turn(data, size, 16)) {
            check_again(m);
        }
    }
    regret_model_free(m);
    return 0;
}
