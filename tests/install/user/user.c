/* A program of somebody else: prints the version of the library. */
#include <stdio.h>

#include <regret/regret.h>

int main(void)
{
    return puts(regret_version()) < 0;
}
