// story: ffi.json.Stringify refuses a function, but writes one that is an element of an Array as null.
// breaks: JSN-0029 fail
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny* items = calloc((size_t)cell->size + 1, sizeof(TVMFFIAny));
  TVMFFIAny given[2] = {{0}, args[1]};
  if (cell->size > 0) memcpy(items, cell->data, (size_t)cell->size * sizeof(TVMFFIAny));
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index == kTVMFFIFunction) items[i] = (TVMFFIAny){.type_index = kTVMFFINone};
  }
  int code = call_global("ffi.Array", items, (int32_t)cell->size, &given[0]);
  free(items);
  if (code != 0) return code;
  code = call_original(original, given, 2, result);
  real.TVMFFIObjectDecRef(given[0].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
