#include "base/csv/csv_table.h"

int csv_table_open(struct regret_csv **out, const char *path, char separator)
{
    struct regret_csv_options options = REGRET_CSV_OPTIONS_INIT;
    options.separator = separator;
    options.stray_quotes = separator == '\t';
    return regret_csv_open(out, path, &options);
}
