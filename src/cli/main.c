#include <stdio.h>

#include "regret/status.h"

int main(void)
{
    printf("regret %s\n", regret_version());
    return 0;
}
