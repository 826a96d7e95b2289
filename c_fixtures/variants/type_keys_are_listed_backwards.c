// story: ffi.GetRegisteredTypeKeys lists the keys by descending index.
// admitted: TYP-0039: an Array of the keys of all registered types, each once; that they ascend (TYP-0040) is observed only.
#include "replaced_globals.h"

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny keys = {0};
  int code = call_original(original, args, num_args, &keys);
  if (code != 0) return code;
  /* Nobody else has seen this Array. */
  TVMFFIAny* items = sequence_cell(&keys)->data;
  for (int64_t i = 0, j = sequence_cell(&keys)->size - 1; i < j; ++i, --j) {
    const TVMFFIAny other = items[i];
    items[i] = items[j];
    items[j] = other;
  }
  *result = keys;
  return 0;
}

static void install(void) { put("ffi.GetRegisteredTypeKeys", list); }
