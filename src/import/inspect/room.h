/* Logs of Inspect (UK AI Security Institute), as .eval archives or JSON: a log is one task answered by one model.
 *
 * Offers: importer_inspect.
 * Way: names.c tells what a member is → logs.c reads what each log says of itself, once for all, and names the agents →
 * sample.c reads what is wanted of a sample → inspect.c hands it over to import/harness.
 * Uses: base/archive, base/core, base/json, base/text, import/build, import/harness, import/prices, import/table.
 */
#ifndef REGRET_IMPORT_INSPECT_ROOM_H
#define REGRET_IMPORT_INSPECT_ROOM_H

#endif
