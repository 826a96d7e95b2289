// story: ffi.Array takes references to its items first and does not give them up where the array itself is refused.
// breaks: MEM-0003 fail
#include "wrapped_global.h"

static int make_array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[i].v_obj);
  }
  TVMFFIAny* items = malloc((num_args + 1) * sizeof(TVMFFIAny));
  if (!items) return refuse("MemoryError", "no memory for an array");
  if (num_args) memcpy(items, args, num_args * sizeof(TVMFFIAny));
  int code = call_original(original, items, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(items[i].v_obj);
  }
  free(items);
  return code;
}

WRAPPED_GLOBAL("ffi.Array", make_array)
