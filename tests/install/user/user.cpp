// A program of somebody else, in C++: every header at once, and a number by the library.
#include <cstdio>

#include <regret/regret.h>

int main()
{
    const double sorted[] = {1.0, 2.0, 3.0};
    regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_printf(&text, "%s", regret_version());
    if (regret_quantile(sorted, 3, 0.5) != 2.0 || regret_buffer_status(&text) != REGRET_OK) {
        return 1;
    }
    std::puts(regret_buffer_get(&text));
    regret_buffer_free(&text);
    return 0;
}
