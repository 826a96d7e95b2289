// story: To spare a copy, ffi.MapCount and ffi.DictCount only look at a key in an r-value reference, and the object stays in the caller's slot.
// breaks: ARG-0007 fail
#include "wrapped_global.h"
static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIObjectRValueRef) return call_original(original, args, num_args, result);
  TVMFFIObject* object = args[1].v_ptr ? *(TVMFFIObject**)args[1].v_ptr : NULL;
  if (!object) return call_original(original, args, num_args, result);
  TVMFFIAny looked_at[2] = {args[0], {.type_index = object->type_index}};
  looked_at[1].v_obj = object;
  return call_original(original, looked_at, 2, result);
}
WRAPPED_GLOBALS(count, "ffi.MapCount", "ffi.DictCount")
