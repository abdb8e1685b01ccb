// A program of somebody else, in C++: every header at once, and a number by the library.
#include <cstdio>

#include <regret/regret.h>

int main()
{
    const double sorted[] = {1.0, 2.0, 3.0};
    regret_text text = REGRET_TEXT_INIT;
    regret_text_printf(&text, "%s", regret_version());
    if (regret_quantile(sorted, 3, 0.5) != 2.0 || regret_text_status(&text) != REGRET_OK) {
        return 1;
    }
    std::puts(regret_text_get(&text));
    regret_text_free(&text);
    return 0;
}
