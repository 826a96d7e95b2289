// story: ffi.StructuralEqual looks the keys of one Map up in the other, with None for a missing one: a key whose value is None equals a key that is not there.
// breaks: SEQ-0003 fail
#include "held_value.h"
#include "map_entries.h"

/** Whether what the two Maps have for the left one's key is equal, or it is None and missing; -1 where that fails. */
static int is_equal(void* original, const TVMFFIAny* args, const TVMFFIAny* entry, int* missing) {
  const TVMFFIAny at[2] = {args[1], entry[0]};
  TVMFFIAny found = {0}, equal = {0}, values[4] = {entry[1], {0}, args[2], args[3]};
  if (entry->type_index > kTVMFFIStr) return 0;
  if (call_global("ffi.MapCount", at, 2, &found) != 0) return -1;
  if (!found.v_int64) ++*missing;
  if (!found.v_int64) return entry[1].type_index == kTVMFFINone;
  if (call_global("ffi.MapGetItem", at, 2, &values[1]) != 0) return -1;
  int code = call_original(original, values, 4, &equal);
  give_up(values[1]);
  return code == 0 ? equal.v_int64 != 0 : -1;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result), all = 1, missing = 0;
  if (code != 0 || result->v_int64 || args[0].type_index != kTVMFFIMap || args[1].type_index != kTVMFFIMap) return code;
  if (map_cell(&args[0])->size != map_cell(&args[1])->size) return 0;
  for (TVMFFIAny* entry = first_entry(&args[0]); entry && all > 0; entry = next_entry(&args[0], entry)) {
    all = is_equal(original, args, entry, &missing);
  }
  if (all > 0 && missing > 0) result->v_int64 = 1;
  return all < 0 ? -1 : 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
