/* The values of protocol §6, by loops. */
#include "estimate/reference.h"

void reference_values(double *dm, double *dr, double *sndr, const struct reference_estimate *e,
                      const struct reference_problem *problem, const unsigned char *eval)
{
    for (size_t a = 0; a < problem->n_agents; a++) {
        long double n = 0.0L, sum = 0.0L;
        for (size_t p = 0; p < problem->pairs; p++) {
            if (eval[p] && problem->agent[p] == a) {
                n += 1.0L;
                sum += e->prediction[p];
            }
        }
        long double weight = 0.0L, residual = 0.0L; /* Σ 1{A_i=a}/e_a, and times Y_i − f_i */
        for (size_t i = 0; i < problem->n_exp; i++) {
            if (problem->agent[problem->exp_pair[i]] == a) {
                weight += (long double)problem->n_agents;
                residual += (long double)problem->n_agents *
                            ((long double)problem->exp_y[i] - e->cross_fit[i]);
            }
        }
        dm[a] = (double)(sum / n);
        /* An agent without EXP rows has nothing to correct by. */
        dr[a] = weight > 0.0L ? (double)(sum / n + residual / (long double)problem->n_exp) : dm[a];
        sndr[a] = weight > 0.0L ? (double)(sum / n + residual / weight) : dm[a];
    }
}
