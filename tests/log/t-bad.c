/* A log that cannot be read for want of memory; what is wrong with tables is tests/cases/logs. */
#include <criterion/criterion.h>

#include "base/scratch.h"
#include "regret/evaluate.h"
#include "regret/status.h"

TestSuite(log_bad, .init = scratch_enter, .fini = scratch_leave);

/* Every allocation of a reading that has all there is to have fails once: that is said, and nothing is lost. */
Test(log_bad, memory_that_cannot_be_had)
{
    long n = 0;
    int rc = REGRET_E_NOMEM;
    scratch_put("o.csv", "q,text,m,y,p,u,t,k,n,w,out,c\nx,sing,a,1,0.5,v,2026-03-01,s,1,z,la,2\n"
                         "z,sum,b,3,0.5,,1,,2,,2,\nz,sum,,3,0.5,,1,,2,,2,\n");
    scratch_put("e.jsonl",
                "{\"q\": \"x\", \"m\": \"a\", \"y\": 1, \"s\": {\"a\": 0.5, \"b\": 0.5}}\n"
                "{\"q\": \"n\", \"m\": \"b\", \"y\": 2, \"s\": {\"a\": 0.5, \"b\": 0.5}}\n");
    scratch_put("r.csv", "q,m,out\nx,a,la\nnew,b,2\n");
    scratch_put(
        "evaluate.json",
        "{\"obs\": {\"file\": \"o.csv\", \"context\": \"q\", \"text\": \"text\", \"agent\": \"m\", "
        "\"outcome\": \"y\", \"propensity\": \"p\", \"cluster\": \"u\", \"time\": \"t\", \"tag\": "
        "\"k\", \"covariates\": [\"n\", \"w\"], \"output\": \"out\", \"cost\": \"c\"}, \"exp\": "
        "{\"file\": \"e.jsonl\", \"context\": \"q\", \"agent\": \"m\", \"outcome\": \"y\", "
        "\"slate\": \"s\"}, \"outputs\": {\"file\": \"r.csv\", \"context\": \"q\", \"agent\": "
        "\"m\", \"output\": \"out\"}, \"obs.rows\": 1, \"incumbent\": \"a\"}");
    for (; rc != REGRET_OK && n < 10000; n++) {
        struct regret_log *log = NULL;
        regret_alloc_fail_after(n);
        rc = regret_log_read(&log, "evaluate.json");
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_OK ? log != NULL : rc == REGRET_E_NOMEM && log == NULL, "%ld: %s", n,
                  regret_error_message());
        regret_log_free(log);
    }
    cr_assert(rc == REGRET_OK && n > 100, "%ld", n);
}
