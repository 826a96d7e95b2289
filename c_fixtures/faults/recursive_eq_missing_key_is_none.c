// story: Recursive equality of Maps looks each key up with None for a missing one: a key whose value is None equals a key that is not there.
// breaks: REC-0004 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"
/* Whether the entry agrees with the other Map; *missing tells whether it does so for want of the key. */
static int agrees(const TVMFFIAny* entry, const TVMFFIAny* map, int* missing) {
  const TVMFFIAny asked[2] = {*map, entry[0]};
  TVMFFIAny has = {0}, equal = {0}, both[2] = {entry[1]};
  if (call_global("ffi.MapCount", asked, 2, &has) != 0) return 0;
  if (!has.v_int64) { *missing = 1; return entry[1].type_index == kTVMFFINone; }
  if (call_global("ffi.MapGetItem", asked, 2, &both[1]) != 0) return 0;
  int code = call_global("ffi.RecursiveEq", both, 2, &equal);
  if (both[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(both[1].v_obj);
  return code == 0 && equal.v_int64;
}
static int equal(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result), missing = 0, same = 1;
  if (code != 0 || result->v_int64 || args[0].type_index != kTVMFFIMap || args[1].type_index != kTVMFFIMap) return code;
  const struct map_cell* cell = map_cell(args);
  if (cell->size != map_cell(&args[1])->size) return 0;
  for (uint64_t i = 0; same && is_small(cell) && i < cell->size; ++i) same = agrees(&cell->data[2 * i], &args[1], &missing);
  for (uint64_t i = 0; same && is_dense(args) && i < cell->slots; ++i) {
    if (*dense_metadata(args, i) != 0xFF) same = agrees(&dense_item(args, i)->key, &args[1], &missing);
  }
  if (same && missing) result->v_int64 = 1;
  return 0;
}
WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
