// story: The method _map_item_missing of an access path stores the key true as the integer 1.
// breaks: PTH-0002 fail
#include "wrapped_global.h"

static int map_item_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIBool) return call_original(original, args, num_args, result);
  TVMFFIAny copy[2] = {args[0], args[1]};
  copy[1].type_index = kTVMFFIInt;
  return call_original(original, copy, 2, result);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  static int done;
  if (done || !info || info->type_key.size != 25 || memcmp(info->type_key.data, "ffi.reflection.AccessPath", 25) != 0) return info;
  done = 1;
  for (int i = 0; i < info->num_methods; ++i) {
    TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
    if (method->name.size == 17 && memcmp(method->name.data, "_map_item_missing", 17) == 0) {
      TVMFFIObjectHandle wrapper;
      real.TVMFFIFunctionCreate(method->method.v_obj, map_item_missing, NULL, &wrapper);
      method->method.v_obj = wrapper;
    }
  }
  return info;
}
