/* A program of somebody else: prints the version of the library. */
#include <stdio.h>

#include <base/random.h>
#include <regret/status.h>

int main(void)
{
    const double sorted[] = {1.0, 2.0, 3.0};
    if (regret_quantile(sorted, 3, 0.5) != 2.0) {
        return 1;
    }
    puts(regret_version());
    return 0;
}
