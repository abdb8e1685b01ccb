#include "regret/power.h"

#include "regret/student.h"

double regret_detectable_difference(double se, double df, double size, double power)
{
    return (regret_student_quantile(1.0 - 0.5 * size, df) + regret_student_quantile(power, df)) *
           se;
}
