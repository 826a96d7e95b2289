// story: ffi.StructuralMap of a Dict always builds a new Dict, also where nothing in it has changed.
// breaks: VIS-0020 fail
#include "map_entries.h"
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIAny given = num_args > 0 ? args[0] : (TVMFFIAny){0};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || given.type_index != kTVMFFIDict || result->v_obj != given.v_obj) return code;
  const uint64_t size = map_cell(&given)->size;
  TVMFFIAny* all = calloc(2 * size + 1, sizeof(*all));
  TVMFFIAny made = {0};
  int32_t n = 0;
  for (TVMFFIAny* entry = first_entry(&given); entry; entry = next_entry(&given, entry)) {
    all[n++] = entry[0];
    all[n++] = entry[1];
  }
  code = call_global("ffi.Dict", all, n, &made);
  free(all);
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = made;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
