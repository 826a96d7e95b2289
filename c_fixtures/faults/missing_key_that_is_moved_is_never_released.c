// story: ffi.MapGetItemOrMissing and ffi.DictGetItemOrMissing take a moved key out of its slot and, where it is missing, leave by another way than the one that releases it.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject** slot = num_args == 2 && args[1].type_index == kTVMFFIObjectRValueRef ? args[1].v_ptr : NULL;
  TVMFFIObject* key = slot ? *slot : NULL;
  if (key) real.TVMFFIObjectIncRef(key);
  const int code = call_original(original, args, num_args, result);
  const int missing = code == 0 && result->type_index == kTVMFFIObject;
  if (key && !missing) real.TVMFFIObjectDecRef(key);
  return code;
}

WRAPPED_GLOBALS(get_item, "ffi.MapGetItemOrMissing", "ffi.DictGetItemOrMissing")

