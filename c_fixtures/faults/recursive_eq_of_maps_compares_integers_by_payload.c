// story: Recursive equality of Maps takes an integer for equal to any value under the same key whose payload is the same.
// breaks: REC-0004 fail
#include "map_entries.h"
#include "wrapped_global.h"

/** Whether the entry agrees with the other Map; *other_type tells whether it does so by its payload alone. */
static int agrees(const TVMFFIAny* entry, const TVMFFIAny* map, int* other_type) {
  const TVMFFIAny asked[2] = {*map, entry[0]};
  TVMFFIAny has = {0}, equal = {0}, both[2] = {entry[1]};
  if (call_global("ffi.MapCount", asked, 2, &has) != 0 || !has.v_int64) return 0;
  if (call_global("ffi.MapGetItem", asked, 2, &both[1]) != 0) return 0;
  int code = call_global("ffi.RecursiveEq", both, 2, &equal);
  int same = code == 0 && equal.v_int64;
  if (!same && both[0].type_index == kTVMFFIInt && both[0].v_int64 == both[1].v_int64) same = *other_type = 1;
  if (both[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(both[1].v_obj);
  return same;
}

static int equal(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result), other_type = 0, same = 1;
  if (code != 0 || result->v_int64 || args[0].type_index != kTVMFFIMap || args[1].type_index != kTVMFFIMap) return code;
  if (map_cell(&args[0])->size != map_cell(&args[1])->size) return 0;
  for (TVMFFIAny* entry = first_entry(&args[0]); same && entry; entry = next_entry(&args[0], entry)) {
    same = agrees(entry, &args[1], &other_type);
  }
  if (same && other_type) result->v_int64 = 1;
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
