#include "import/importers.h"

#define DECLARE(name) extern const struct importer importer_##name;
IMPORTERS(DECLARE)

#define ENTER(name) &importer_##name,
const struct importer *const importers[] = {IMPORTERS(ENTER) NULL};
