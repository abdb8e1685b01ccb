/* A program of somebody else: prints the version of the library. */
#include <stdio.h>
#include <string.h>

#include <regret/regret.h>

int main(void)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_printf(&text, "%s", regret_version());
    if (regret_buffer_status(&text) != REGRET_OK ||
        strcmp(regret_buffer_get(&text), regret_version()) != 0) {
        return 1;
    }
    puts(regret_buffer_get(&text));
    regret_buffer_free(&text);
    return 0;
}
