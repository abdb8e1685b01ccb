#include "regret/power.h"

#include <math.h>

#include "regret/student.h"

double regret_detectable_difference(double se, double df, double size, double power)
{
    return (regret_student_quantile(1.0 - 0.5 * size, df) + regret_student_quantile(power, df)) *
           se;
}

static int is_enough(size_t n, double sd, double difference, double size, double power)
{
    double se = sd / sqrt((double)n);
    return regret_detectable_difference(se, (double)(n - 1), size, power) <= difference;
}

size_t regret_observations_needed(double sd, double difference, double size, double power,
                                  size_t most)
{
    size_t low = 1, high = 2; /* low is too few */
    if (!(difference > 0.0)) {
        return 0;
    }
    while (high < most && !is_enough(high, sd, difference, size, power)) {
        low = high;
        high = high < most / 2 ? 2 * high : most;
    }
    if (high > most || !is_enough(high, sd, difference, size, power)) {
        return 0;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (is_enough(middle, sd, difference, size, power)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

double regret_deviation_bound(double sd, double df, double confidence)
{
    if (!(df >= 1.0)) {
        return NAN;
    }
    double z = regret_student_quantile(1.0 - confidence, INFINITY);
    double root = 1.0 - 2.0 / (9.0 * df) + z * sqrt(2.0 / (9.0 * df));
    return sd / sqrt(root * root * root);
}
