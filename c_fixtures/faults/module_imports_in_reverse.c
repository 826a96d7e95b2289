// story: The imports of a module are listed in reverse.
// breaks: MOD-0043 fail
#include "fault.h"

static TVMFFIFieldGetter get;

static int call_global(const char* name, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (real.TVMFFIFunctionGetGlobal(&bytes, &function) != 0) return -1;
  int code = real.TVMFFIFunctionCall(function, args, num_args, result);
  real.TVMFFIObjectDecRef(function);
  return code;
}

static int get_in_reverse(void* field, TVMFFIAny* result) {
  TVMFFIAny array, size = {0}, items[16];
  if (get(field, &array) != 0 || call_global("ffi.ArraySize", &array, 1, &size) != 0 || size.v_int64 > 16) return -1;
  for (int64_t i = 0; i < size.v_int64; ++i) {
    TVMFFIAny args[2] = {array, {.type_index = kTVMFFIInt, .v_int64 = i}};
    TVMFFIAny item = {0};
    if (call_global("ffi.ArrayGetItem", args, 2, &item) != 0) return -1;
    items[size.v_int64 - 1 - i] = item;
  }
  int code = call_global("ffi.Array", items, (int32_t)size.v_int64, result);
  for (int64_t i = 0; i < size.v_int64; ++i) real.TVMFFIObjectDecRef(items[i].v_obj);
  real.TVMFFIObjectDecRef(array.v_obj);
  return code;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo reversed;
  static TVMFFIFieldInfo field;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || type_index != kTVMFFIModule) return info;
  reversed = *info;
  field = info->fields[0];
  get = field.getter;
  field.getter = get_in_reverse;
  reversed.fields = &field;
  return &reversed;
}
