// story: ffi.StructuralKeyEqual keeps a reference to the key of a Map that stands first in an Array in a StructuralKey.
// breaks: SEQ-0032 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2) return code;
  /* A key has its value behind the header. */
  const TVMFFIAny* value = (const TVMFFIAny*)(args[0].v_obj + 1);
  if (value->type_index != kTVMFFIArray || sequence_cell(value)->size == 0) return 0;
  const TVMFFIAny* map = sequence_cell(value)->data;
  TVMFFIAny size = {0}, it = {0}, key = {0}, ask = {.type_index = kTVMFFIInt, .v_int64 = 0};
  if (map->type_index != kTVMFFIMap || call_global("ffi.MapSize", map, 1, &size) != 0 || size.v_int64 == 0) return 0;
  if (call_global("ffi.MapForwardIterFunctor", map, 1, &it) != 0) return 0;
  /* What is answered here is never given up. */
  real.TVMFFIFunctionCall(it.v_obj, &ask, 1, &key);
  real.TVMFFIObjectDecRef(it.v_obj);
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralKeyEqual", equal)
